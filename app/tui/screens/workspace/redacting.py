"""The words of a claim taken out of the record for good: what would go is shown, and a word asked for."""

from __future__ import annotations

from functools import partial

from textual import on

from app.plain import shown
from app.tui.redaction_jobs import RedactionDone, RedactionRead, consider, redact
from app.tui.screens.workspace.noting import NoteKeys


class RedactionKeys(NoteKeys):
    """About the line of the story when that has the focus, else about the marked member."""

    def action_redact(self) -> None:
        if (claim := self.claim_here) is not None:
            self.workspace.decisions.ask(self, consider(claim), name="redaction")

    @on(RedactionRead)
    def _redaction_read(self, message: RedactionRead) -> None:
        from app.tui.screens.redact import Redact

        if message.claims:
            self.app.push_screen(Redact(message.claims), partial(self._agreed, message.claim))
        else:
            self._warn("Its words are gone already.")

    def _agreed(self, claim: str, reason: str | None) -> None:
        if reason is not None:
            job = redact(self.vault, self.workspace.overrides, claim, reason)
            self.workspace.decisions.ask(self, job)

    @on(RedactionDone)
    def _redaction_done(self, message: RedactionDone) -> None:
        if message.trouble:
            self._warn(message.trouble)
            return
        self.notify(shown(message.said), timeout=10, markup=False)
        self.workspace.look_again()
        self.reload()
