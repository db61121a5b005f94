"""The words of a claim taken out of the record for good: what would go is shown, and a word asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.tui.controllers.controller import Controller, ScreenState
from app.tui.controllers.line_here import LineHere
from app.tui.controllers.store_controller import StoreController
from app.tui.redaction_jobs import RedactionDone, consider, redact

if TYPE_CHECKING:
    from app.tui.screens.main import Main


class RedactionController(Controller):
    """Asks the person, to whom the store meanwhile says what would go, and then the store to do it."""

    def __init__(self, screen: Main, state: ScreenState, line: LineHere, store: StoreController) -> None:
        super().__init__(screen, state)
        self._line = line
        self._store = store

    def redact(self) -> None:
        from app.tui.screens.redact import Redact

        claim = self._line.claim
        if claim is None:
            return

        def agreed(reason: str | None) -> None:
            if reason is not None:
                job = redact(self.state.vault, self.session.overrides, claim, reason)
                self.session.decisions.ask(self.screen, job)

        # At once: until the store has answered, what is typed as the reason would decide about the conflict.
        dialog = Redact()
        self.screen.app.push_screen(dialog, agreed)
        self.session.decisions.ask(dialog, consider(claim), name="redaction")

    def done(self, message: RedactionDone) -> None:
        if message.trouble:
            self.warn(message.trouble)
            return
        self.notify(message.said, 10)
        self.session.look_again()
        self._store.reload()
