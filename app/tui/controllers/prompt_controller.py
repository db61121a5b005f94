"""The line to type in: one at a time, made when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from app.tui.commands import Pane
from app.tui.controllers.controller import Controller, Facts
from app.tui.controllers.pane_controller import PaneController

if TYPE_CHECKING:
    from app.tui.screens.main import Main
    from app.tui.widgets.prompt import Prompt, Purpose


class PromptController(Controller):
    """A search and a day are asked for above the story, a reason above the detail."""

    def __init__(self, screen: Main, facts: Facts, panes: PaneController) -> None:
        super().__init__(screen, facts)
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
        pane: Pane = "detail" if purpose == "reason" else "story"
        self._panes.show(pane)
        await self._panes.box(pane).ask(prompt)
        prompt.focus()

    async def close(self) -> None:
        if (prompt := self.line) is not None:
            # A reason is given in passing; who asks for a part of the story wants to be there.
            back: Pane = self._came_from if prompt.purpose == "reason" else "story"
            await prompt.remove()
            self._panes.show(back)
