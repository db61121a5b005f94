"""Searching: in the list that has the focus, the conflicts or the story; and the way back out of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.tui.controllers.controller import Controller, ScreenState
from app.tui.controllers.pane_controller import PaneController
from app.tui.controllers.prompt_controller import PromptController
from app.tui.controllers.queue_controller import QueueController
from app.tui.controllers.selection_controller import SelectionController
from app.tui.controllers.story_controller import StoryController

if TYPE_CHECKING:
    from app.tui.screens.main import Main
    from app.tui.widgets.prompt import Purpose


class SearchController(Controller):
    """What is typed narrows the list at once; Enter keeps it so, Esc shows everything again."""

    def __init__(
        self, screen: Main, state: ScreenState, panes: PaneController, prompt: PromptController,
        queue: QueueController, selection: SelectionController, story: StoryController,
    ) -> None:  # fmt: skip
        super().__init__(screen, state)
        self._panes = panes
        self._prompt = prompt
        self._queue = queue
        self._selection = selection
        self._story = story

    async def begin(self) -> None:
        if self._panes.here == "conflicts":
            await self._prompt.ask("conflicts", self.state.sought)
        else:
            await self._story.search()

    def typed(self, purpose: Purpose, words: str) -> None:
        if purpose == "search":
            self._story.search_typed(words)
        elif purpose == "conflicts":
            self.seek(words)

    async def dropped(self, purpose: Purpose) -> None:
        if purpose == "search":
            await self._story.search_dropped()
            return
        await self._prompt.close()
        if purpose == "conflicts":
            self.seek("")

    def seek(self, words: str) -> None:
        """Show only the conflicts that say this; an empty word shows all."""
        if words.strip() != self.state.sought:
            self._queue.seek(words.strip())
            self._selection.select()
