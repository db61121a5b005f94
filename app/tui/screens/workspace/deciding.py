"""The answers: act on the selected conflict, or on all that are picked, whichever pane has the focus."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from app.plain import shown
from app.tui import decision_jobs
from app.tui.answers import core
from app.tui.clock import until_words
from app.tui.commands.settling import BOTH_TRUE, NOT_A_CONFLICT, SNOOZE_DAYS
from app.tui.decision_jobs import Act
from app.tui.screens.workspace.redacting import RedactionKeys

if TYPE_CHECKING:
    from app.tui.reading import QueueRow


class DecisionKeys(RedactionKeys):
    """The rows go at once and the next conflict is there; the store follows."""

    def action_keep(self, number: int) -> None:
        self._keep(lambda _: number, f"Kept number {number} of each.")

    def action_newest(self) -> None:
        self._keep(lambda row: row.newest, "Kept the newest of each.", why="the newest", how="newest")

    def action_most_trusted(self) -> None:
        self._keep(lambda row: row.most_trusted, "Kept the most trusted of each.", why="the most trusted",
                   how="trusted")  # fmt: skip

    def action_accept(self) -> None:
        view = self.view
        if view is not None and (suggested := view.suggestion) is not None:
            self._keep(lambda _: suggested.number, "", why=f"suggested: {suggested.why}", how="suggested")

    def _keep(
        self, choose: Callable[[QueueRow], int | None], said: str, *, why: str = "", how: str = ""
    ) -> None:
        """Keep a member of each; conflicts without such a member stay as they are."""
        acts = []
        for row in self.queue.decided:
            number = choose(row)
            if number is not None and number <= len(row.conflict.members):
                acts.append(
                    decision_jobs.keep(row.id, row.conflict.members[number - 1], self.why or why, how)
                )
                if not self.queue.picked:
                    said = f"Kept {self._told(row, number)}."
        self._decide(acts, said)

    def _told(self, row: QueueRow, number: int) -> str:
        view = self.view
        return core(view.members[number - 1]) if view is not None else f"member {number}"

    def action_both_true(self) -> None:
        self._decide(
            self._each(lambda id: decision_jobs.dismiss(id, self.why or BOTH_TRUE)), "Settled: both true."
        )

    def action_not_a_conflict(self) -> None:
        acts = self._each(lambda id: decision_jobs.dismiss(id, self.why or NOT_A_CONFLICT))
        self._decide(acts, "Settled: not a conflict.")

    def action_snooze(self) -> None:
        self._snooze(self.clock.in_days(SNOOZE_DAYS))

    def action_snooze_until(self) -> None:
        from app.tui.screens.snooze import Snooze

        def chosen(until: str | None) -> None:
            if until is not None:
                self._snooze(until)

        self.app.push_screen(Snooze(self.clock.today()), chosen)

    def _snooze(self, until: str) -> None:
        acts = self._each(lambda id: decision_jobs.snooze(id, until, self.why))
        self._decide(acts, f"Put off {until_words(until)}.")

    def action_reopen(self) -> None:
        acts = self._each(lambda id: decision_jobs.reopen(id, self.why))
        self._decide(acts, "Back in the queue.", reopened=True)

    def _each(self, make: Callable[[str], Act]) -> list[Act]:
        return [make(row.id) for row in self.queue.decided]

    def _decide(self, acts: list[Act], said: str, *, reopened: bool = False) -> None:
        """Take the conflicts out of the list, show the next one, and send the decision."""
        if not acts:
            return
        ids = {act.conflict_id for act in acts}
        self.settling |= ids
        self.workspace.decisions.ask(self, decision_jobs.decide(acts, said, reopened=reopened))
        self.queue.picked.clear()
        self.queue.without(ids)
        self.select()

    def action_undo(self) -> None:
        last = self.decided.pop() if self.decided else ()
        job = decision_jobs.undo(self.clock.now(), last, self.vault, self.workspace.backups)
        self.workspace.decisions.ask(self, job)

    # a reason of one's own
    async def action_reason(self) -> None:
        await self.ask("reason", self.why)

    async def reason_given(self, typed: str) -> None:
        self.why = typed.strip()
        await self.close_prompt()
        self.show_answers()
        if self.why and self.has_class("-narrow"):
            # Beside the other panes the answers show it; here they may be out of sight.
            self.notify(f"With your next decision: {shown(self.why)}", timeout=4, markup=False)

    # into the notes
    def action_write_back(self) -> None:
        from app.tui.screens.write_back import WriteBack

        view, member = self.view, self.detail.marked_member
        if view is None or member is None:
            return
        winner = view.conflict.winner or member.claim.id
        self.app.push_screen(WriteBack(self.workspace, view, winner, self.why), self.written)

    def written(self, answer: object) -> None:
        """Called when the write-back screen closes; the layer that hears knows what to do with it."""
        raise NotImplementedError
