"""What the decision keys do: act on the selected conflict, whichever pane has the focus."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from textual.app import SuspendNotSupported

from app.plain import shown
from app.tui import deciding, editor
from app.tui.answers import core
from app.tui.clock import day_in_words
from app.tui.commands import BOTH_TRUE, NOT_A_CONFLICT, SNOOZE_DAYS
from app.tui.hand import Job

if TYPE_CHECKING:
    from app.tui.screens.main import Main


class DecisionKeys:
    """The part of the main screen that decides; the row goes at once, the store follows."""

    def action_keep(self, number: int) -> None:
        self._keep(number, "")

    def action_newest(self) -> None:
        self._keep(_main(self).situation.newest, "the newest")

    def action_most_trusted(self) -> None:
        self._keep(_main(self).situation.most_trusted, "the most trusted")

    def _keep(self, number: int | None, why: str) -> None:
        main = _main(self)
        row, view = main.queue.selected, main.detail.view
        if row is None or number is None or number > len(row.conflict.members):
            return
        told = f"member {number}"
        if view is not None and view.conflict.id == row.id:
            told = core(view.members[number - 1])
        self._decide(row.id, deciding.keep(row.id, row.conflict.members[number - 1], told, why))

    def action_both_true(self) -> None:
        self._dismiss(BOTH_TRUE)

    def action_not_a_conflict(self) -> None:
        self._dismiss(NOT_A_CONFLICT)

    def _dismiss(self, why: str) -> None:
        row = _main(self).queue.selected
        if row is not None:
            self._decide(row.id, deciding.dismiss(row.id, why))

    def action_snooze(self) -> None:
        main = _main(self)
        row = main.queue.selected
        if row is not None:
            until = main.clock.in_days(SNOOZE_DAYS)
            self._decide(row.id, deciding.snooze(row.id, until, day_in_words(until)))

    def action_reopen(self) -> None:
        row = _main(self).queue.selected
        if row is not None:
            self._decide(row.id, deciding.reopen(row.id))

    def action_undo(self) -> None:
        main = _main(self)
        main.workspace.decisions.ask(main, deciding.undo(main.clock.now()))

    def _decide(self, conflict_id: str, job: Job) -> None:
        """Take the conflict out of the list, show the next one, and send the decision."""
        main = _main(self)
        main.settling.add(conflict_id)
        main.workspace.decisions.ask(main, job)
        main.queue.without(conflict_id)
        main.select()

    # the note itself
    def action_next_member(self) -> None:
        detail = _main(self).detail
        detail.mark(detail.marked + 1)

    def action_previous_member(self) -> None:
        detail = _main(self).detail
        detail.mark(detail.marked - 1)

    def action_edit(self) -> None:
        main = _main(self)
        place = self._place_to_edit()
        if place is None:
            return
        try:
            found = editor.choose(*place, configured=main.workspace.editor)
            code = editor.run(found, main.app.suspend())
        except (editor.NoEditor, OSError) as error:
            main.notify(shown(str(error)), severity="warning", markup=False)
        except SuspendNotSupported:
            main.notify("This terminal cannot be lent to an editor.", severity="warning", markup=False)
        else:
            if code:
                main.notify(f"The editor ended with code {code}.", severity="warning", markup=False)

    def _place_to_edit(self) -> tuple[Path, int] | None:
        """The file and line to open: the story's when it has the focus, else the marked member's."""
        main = _main(self)
        view = main.detail.view
        if main.pane_here == "story" and (row := main.story.here) is not None:
            return main.vault / row.path, row.line
        if view is None:
            return None
        member = view.members[main.detail.marked - 1]
        return main.vault / member.claim.statement.path, member.around.line

    def action_rescan(self) -> None:
        main = _main(self)
        main.failure = None
        main.workspace.look_again()
        main.reload()
        main.notify("Looking at every note again.", timeout=3, markup=False)


def _main(screen: object) -> Main:
    return cast("Main", screen)
