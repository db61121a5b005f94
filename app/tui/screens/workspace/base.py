"""The state of the main screen, its parts, and what commands may depend on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from app.tui.clock import Clock
from app.tui.commands import PANES, Pane, Situation, Tab
from app.tui.screens.situated import Situated
from app.tui.screens.workspace.states import detail_state, queue_state, story_state
from app.tui.story_view import WHOLE
from app.tui.widgets.choice import Choice
from app.tui.widgets.conflicts import Conflicts
from app.tui.widgets.detail import Detail
from app.tui.widgets.pane import Pane as PaneBox
from app.tui.widgets.status import Status
from app.tui.widgets.story import Story

if TYPE_CHECKING:
    from app.store.rows import Counts
    from app.tui.app import Workspace
    from app.tui.decision_jobs import Step
    from app.tui.reading import DetailView


class Base(Situated):
    """Which tab, which conflict, which part of the story, and how far the index is."""

    def __init__(self, vault: Path, clock: Clock, models: str) -> None:
        super().__init__()
        self.vault = vault
        self.clock = clock
        self.models = models
        self.tab: Tab = "open"
        self.telling = WHOLE
        """What is asked for; what is shown follows when it has been read."""
        self.counts: Counts | None = None
        self.indexed = False
        self.failure: str | None = None
        self.opened = False
        self.writable = False
        self.story_read = False
        self.settling: set[str] = set()
        """Conflicts decided here whose decision is not in the store yet."""
        self.decided: list[tuple[Step, ...]] = []
        """What was decided here, the last thing last: what `u` takes back."""
        self.why = ""
        """The person's own reason for the next decision."""
        self.selected_id: str | None = None
        self.scrubbing = False
        """The line of days is there."""

    # what it is made of
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

    def pane(self, name: Pane) -> PaneBox:
        return self.query_one(f"#{name}", PaneBox)

    @property
    def pane_here(self) -> Pane:
        """The pane that has the focus; the one shown last when none has."""
        focused = self.focused
        for name in PANES:
            if focused is not None and self.pane(name) in focused.ancestors_with_self:
                return name
        return cast("Pane", self.query_one("#pane-choice", Choice).active)

    @property
    def view(self) -> DetailView | None:
        """What the detail shows, if it is the selected conflict."""
        row, view = self.queue.selected, self.detail.view
        return view if view is not None and row is not None and view.conflict.id == row.id else None

    # what commands depend on
    @property
    def situation(self) -> Situation:
        queue, view = self.queue, self.view
        rows = queue.decided
        suggested = view.suggestion if view is not None and not queue.picked else None
        return Situation(
            members=max((len(row.conflict.members) for row in rows), default=0),
            tab=self.tab,
            pane=self.pane_here,
            picked=len(queue.picked),
            newest=next((row.newest for row in rows if row.newest), None),
            most_trusted=next((row.most_trusted for row in rows if row.most_trusted), None),
            suggested=suggested.number if suggested else None,
            kept=view is not None and view.conflict.winner is not None,
            writable=self.writable,
            noted=bool(self.story.ids) if self.pane_here == "story" else view is not None,
            listed=queue.total > 0,
            told=self.story.total > 0,
            filtered=self.scrubbing or not self.telling.whole,
            typing=self.focused is not None and self.focused.id == "prompt",
            sliding=self.focused is not None and self.focused.id == "scrubber",
        )

    # words in borders and empty panes
    def show_states(self) -> None:
        words = queue_state(self.tab, self.queue.total, self.counts, self.indexed, self.failure)
        self.pane("conflicts").say(words.sentence, words.hint, trouble=words.trouble)
        shown_view = self.detail.view is not None and self.selected_id is not None
        words = detail_state(self.tab, shown_view, self.counts, self.indexed, self.failure)
        self.pane("detail").say(words.sentence, words.hint)
        words = story_state(self.story, self.story_read, self.indexed, self.failure)
        self.pane("story").say(words.sentence, words.hint, trouble=words.trouble)
        self.name_queue()
        self.name_story()
        self.tell_keys()

    def name_queue(self) -> None:
        queue = self.queue
        place = f"{queue.cursor + 1} of {queue.total:,}" if queue.total else ""
        picked = f"Conflicts · {len(queue.picked)} picked" if queue.picked else "Conflicts"
        self.pane("conflicts").name_as(picked, place)

    def name_story(self) -> None:
        story = self.story
        place = f"{story.cursor + 1:,} of {story.total:,}" if story.total else ""
        row = story.here
        told = f"{row.path}:{row.line}  ·  {place}" if row and place else place
        query = story.telling.query.strip()
        self.pane("story").name_as(f"Story · {query}" if query else "Story", told)
