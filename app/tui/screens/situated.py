"""Screens whose keys depend on what is shown: which are possible, and what the footer says."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual.screen import Screen

from app.tui.commands import Situation, for_action
from app.tui.widgets.keys import Keys

if TYPE_CHECKING:
    from app.tui.app import Workspace


class Situated(Screen[None]):
    """Asks each command whether it is possible in the situation at hand; a subclass says what that is."""

    @property
    def workspace(self) -> Workspace:
        return cast("Workspace", self.app)

    @property
    def situation(self) -> Situation:
        raise NotImplementedError

    def tell_keys(self) -> None:
        """What is possible may have changed: show the keys anew."""
        self.query_one(Keys).situation = self.situation

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if not self.is_mounted:
            return True
        command = for_action(action, parameters)
        return True if command is None else command.possible(self.situation)
