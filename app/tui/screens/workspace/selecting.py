"""What is selected: the conflict under the cursor, its place in the story, the tab and the pane."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, cast

from textual import on

from app.tui.answers import answers
from app.tui.commands import PANES, TABS, Pane, Tab
from app.tui.screens.workspace.asking import Asking
from app.tui.widgets.choice import Choice
from app.tui.widgets.conflicts import Conflicts
from app.tui.widgets.member import MemberCard
from app.tui.widgets.story import Story
from app.tui.widgets.words import Words

if TYPE_CHECKING:
    from textual.timer import Timer

FOLLOW_SECONDS = 0.15
"""A cursor that moves again within this time is on its way, and is followed when it has come to rest."""
FOLLOWS_IN = 0.1
"""How long following usually takes, from the question to the paint."""
MOST_RESTS = 4.0


class Selecting(Asking):
    """Detail and story follow the queue; the queue follows nobody."""

    _gone_to: str | None = None
    _follows_at: Timer | None = None
    _asked_at = 0.0
    _following_took = 0.0

    def select(self, *, again: bool = False) -> None:
        """Show the conflict under the queue's cursor; `again` reads it anew though it is the same."""
        row = self.queue.selected
        changed = (row.id if row else None) != self.selected_id
        self.selected_id = row.id if row else None
        if row is None:
            self.detail.view = None
        elif changed or again:
            self.ask_detail(row.id)
        if changed:
            self._asked_at = monotonic()
            self.why = ""
            self.join()
        self.show_states()

    def join(self) -> None:
        """Join the members in the story, and go there once for each conflict selected."""
        row = self.queue.selected
        here = row.id if row else None
        members, kind = (row.conflict.members, row.conflict.kind) if row else ((), "disagreement")
        if self.story.join(members, kind, go=here != self._gone_to):
            self._gone_to = here
        self.name_story()

    def show_answers(self) -> None:
        """Say what each key would do now."""
        if self.view is not None:
            picked = self.queue.decided if self.queue.picked else ()
            said = answers(
                self.view, self.tab, self.clock, self.workspace.keymap, picked, self.why, self._room
            )
            self.query_one("#answers", Words).put(said)

    @property
    def _room(self) -> int:
        """Cells for an answer; a pane that is not shown just now will have the whole width."""
        return (self.pane("detail").size.width or self.app.size.width - 2) - 4

    def on_resize(self) -> None:
        if self.is_mounted:
            self.call_after_refresh(self.show_answers)

    @on(Conflicts.Moved, "#queue")
    def _queue_moved(self) -> None:
        self.name_queue()
        before, self._moved_at = self._moved_at, monotonic()
        if self._follows_at is not None:
            self._follows_at.stop()
            self._follows_at = None
        # Where following takes long, the next key comes before it is done: then it waits for a longer rest.
        rest = FOLLOW_SECONDS * min(MOST_RESTS, max(1.0, self._following_took / FOLLOWS_IN))
        if self._moved_at - before < rest:
            # On the way through the queue nothing else is painted: detail and story come where it ends.
            self._follows_at = self.set_timer(rest, self.select)
        else:
            # The cursor is painted first; what follows it comes after.
            self.call_after_refresh(self.select)

    def followed(self) -> None:
        """The detail of the selected conflict has been painted."""
        if self._asked_at:
            self._following_took, self._asked_at = monotonic() - self._asked_at, 0.0

    @on(Conflicts.Chosen, "#queue")
    def _queue_chosen(self) -> None:
        self.show_pane("detail")

    @on(Conflicts.Picked)
    def _picked(self) -> None:
        self.name_queue()
        self.show_answers()
        self.tell_keys()

    def action_pick_all(self) -> None:
        queue = self.queue
        queue.pick([row.id for row in queue.rows], on=len(queue.picked) < queue.total)

    @on(Story.Moved, "#lines")
    def _story_moved(self) -> None:
        self._moved_at = monotonic()
        self.name_story()

    @on(Story.Chosen, "#lines")
    def _story_chosen(self) -> None:
        row = self.story.here
        if row is None or row.disputed is None:
            return
        places = [place.id for place in self.queue.rows]
        # What brought the person here is a line of the story; it stays where they see it.
        self._gone_to = row.disputed
        if row.disputed in places:
            self.queue.move_to(places.index(row.disputed))
        else:
            # Not in this list: it is open or, as disputed includes them, snoozed.
            self.go_to_tab("snoozed" if self.tab == "open" else "open", prefer=row.disputed)
        if self.has_class("-narrow"):
            self.show_pane("detail")

    # members
    @on(MemberCard.Picked)
    async def _member_picked(self, message: MemberCard.Picked) -> None:
        self._mark(message.number)
        if message.twice:
            await self.run_action("screen.edit")

    def action_next_member(self) -> None:
        self._mark(self.detail.marked + 1)

    def action_previous_member(self) -> None:
        self._mark(self.detail.marked - 1)

    def _mark(self, number: int) -> None:
        """Mark a member in the detail and go to its line in the story."""
        self.detail.mark(number)
        if (member := self.detail.marked_member) is not None:
            self.story.show_claim(member.claim.id)
            self.name_story()

    # tabs and panes
    def action_next_tab(self) -> None:
        self.go_to_tab(TABS[(TABS.index(self.tab) + 1) % len(TABS)])

    def action_previous_tab(self) -> None:
        self.go_to_tab(TABS[(TABS.index(self.tab) - 1) % len(TABS)])

    @on(Choice.Picked, "#tab-choice")
    def _tab_picked(self, message: Choice.Picked) -> None:
        self.go_to_tab(cast("Tab", message.name))

    def go_to_tab(self, tab: Tab, prefer: str | None = None) -> None:
        if tab != self.tab:
            self.tab = tab
            self.queue.picked.clear()
            self.query_one("#tab-choice", Choice).choose(tab)
            self.ask_queue(prefer)

    def show_pane(self, name: Pane) -> None:
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

    def _pane_after(self, step: int) -> Pane:
        return PANES[(PANES.index(self.pane_here) + step) % len(PANES)]

    @on(Choice.Picked, "#pane-choice")
    def _pane_picked(self, message: Choice.Picked) -> None:
        self.show_pane(cast("Pane", message.name))

    def on_descendant_focus(self) -> None:
        # A click gives the focus too, and the keys of another pane come first in the footer then.
        if self.is_mounted:
            self.tell_keys()
