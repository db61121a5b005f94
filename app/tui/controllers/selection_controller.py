"""What is selected: the conflict under the cursor, which detail and story follow, and the marked member."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from textual.content import Content

from app.tui.answers import answers
from app.tui.commands import Tab, first_key
from app.tui.controllers.controller import Controller, ScreenState
from app.tui.controllers.pane_controller import PaneController
from app.tui.controllers.queue_controller import QueueController
from app.tui.reading_jobs import detail_job, line_job
from app.tui.widgets.words import Words

if TYPE_CHECKING:
    from textual.timer import Timer

    from app.tui.messages import DetailRead, LineRead
    from app.tui.reading import DetailView
    from app.tui.screens.main import Main

FOLLOW_SECONDS = 0.15
"""A cursor that moves again within this time is on its way, and is followed when it has come to rest."""
FOLLOWS_IN = 0.1
"""How long following usually takes, from the question to the paint."""
MOST_RESTS = 4.0


class SelectionController(Controller):
    """Detail and story follow the queue; the queue follows nobody."""

    def __init__(
        self, screen: Main, state: ScreenState, panes: PaneController, queue: QueueController
    ) -> None:
        super().__init__(screen, state)
        self._panes = panes
        self._queue = queue
        self._selected: str | None = None
        self._gone_to: str | None = None
        """The conflict whose lines the story went to."""
        self._sought_member: str | None = None
        """The claim to mark when the detail of its conflict comes."""
        self._follows_at: Timer | None = None
        self._asked_at = 0.0
        self._following_took = 0.0
        self.moved_at = 0.0
        """When the cursor of a list was moved last."""

    def select(self, *, again: bool = False) -> None:
        """Show the conflict under the queue's cursor; `again` reads it anew though it is the same."""
        row = self.screen.queue.selected
        changed = (row.id if row else None) != self._selected
        self._selected = row.id if row else None
        if row is None:
            self.screen.detail.view = None
        elif changed or again:
            job = detail_job(self.state.vault, row.id, self.session.rules)
            self.session.conflicts.ask(self.screen, job, name="detail")
        if changed:
            self.screen.detail.line = None
            self._asked_at = monotonic()
            self.state.why = ""
            self.join()
        self._panes.show_sentences()

    def join(self) -> None:
        """Join the members in the story, and go there once for each conflict selected."""
        row, story = self.screen.queue.selected, self.screen.story
        here = row.id if row else None
        members, kind = (row.conflict.members, row.conflict.kind) if row else ((), "disagreement")
        if story.join(members, kind, go=here != self._gone_to):
            self._gone_to = here
        self._panes.name_story()

    # the detail
    def take_detail(self, message: DetailRead) -> None:
        reading = self.screen.detail.line is not None
        if message.conflict_id == self._selected and message.view is not None and not reading:
            self.screen.detail.show(message.view)
            self._mark_sought(message.view)
            self.show_answers()
            self._panes.show_sentences()
            self.screen.call_after_refresh(self._followed)

    def _mark_sought(self, view: DetailView) -> None:
        sought, self._sought_member = self._sought_member, None
        number = next((m.number for m in view.members if m.claim.id == sought), None)
        if number is not None:
            self.screen.detail.mark(number, into_view=True)

    def show_answers(self) -> None:
        """Say what each key would do now."""
        view, queue, state = self.screen.view, self.screen.queue, self.state
        if view is not None:
            picked = queue.targets if queue.picked else ()
            said = answers(view, state.tab, self.workspace.keymap, picked, state.why, self._room)
            self.screen.query_one("#answers", Words).put(said)

    @property
    def _room(self) -> int:
        """Cells for an answer; a pane that is not shown just now will have the whole width."""
        return (self._panes.box("detail").size.width or self.screen.app.size.width - 2) - 4

    # a line of the story in the place of the conflict
    def read_line(self) -> None:
        """The line under the story's cursor: its conflict if it is in one, else the line itself."""
        row = self.screen.story.here
        if row is not None and row.disputed is not None:
            self.show_disputed()
        elif row is not None:
            job = line_job(self.state.vault, row.id)
            self.session.story.ask(self.screen, job, name="line")

    def take_line(self, message: LineRead) -> None:
        if message.line is None:
            return
        self.screen.detail.show_line(message.line)
        self.screen.query_one("#answers", Words).put(Content.styled(self._way_back, "$muted"))
        self._panes.show_sentences()
        if self.screen.has_class("-narrow") and not self._panes.typing:
            self._panes.show("detail")

    @property
    def _way_back(self) -> str:
        key = first_key("view.clear", self.workspace.keymap)
        return f"{key} goes back to the conflict." if self._selected else f"{key} closes it."

    def end_reading(self) -> None:
        """Show the selected conflict again."""
        self.screen.detail.line = None
        self.select(again=True)

    # following the cursor
    def follow(self) -> None:
        """The cursor of the queue was moved."""
        self._panes.name_queue()
        before, self.moved_at = self.moved_at, monotonic()
        if self._follows_at is not None:
            self._follows_at.stop()
            self._follows_at = None
        # Where following takes long, the next key comes before it is done: then it waits for a longer rest.
        rest = FOLLOW_SECONDS * min(MOST_RESTS, max(1.0, self._following_took / FOLLOWS_IN))
        if self.moved_at - before < rest:
            # On the way through the queue nothing else is painted: detail and story come where it ends.
            self._follows_at = self.screen.set_timer(rest, self.select)
        else:
            # The cursor is painted first; what follows it comes after.
            self.screen.call_after_refresh(self.select)

    def _followed(self) -> None:
        """The detail of the selected conflict has been painted."""
        if self._asked_at:
            self._following_took, self._asked_at = monotonic() - self._asked_at, 0.0

    def picked(self) -> None:
        """Other conflicts are picked than before."""
        self._panes.name_queue()
        self.show_answers()
        self.screen.tell_keys()

    def story_moved(self) -> None:
        self.moved_at = monotonic()
        self._panes.name_story()

    def show_disputed(self) -> None:
        """The conflict of the story's line, if it is in one."""
        row = self.screen.story.here
        if row is None or row.disputed is None:
            return
        places = [place.id for place in self.screen.queue.rows]
        # What brought the person here is a line of the story; it stays where they see it.
        self._gone_to, self._sought_member = row.disputed, row.id
        if row.disputed == self._selected:
            self.end_reading()
        elif row.disputed in places:
            self.screen.queue.move_to(places.index(row.disputed))
        else:
            # Not in this list: it is open or, as disputed includes them, snoozed.
            tab: Tab = "snoozed" if self.state.tab == "open" else "open"
            self._queue.go_to_tab(tab, prefer=row.disputed)
        if self.screen.has_class("-narrow"):
            self._panes.show("detail")

    # members
    def next_member(self) -> None:
        self.mark(self.screen.detail.marked + 1)

    def previous_member(self) -> None:
        self.mark(self.screen.detail.marked - 1)

    def mark(self, number: int) -> None:
        """Mark a member in the detail and go to its line in the story."""
        self.screen.detail.mark(number)
        if (member := self.screen.detail.marked_member) is not None:
            self.screen.story.show_claim(member.claim.id)
            self._panes.name_story()
