"""The words of a claim taken out of the record for good: what would go is shown, and a word asked for."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.tui.controllers.controller import Controller, ScreenState
from app.tui.controllers.line_here import LineHere
from app.tui.controllers.store_controller import StoreController
from app.tui.redaction_jobs import RedactionDone, RedactionRead, consider, redact

if TYPE_CHECKING:
    from app.tui.screens.main import Main


class RedactionController(Controller):
    """Asks the store what would go, then the person, then the store again."""

    def __init__(self, screen: Main, state: ScreenState, line: LineHere, store: StoreController) -> None:
        super().__init__(screen, state)
        self._line = line
        self._store = store

    def redact(self) -> None:
        if (claim := self._line.claim) is not None:
            self.session.decisions.ask(self.screen, consider(claim), name="redaction")

    def confirm(self, message: RedactionRead) -> None:
        from app.tui.screens.redact import Redact

        if message.claims:
            self.screen.app.push_screen(Redact(message.claims), partial(self._agreed, message.claim))
        else:
            self.warn("Its words are gone already.")

    def _agreed(self, claim: str, reason: str | None) -> None:
        if reason is not None:
            job = redact(self.state.vault, self.session.overrides, claim, reason)
            self.session.decisions.ask(self.screen, job)

    def done(self, message: RedactionDone) -> None:
        if message.trouble:
            self.warn(message.trouble)
            return
        self.notify(message.said, 10)
        self.session.look_again()
        self._store.reload()
