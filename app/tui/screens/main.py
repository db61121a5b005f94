"""The main screen: Story, Conflicts and Detail; owns what is selected and hears every answer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

from textual import on
from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Input, Static

from app.index import messages as index
from app.plain import shown
from app.store.rows import Counts, StoryFilter
from app.tui.answers import answers
from app.tui.clock import Clock
from app.tui.commands import Situation, Tab, bindings, first_key, for_action
from app.tui.messages import (
    Decided,
    DecisionFailed,
    DetailRead,
    FromIndex,
    QueueRead,
    StoreChanged,
    StoreFailed,
    StoreOpened,
    StoryPage,
    StoryRead,
)
from app.tui.screens.deciding import DecisionKeys
from app.tui.screens.jobs import detail_job, page_job, poll_job, queue_job, story_job
from app.tui.screens.states import queue_state, story_state
from app.tui.widgets.choice import Choice
from app.tui.widgets.conflicts import Conflicts
from app.tui.widgets.detail import Detail
from app.tui.widgets.keys import Keys
from app.tui.widgets.member import MemberCard
from app.tui.widgets.pane import Pane
from app.tui.widgets.search import Search
from app.tui.widgets.status import Status
from app.tui.widgets.story import Story
from app.tui.widgets.words import Words

if TYPE_CHECKING:
    from app.tui.app import Workspace

PaneName = Literal["conflicts", "detail", "story"]
PANES: tuple[PaneName, ...] = ("conflicts", "detail", "story")
TABS: tuple[Tab, ...] = ("open", "snoozed", "settled")
POLL_SECONDS = 1.0


class Main(DecisionKeys, Screen[None]):
    """The state of the workspace: which tab, which conflict, which filter, and how far the index is."""

    BINDINGS = bindings("workspace")
    AUTO_FOCUS = "#queue"

    def __init__(self, vault: Path, clock: Clock, models: str) -> None:
        super().__init__()
        self.vault = vault
        self.clock = clock
        self.models = models
        self.tab: Tab = "open"
        self.counts: Counts | None = None
        self.indexed = False
        self.failure: str | None = None
        self.opened = False
        self.writable = False
        self.settling: set[str] = set()
        """Conflicts decided here whose decision is not in the store yet."""
        self._selected: str | None = None
        self._queue_asked = 0
        self._queue_not_before = 0
        self._generation = 0
        self._filter = StoryFilter()
        self._story_read = False
        self._gone_to: str | None = None
        self._following = False
        self._version: int | None = None

    # what it is made of
    def compose(self) -> ComposeResult:
        today = self.clock.today()
        yield Static(Content.assemble(("Belie", "bold $primary"), ("  ·  ", "$line"), shown(self.vault.name)),
                     id="top", markup=False)  # fmt: skip
        yield Choice(PANES, id="pane-choice")
        with Container(id="panes", classes="-show-conflicts"):
            yield Pane("Conflicts", Choice(TABS, id="tab-choice"), content=Conflicts(today=today, id="queue"),
                       id="conflicts")  # fmt: skip
            yield Pane("Detail", content=Detail(id="whole"), below=Words(id="answers"),
                       id="detail")  # fmt: skip
            yield Pane("Story", Search(), content=Story(today=today, id="lines"), id="story")
        yield Status()
        yield Keys()

    def on_mount(self) -> None:
        self.status.models = self.models
        self.query_one("#pane-choice", Choice).label(conflicts="Conflicts", detail="Detail", story="Story")
        self._show_states()
        self._open_store()
        self.call_after_refresh(self.workspace.start_worker)

    @property
    def workspace(self) -> Workspace:
        return cast("Workspace", self.app)

    @property
    def queue(self) -> Conflicts:
        return self.query_one("#queue", Conflicts)

    @property
    def detail(self) -> Detail:
        return self.query_one("#whole", Detail)

    @property
    def story(self) -> Story:
        return self.query_one("#lines", Story)

    @property
    def status(self) -> Status:
        return self.query_one(Status)

    def pane(self, name: PaneName) -> Pane:
        return self.query_one(f"#{name}", Pane)

    # asking the store
    def _open_store(self) -> None:
        self.workspace.decisions.ask(self, lambda store: StoreOpened(store.read_only), name="open")

    @on(StoreOpened)
    def _store_opened(self, message: StoreOpened) -> None:
        self.failure = None
        self.opened = True
        self.writable = not message.read_only
        self.status.read_only = message.read_only
        self.reload()
        self.set_interval(POLL_SECONDS, self._poll)

    @on(StoreFailed)
    def _store_failed(self, message: StoreFailed) -> None:
        # A decision's own failures come as DecisionFailed; the rest means that nothing can be shown.
        if self.failure is None:
            self.failure = message.text
            self._show_states()

    def _poll(self) -> None:
        self.workspace.conflicts.ask(self, poll_job(self), name="poll")

    def seen_version(self, version: int) -> bool:
        """Whether the store's version is another than last time; called from the reading thread."""
        before, self._version = self._version, version
        return before is not None and before != version

    @on(StoreChanged)
    def _store_changed(self) -> None:
        self.reload()

    def reload(self, prefer: str | None = None) -> None:
        """Read everything that is shown again, in the background."""
        if not self.opened:
            self._open_store()
            return
        self._ask_queue(prefer)
        self._ask_story(self._filter)

    def _ask_queue(self, prefer: str | None = None) -> None:
        self._queue_asked += 1
        job = queue_job(self.tab, self.clock.now(), self._queue_asked, prefer)
        self.workspace.conflicts.ask(self, job, name="queue")

    def _ask_story(self, filter: StoryFilter) -> None:
        self._generation += 1
        self._filter = filter
        job = story_job(self._generation, filter, self.story.near)
        self.workspace.story.ask(self, job, name="story")

    @on(Story.PageWanted)
    def _page_wanted(self, message: Story.PageWanted) -> None:
        job = page_job(message.generation, message.page, message.filter)
        self.workspace.story.ask(self, job, name=f"page {message.page}")

    # hearing from the store
    @on(QueueRead)
    def _queue_read(self, message: QueueRead) -> None:
        if message.tab != self.tab or message.asked < self._queue_not_before:
            return
        self.failure = None
        self.counts = message.counts
        rows = tuple(row for row in message.rows if row.id not in self.settling)
        self.queue.take(rows, message.prefer)
        self.query_one("#tab-choice", Choice).label(
            open=f"open {message.counts.open:,}",
            snoozed=f"snoozed {message.counts.snoozed:,}",
            settled=f"settled {message.counts.resolved + message.counts.dismissed:,}",
        )
        self.status.open = message.counts.open
        self.select(again=True)

    @on(DetailRead)
    def _detail_read(self, message: DetailRead) -> None:
        if message.conflict_id == self._selected and message.view is not None:
            self.detail.show(message.view)
            said = answers(message.view, self.tab, self.clock, self.workspace.keymap)
            self.query_one("#answers", Words).put(said)
            self._show_states()
            self.tell_keys()

    @on(StoryRead)
    def _story_read_again(self, message: StoryRead) -> None:
        # Not only the newest: while notes stream in, each answer is a little late already.
        if message.filter == self._filter and message.generation > self.story.generation:
            self._story_read = True
            self.story.take(message.generation, message.filter, message.ids, message.pages)
            self._join()
            self._show_states()
            self.tell_keys()

    @on(StoryPage)
    def _story_page(self, message: StoryPage) -> None:
        self.story.take_page(message.generation, message.page, message.rows)
        self._name_story()

    @on(Decided)
    def _decided(self, message: Decided) -> None:
        self.settling.discard(message.conflict_id)
        self._queue_not_before = self._queue_asked + 1
        if message.reopened and self.tab != "open":
            self._go_to_tab("open", prefer=message.conflict_id)
        self.app.clear_notifications()
        hint = (
            f" Press {first_key('conflict.undo', self.workspace.keymap)} to undo." if message.undoable else ""
        )
        self.notify(shown(message.said) + hint, timeout=6, markup=False)
        self.reload(prefer=message.conflict_id if message.reopened else None)

    @on(DecisionFailed)
    def _decision_failed(self, message: DecisionFailed) -> None:
        self.settling.discard(message.conflict_id or "")
        self._queue_not_before = self._queue_asked + 1
        self.notify(shown(message.text), severity="warning", markup=False)
        self.reload(prefer=message.conflict_id)

    # hearing from the index
    @on(FromIndex)
    def _from_index(self, message: FromIndex) -> None:
        match message.word:
            case index.Progress() as progress:
                self.status.progress = progress
                if progress.stage == "done":
                    self.status.progress = None
            case index.Watching(mode):
                self.status.mode = mode
            case index.Indexed():
                self.indexed = True
                self.status.progress = None
                self.reload()
            case index.Trouble(text, fatal):
                if fatal:
                    self.status.mode, self.status.progress = "still", None
                    self.failure = self.failure or text
                self.notify(shown(text), severity="error" if fatal else "warning", markup=False)
                self._show_states()

    # what is selected
    def select(self, *, again: bool = False) -> None:
        """Show the conflict under the queue's cursor; `again` reads it anew though it is the same."""
        row = self.queue.selected
        changed = (row.id if row else None) != self._selected
        self._selected = row.id if row else None
        if row is None:
            self.detail.view = None
        elif changed or again:
            self.workspace.conflicts.ask(self, detail_job(self.vault, row.id), name="detail")
        if changed:
            self._join()
        self._show_states()

    def _join(self) -> None:
        """Join the members in the story, and go there once for each conflict selected."""
        row = self.queue.selected
        here = row.id if row else None
        if self.story.join(row.conflict.members if row else (), go=here != self._gone_to):
            self._gone_to = here
        self._name_story()

    @on(Conflicts.Moved, "#queue")
    def _queue_moved(self) -> None:
        # The cursor is painted first; what follows it comes after, once however often it moved.
        if not self._following:
            self._following = True
            self.call_after_refresh(self._follow)

    def _follow(self) -> None:
        self._following = False
        self.select()

    @on(Conflicts.Chosen, "#queue")
    def _queue_chosen(self) -> None:
        self.show_pane("detail")

    @on(Story.Moved, "#lines")
    def _story_moved(self) -> None:
        self._name_story()
        self.tell_keys()

    @on(Story.Chosen, "#lines")
    def _story_chosen(self) -> None:
        row = self.story.here
        if row is None or row.disputed is None:
            return
        places = [place.id for place in self.queue.rows]
        if row.disputed in places:
            self.queue.move_to(places.index(row.disputed))
        else:
            # Not in this list: it is open or, as disputed includes them, snoozed.
            self._go_to_tab("snoozed" if self.tab == "open" else "open", prefer=row.disputed)
        if self.has_class("-narrow"):
            self.show_pane("detail")

    @on(MemberCard.Picked)
    def _member_picked(self, message: MemberCard.Picked) -> None:
        self.detail.mark(message.number)

    # tabs and panes
    def action_next_tab(self) -> None:
        self._go_to_tab(TABS[(TABS.index(self.tab) + 1) % len(TABS)])

    def action_previous_tab(self) -> None:
        self._go_to_tab(TABS[(TABS.index(self.tab) - 1) % len(TABS)])

    @on(Choice.Picked, "#tab-choice")
    def _tab_picked(self, message: Choice.Picked) -> None:
        self._go_to_tab(cast("Tab", message.name))

    def _go_to_tab(self, tab: Tab, prefer: str | None = None) -> None:
        if tab != self.tab:
            self.tab = tab
            self.query_one("#tab-choice", Choice).choose(tab)
            self._ask_queue(prefer)

    @property
    def pane_here(self) -> PaneName:
        """The pane that has the focus; the one shown last when none has."""
        focused = self.focused
        for name in PANES:
            if focused is not None and self.pane(name) in focused.ancestors_with_self:
                return name
        return cast("PaneName", self.query_one("#pane-choice", Choice).active)

    def show_pane(self, name: PaneName) -> None:
        """Bring a pane to the front (in a narrow terminal) and give it the focus."""
        self.query_one("#pane-choice", Choice).choose(name)
        panes = self.query_one("#panes")
        for other in PANES:
            panes.set_class(other == name, f"-show-{other}")
        self.pane(name).content.focus()
        self.tell_keys()

    def action_next_pane(self) -> None:
        self.show_pane(self._pane_after(1))

    def action_previous_pane(self) -> None:
        self.show_pane(self._pane_after(-1))

    def _pane_after(self, step: int) -> PaneName:
        return PANES[(PANES.index(self.pane_here) + step) % len(PANES)]

    @on(Choice.Picked, "#pane-choice")
    def _pane_picked(self, message: Choice.Picked) -> None:
        self.show_pane(cast("PaneName", message.name))

    # searching the story
    def action_search(self) -> None:
        self.show_pane("story")
        search = self.query_one(Search)
        search.display = True
        search.focus()

    @on(Input.Changed, "#search")
    def _search_changed(self, message: Input.Changed) -> None:
        self._ask_story(StoryFilter(text=message.value.strip() or None))

    @on(Input.Submitted, "#search")
    def _search_kept(self) -> None:
        self.query_one(Search).display = bool(self.query_one(Search).value.strip())
        self.story.focus()

    @on(Search.Dropped)
    def action_clear_search(self) -> None:
        search = self.query_one(Search)
        search.value = ""
        search.display = False
        self._ask_story(StoryFilter())
        self.story.focus()

    # what commands depend on
    @property
    def situation(self) -> Situation:
        row = self.queue.selected
        view = self.detail.view if row is not None else None
        current = view if view is not None and row is not None and view.conflict.id == row.id else None
        in_story = self.pane_here == "story"
        return Situation(
            members=len(row.conflict.members) if row is not None else 0,
            tab=self.tab,
            newest=current.newest if current else None,
            most_trusted=current.most_trusted if current else None,
            writable=self.writable,
            noted=bool(self.story.ids) if in_story else current is not None,
            filtered=self.story.filter.text is not None or self.query_one(Search).display,
        )

    def tell_keys(self) -> None:
        """What is possible may have changed: show the keys anew."""
        self.query_one(Keys).situation = self.situation

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if not self.is_mounted:
            return True
        command = for_action(action, parameters)
        return True if command is None else command.possible(self.situation)

    # words in borders and empty panes
    def _show_states(self) -> None:
        words = queue_state(self.tab, self.queue.total, self.counts, self.indexed, self.failure)
        self.pane("conflicts").say(*words[:2], trouble=words.trouble)
        shown_view = self.detail.view is not None and self._selected is not None
        self.pane("detail").say("" if shown_view else " ")
        words = story_state(self.story, self._story_read, self.indexed, self.failure)
        self.pane("story").say(*words[:2], trouble=words.trouble)
        place = f"{self.queue.cursor + 1} of {self.queue.total:,}" if self.queue.total else ""
        self.pane("conflicts").name_as("Conflicts", place)
        self._name_story()
        self.tell_keys()

    def _name_story(self) -> None:
        story = self.story
        title = f"Story: “{story.filter.text}”" if story.filter.text else "Story"
        place = f"{story.cursor + 1:,} of {story.total:,}" if story.total else ""
        row = story.here
        self.pane("story").name_as(title, f"{row.path}:{row.line}  ·  {place}" if row and place else place)
