"""The main screen: Story, Conflicts and Detail. Here it is laid out, and commands and messages are handed to
the controller they are for (`app/tui/controllers`)."""

from __future__ import annotations

from inspect import isawaitable
from pathlib import Path
from typing import TYPE_CHECKING, cast

from textual import on
from textual.app import ComposeResult
from textual.events import ScreenResume

from app.tui.clock import Clock
from app.tui.commands import PANES, TABS, Situation, Tab, bindings
from app.tui.commands import Pane as PaneName
from app.tui.controllers import Controllers
from app.tui.controllers.controller import ScreenState
from app.tui.messages import (
    DayFound,
    DaysRead,
    Decided,
    DetailRead,
    FacetsRead,
    FromIndex,
    LineRead,
    QueueRead,
    StoreChanged,
    StoreFailed,
    StoreOpened,
    StoryPage,
    StoryRead,
    ThreadFound,
)
from app.tui.redaction_jobs import RedactionDone
from app.tui.screens.situated import Situated
from app.tui.story_view import WHOLE
from app.tui.widgets.choice import Choice
from app.tui.widgets.conflicts import Conflicts
from app.tui.widgets.detail import Detail
from app.tui.widgets.ground import Panes
from app.tui.widgets.keys import Keys
from app.tui.widgets.member import MemberCard
from app.tui.widgets.pane import Pane
from app.tui.widgets.status import Status
from app.tui.widgets.story import Story
from app.tui.widgets.top import Top
from app.tui.widgets.words import Words

if TYPE_CHECKING:
    from app.tui.reading import DetailView
    from app.tui.widgets.prompt import Prompt
    from app.tui.widgets.scrubber import Scrubber


