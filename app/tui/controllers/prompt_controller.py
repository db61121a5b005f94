"""The line to type in: one at a time, made when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from app.tui.commands import Pane
from app.tui.controllers.controller import Controller, ScreenState
from app.tui.controllers.pane_controller import PaneController

if TYPE_CHECKING:
    from app.tui.screens.main import Main
    from app.tui.widgets.prompt import Prompt, Purpose


_PANES: dict[Purpose, Pane] = {
    "conflicts": "conflicts",
    "search": "story",
    "day": "story",
    "reason": "detail",
}


class PromptController(Controller):
    """It stands in the pane it is about."""

    def __init__(self, screen: Main, state: ScreenState, panes: PaneController) -> None:
        super().__init__(screen, state)
        self._panes = panes
        self._came_from: Pane = "conflicts"

    @property
    def line(self) -> Prompt | None:
        return cast("Prompt | None", next(iter(self.screen.query("#prompt")), None))

    async def ask(self, purpose: Purpose, value: str = "") -> None:
        from app.tui.widgets.completion import Completion
        from app.tui.widgets.prompt import Prompt

        await self.close()
        self._came_from = self._panes.here
        prompt = Prompt(purpose, value, suggester=Completion() if purpose == "search" else None)
        pane = _PANES[purpose]
        self._panes.show(pane)
        await self._panes.box(pane).ask(prompt)
        self.screen.set_focus(prompt)

    async def leave(self) -> None:
        """Take the line away where the person went elsewhere; a search stays as it was typed."""
        if (prompt := self.line) is not None and prompt is not self.screen.focused:
            await prompt.remove()
            self.screen.tell_keys()

    async def close(self) -> None:
        if (prompt := self.line) is not None:
            # A reason is given in passing; who searches wants to be in what was found.
            back = self._came_from if prompt.purpose == "reason" else _PANES[prompt.purpose]
            await prompt.remove()
            self._panes.show(back)
