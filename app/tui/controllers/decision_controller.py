"""Decisions on the selected conflict, or on all that are picked, whichever pane has the focus."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from app.tui import decision_jobs
from app.tui.answers import core
from app.tui.clock import until_words
from app.tui.commands import first_key
from app.tui.commands.settling import BOTH_TRUE, NOT_A_CONFLICT, SNOOZE_DAYS
from app.tui.controllers.controller import Controller, ScreenState
from app.tui.controllers.prompt_controller import PromptController
from app.tui.controllers.queue_controller import QueueController
from app.tui.controllers.selection_controller import SelectionController
from app.tui.controllers.store_controller import StoreController
from app.tui.decision_jobs import Act, Step
from app.tui.messages import Decided, Written

if TYPE_CHECKING:
    from app.tui.reading import QueueRow
    from app.tui.screens.main import Main


class DecisionController(Controller):
    """Updates the queue immediately and writes to the store in the background."""

    def __init__(
        self, screen: Main, state: ScreenState, queue: QueueController, selection: SelectionController,
        prompt: PromptController, store: StoreController,
    ) -> None:  # fmt: skip
        super().__init__(screen, state)
        self._queue = queue
        self._selection = selection
        self._prompt = prompt
        self._store = store
        self._steps: list[tuple[Step, ...]] = []
        """What was decided here, in order: `u` undoes the last."""

    # keeping a member
    def keep(self, number: int) -> None:
        self._keep(lambda _: number, f"Kept number {number} of each.")

    def newest(self) -> None:
        self._keep(lambda row: row.newest, "Kept the newest of each.", why="the newest", how="newest")

    def most_trusted(self) -> None:
        self._keep(lambda row: row.most_trusted, "Kept the most trusted of each.", why="the most trusted",
                   how="trusted")  # fmt: skip

    def accept(self) -> None:
        view = self.screen.view
        if view is not None and (suggested := view.suggestion) is not None:
            self._keep(
                lambda _: suggested.number,
                "",
                why=f"suggested: {suggested.why}",
                how="suggested",
                reason=f", as suggested: {suggested.why}",
            )

    def _keep(
        self, choose: Callable[[QueueRow], int | None], said: str, *, why: str = "", how: str = "",
        reason: str = "",
    ) -> None:  # fmt: skip
        """Keep a member of each conflict; those without such a member stay as they are. `reason` completes
        the notice if the person did not choose the member by number."""
        acts, queue = [], self.screen.queue
        for row in queue.targets:
            number = choose(row)
            if number is not None and number <= len(row.conflict.members):
                member = row.conflict.members[number - 1]
                acts.append(decision_jobs.keep(row.id, member, self.state.why or why, how))
                if not queue.picked:
                    said = f"Kept {self._told(number)}{reason}."
        self._decide(acts, said)

    def _told(self, number: int) -> str:
        view = self.screen.view
        return core(view.members[number - 1]) if view is not None else f"number {number}"

    # the other answers
    def both_true(self) -> None:
        acts = self._each(lambda id: decision_jobs.dismiss(id, self.state.why or BOTH_TRUE))
        self._decide(acts, "Settled: both true.")

    def not_a_conflict(self) -> None:
        acts = self._each(lambda id: decision_jobs.dismiss(id, self.state.why or NOT_A_CONFLICT))
        self._decide(acts, "Settled: not a conflict.")

    def snooze(self) -> None:
        self._snooze(self.state.clock.in_days(SNOOZE_DAYS))

    def snooze_until(self) -> None:
        from app.tui.screens.snooze import Snooze

        def chosen(until: str | None) -> None:
            if until is not None:
                self._snooze(until)

        self.screen.app.push_screen(Snooze(self.state.clock.today()), chosen)

    def _snooze(self, until: str) -> None:
        acts = self._each(lambda id: decision_jobs.snooze(id, until, self.state.why))
        self._decide(acts, f"Snoozed {until_words(until)}.")

    def reopen(self) -> None:
        acts = self._each(lambda id: decision_jobs.reopen(id, self.state.why))
        self._decide(acts, "Back in the queue.", reopened=True)

    def _each(self, make: Callable[[str], Act]) -> list[Act]:
        return [make(row.id) for row in self.screen.queue.targets]

    def _decide(self, acts: list[Act], said: str, *, reopened: bool = False) -> None:
        """Hand the decision to the store thread, take the conflicts out of the queue, and show the next
        one."""
        if acts:
            job = decision_jobs.decide(acts, said, reopened=reopened)
            self.session.decisions.ask(self.screen, job)
            self._queue.leave({act.conflict_id for act in acts})
            self._selection.select()

    # what became of it
    def decided(self, message: Decided) -> None:
        self._queue.left(message.conflict_ids)
        self.screen.app.clear_notifications()
        if message.steps:
            self._steps.append(message.steps)
        if message.said:
            key = first_key("conflict.undo", self.workspace.keymap)
            self.notify(message.said + (f" Press {key} to undo." if message.steps else ""), 6)
        if message.trouble:
            self.warn(message.trouble)
        if message.reopened:
            self._queue.go_to_tab("open", prefer=message.prefer)
        self._store.reload(prefer=message.prefer)

    def undo(self) -> None:
        last = self._steps.pop() if self._steps else ()
        job = decision_jobs.undo(self.state.clock.now(), last, self.state.vault, self.workspace.backups)
        self.session.decisions.ask(self.screen, job)

    def taken_back(self, seq: int) -> None:
        """A decision was undone elsewhere, so `u` must not undo it again."""
        kept = (tuple(step for step in steps if step.seq != seq) for steps in self._steps)
        self._steps = [steps for steps in kept if steps]
        self._store.reload()

    # a reason of one's own
    async def reason(self) -> None:
        await self._prompt.ask("reason", self.state.why)

    async def reason_given(self, typed: str) -> None:
        why = self.state.why = typed.strip()
        await self._prompt.close()
        self._selection.show_answers()
        if why and self.screen.has_class("-narrow"):
            # In a wide window the answers show the reason; in a narrow one they may be hidden.
            self.notify(f"With your next decision: {why}", 4)

    # into the notes
    def write_back(self) -> None:
        from app.tui.screens.write_back import WriteBack

        view, member = self.screen.view, self.screen.detail.marked_member
        if view is None or member is None:
            return
        winner = view.conflict.winner or member.claim.id
        dialog = WriteBack(self.workspace, view, winner, self.state.why)
        self.screen.app.push_screen(dialog, self._written)

    def _written(self, answer: object) -> None:
        if isinstance(answer, Written):
            self.decided(Decided((), answer.said, answer.steps, trouble=answer.trouble))
            self.session.look_again()