class Main(Situated):
    """Where the person works; everything else is opened over it."""

    BINDINGS = bindings("workspace")
    AUTO_FOCUS = "#queue"

    def __init__(self, vault: Path, clock: Clock) -> None:
        super().__init__()
        self.state = ScreenState(vault, clock)
        self.controllers = Controllers(self, self.state)
        self._seen_before = False

    def compose(self) -> ComposeResult:
        today = self.state.clock.today()
        yield Top(self.state.vault.name)
        yield Choice(PANES, id="pane-choice")
        with Panes(id="panes", classes="-show-conflicts"):
            yield Pane("Conflicts", Choice(TABS, id="tab-choice"), content=Conflicts(today=today, id="queue"),
                       id="conflicts", saying=True)  # fmt: skip
            yield Pane("Detail", content=Detail(id="whole"), below=Words(id="answers"),
                       id="detail", saying=True)  # fmt: skip
            yield Pane("Story", content=Story(today=today, id="lines"), id="story", saying=True)
        yield Status()
        yield Keys()

    def on_screen_resume(self, event: ScreenResume) -> None:
        # What comes to the front is styled anew; the first time all of it was styled a moment ago.
        event.refresh_styles, self._seen_before = self._seen_before, True

    def on_mount(self) -> None:
        self.query_one("#pane-choice", Choice).label(conflicts="Conflicts", detail="Detail", story="Story")
        self.controllers.panes.show_sentences()
        # The window first: what reads and what indexes are loaded behind it.
        self.call_after_refresh(self.controllers.store.open)
        self.call_after_refresh(self.workspace.session.start_worker)

    # what it is made of
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

    @property
    def view(self) -> DetailView | None:
        """What the detail shows, if it is the selected conflict."""
        row, view = self.queue.selected, self.detail.view
        return view if view is not None and row is not None and view.conflict.id == row.id else None

    # commands
    async def action_run(self, command: str, *arguments: object) -> None:
        """Have a controller do something, both by name: `decisions.keep`."""
        controller, _, deed = command.partition(".")
        done = getattr(getattr(self.controllers, controller), deed)(*arguments)
        if isawaitable(done):
            await done

    async def action_clear(self) -> None:
        """Let go of what is picked, or show the whole story again."""
        if self.queue.picked:
            self.queue.pick(tuple(self.queue.picked), on=False)
            return
        controllers = self.controllers
        if self.detail.line is not None:
            controllers.selection.end_reading()
            return
        if self.state.sought and controllers.panes.here == "conflicts":
            controllers.search.seek("")
            return
        await controllers.prompt.close()
        await controllers.days.end()
        if not controllers.story.telling.whole:
            controllers.story.ask(WHOLE)
        else:
            controllers.search.seek("")
        if controllers.panes.here == "story":
            self.set_focus(self.story)

    @property
    def situation(self) -> Situation:
        queue, view, controllers = self.queue, self.view, self.controllers
        pane, reading = controllers.panes.here, self.detail.line is not None
        # Where a line of the story is read instead, nobody decides about a conflict they do not see.
        rows = () if reading and not queue.picked else queue.targets
        suggested = view.suggestion if view is not None and not queue.picked else None
        return Situation(
            members=max((len(row.conflict.members) for row in rows), default=0),
            tab=self.state.tab,
            pane=pane,
            picked=len(queue.picked),
            newest=next((row.newest for row in rows if row.newest), None),
            most_trusted=next((row.most_trusted for row in rows if row.most_trusted), None),
            suggested=suggested.number if suggested else None,
            kept=view is not None and view.conflict.winner is not None,
            writable=self.state.writable,
            noted=bool(self.story.ids) if pane == "story" else view is not None or reading,
            listed=queue.total > 0,
            told=self.story.total > 0,
            filtered=reading
            or bool(self.state.sought)
            or controllers.days.scrubbing
            or not controllers.story.telling.whole,
            typing=controllers.panes.typing,
            sliding=self.focused is not None and self.focused.id == "scrubber",
        )

    # the store speaks
    @on(StoreOpened)
    def _store_opened(self, message: StoreOpened) -> None:
        self.controllers.store.opened(message)

    @on(StoreFailed)
    def _store_failed(self, message: StoreFailed) -> None:
        # A decision's own failures come as Decided; the rest means that nothing can be shown.
        if self.state.failure is None:
            self.state.failure = message.text
            self.controllers.panes.show_sentences()

    @on(StoreChanged)
    def _store_changed(self) -> None:
        self.controllers.store.reload_at_rest()

    @on(QueueRead)
    def _queue_read(self, message: QueueRead) -> None:
        if self.controllers.queue.take(message):
            self.controllers.selection.select(again=True)

    @on(DetailRead)
    def _detail_read(self, message: DetailRead) -> None:
        self.controllers.selection.take_detail(message)

    @on(LineRead)
    def _line_read(self, message: LineRead) -> None:
        self.controllers.selection.take_line(message)

    @on(StoryRead)
    def _story_read(self, message: StoryRead) -> None:
        if self.controllers.story.take(message):
            self.controllers.selection.join()
            self.controllers.panes.show_sentences()

    @on(StoryPage)
    def _story_page(self, message: StoryPage) -> None:
        self.controllers.story.take_page(message)

    @on(FacetsRead)
    def _facets_read(self, message: FacetsRead) -> None:
        self.controllers.story.take_facets(message)

    @on(ThreadFound)
    def _thread_found(self, message: ThreadFound) -> None:
        self.controllers.story.take_thread(message)

    @on(DayFound)
    def _day_found(self, message: DayFound) -> None:
        self.controllers.days.take_day(message)

    @on(DaysRead)
    def _days_read(self, message: DaysRead) -> None:
        self.controllers.days.take_days(message)

    @on(Decided)
    def _decided(self, message: Decided) -> None:
        self.controllers.decisions.decided(message)

    @on(RedactionDone)
    def _redaction_done(self, message: RedactionDone) -> None:
        self.controllers.redaction.done(message)

    # the index speaks
    @on(FromIndex)
    def _from_index(self, message: FromIndex) -> None:
        self.controllers.index.take(message.word)

    # lists and panes
    @on(Conflicts.Moved, "#queue")
    def _queue_moved(self) -> None:
        self.controllers.selection.follow()

    @on(Conflicts.Chosen, "#queue")
    def _queue_chosen(self) -> None:
        self.controllers.panes.show("detail")

    @on(Conflicts.Picked)
    def _picked(self) -> None:
        self.controllers.selection.picked()

    @on(Story.Moved, "#lines")
    def _story_moved(self) -> None:
        self.controllers.selection.story_moved()

    @on(Story.Chosen, "#lines")
    def _story_chosen(self) -> None:
        self.controllers.selection.read_line()

    @on(Story.PageWanted)
    def _page_wanted(self, message: Story.PageWanted) -> None:
        self.controllers.story.ask_page(message)

    @on(MemberCard.Picked)
    def _member_picked(self, message: MemberCard.Picked) -> None:
        self.controllers.selection.mark(message.number)
        if message.twice:
            self.controllers.notes.edit()

    @on(Choice.Picked, "#tab-choice")
    def _tab_picked(self, message: Choice.Picked) -> None:
        self.controllers.queue.go_to_tab(cast("Tab", message.name))

    @on(Choice.Picked, "#pane-choice")
    def _pane_picked(self, message: Choice.Picked) -> None:
        self.controllers.panes.show(cast("PaneName", message.name))

    def on_descendant_focus(self) -> None:
        # A click gives the focus too, and the keys of another pane come first in the footer then.
        if self.is_mounted:
            self.tell_keys()

    def on_resize(self) -> None:
        if self.is_mounted:
            self.call_after_refresh(self.controllers.selection.show_answers)

    # the line to type in and the line of days, which are loaded when they are wanted
    def on_prompt_typed(self) -> None:
        # Whoever types fast has given or dropped it by now.
        if (line := self.controllers.prompt.line) is not None:
            self.controllers.search.typed(line.purpose, line.value)

    async def on_prompt_given(self, message: Prompt.Given) -> None:
        match message.purpose:
            case "search" | "conflicts":
                self.controllers.search.typed(message.purpose, message.value)
                await self.controllers.prompt.close()
            case "day":
                await self.controllers.days.day_given(message.value)
            case "reason":
                await self.controllers.decisions.reason_given(message.value)

    async def on_prompt_dropped(self, message: Prompt.Dropped) -> None:
        await self.controllers.search.dropped(message.purpose)

    async def on_prompt_left(self) -> None:
        await self.controllers.prompt.leave()

    def on_scrubber_moved(self, message: Scrubber.Moved) -> None:
        self.controllers.days.scrubbed(message)
