"""The lists of conflicts: open, snoozed and settled; asking for one, showing it, picking from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.tui.commands import TABS, Tab
from app.tui.controllers.controller import Controller, ScreenState
from app.tui.reading_jobs import queue_job
from app.tui.widgets.choice import Choice

if TYPE_CHECKING:
    from collections.abc import Collection

    from app.tui.messages import QueueRead
    from app.tui.reading import QueueRow
    from app.tui.screens.main import Main


class QueueController(Controller):
    """Rows that were decided go at once; an answer that was asked for before that is not shown."""

    def __init__(self, screen: Main, state: ScreenState) -> None:
        super().__init__(screen, state)
        self._asked = 0
        self._not_before = 0
        self._rows: tuple[QueueRow, ...] = ()
        """All that were read, whatever is searched for."""
        self._leaving: set[str] = set()
        """Conflicts decided here whose decision is not in the store yet."""

    def ask(self, prefer: str | None = None) -> None:
        """Read the list again; `prefer` is selected then."""
        self._asked += 1
        job = queue_job(self.state.tab, self.state.clock.now(), self._asked, prefer)
        self.session.conflicts.ask(self.screen, job, name="queue")

    def take(self, message: QueueRead) -> bool:
        """Show what was read; says whether it was still wanted."""
        if message.tab != self.state.tab or message.asked < self._not_before:
            return False
        counts = message.counts
        self.state.failure = None
        self.state.counts = counts
        self._rows = tuple(row for row in message.rows if row.id not in self._leaving)
        if message.prefer is not None and not any(row.id == message.prefer for row in self._sought()):
            self._forget_search()
        self.screen.queue.take(self._sought(), message.prefer)
        self._choice.label(
            open=f"open {counts.open:,}",
            snoozed=f"snoozed {counts.snoozed:,}",
            settled=f"settled {counts.resolved + counts.dismissed:,}",
        )
        self.screen.status.open = counts.open
        return True

    @property
    def _choice(self) -> Choice:
        return self.screen.query_one("#tab-choice", Choice)

    # decided here
    def leave(self, ids: Collection[str]) -> None:
        """Take these out; the store will say the same in a moment."""
        self._leaving |= set(ids)
        self._rows = tuple(row for row in self._rows if row.id not in self._leaving)
        self.screen.queue.picked.clear()
        self.screen.queue.without(ids)

    def left(self, ids: Collection[str]) -> None:
        """The store has the decision, or refused it: what was asked before is out of date."""
        self._leaving.difference_update(ids)
        self._not_before = self._asked + 1

    # which list
    def go_to_tab(self, tab: Tab, prefer: str | None = None) -> None:
        if tab != self.state.tab:
            self.state.tab = tab
            self._forget_search()
            self.screen.queue.picked.clear()
            self._choice.choose(tab)
            self.ask(prefer)

    def show_conflict(self, tab: Tab, conflict_id: str) -> None:
        """Select a conflict, in whichever list it is."""
        if tab == self.state.tab:
            self.ask(prefer=conflict_id)
        else:
            self.go_to_tab(tab, prefer=conflict_id)

    def next_tab(self) -> None:
        self.go_to_tab(TABS[(TABS.index(self.state.tab) + 1) % len(TABS)])

    def previous_tab(self) -> None:
        self.go_to_tab(TABS[(TABS.index(self.state.tab) - 1) % len(TABS)])

    # searching
    def seek(self, words: str) -> None:
        """Show only the rows that say this."""
        self.state.sought = self.screen.queue.sought = words
        self.screen.queue.take(self._sought())
        self.screen.queue.refresh()

    def _forget_search(self) -> None:
        self.state.sought = self.screen.queue.sought = ""

    def _sought(self) -> tuple[QueueRow, ...]:
        words = self.state.sought.casefold()
        return tuple(row for row in self._rows if words in row.words) if words else self._rows

    # picking
    def pick_all(self) -> None:
        queue = self.screen.queue
        queue.pick([row.id for row in queue.rows], on=len(queue.picked) < queue.total)
