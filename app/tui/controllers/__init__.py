"""The controllers of the main screen, each with one concern, and how they are connected.

A controller is given the others it needs when it is made. Commands name a controller and one of its methods
(`screen.run('decisions.keep', 1)`), and the screen hands each message to the controller it is for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.tui.controllers.controller import ScreenState
from app.tui.controllers.day_controller import DayController
from app.tui.controllers.decision_controller import DecisionController
from app.tui.controllers.index_controller import IndexController
from app.tui.controllers.line_here import LineHere
from app.tui.controllers.note_controller import NoteController
from app.tui.controllers.pane_controller import PaneController
from app.tui.controllers.prompt_controller import PromptController
from app.tui.controllers.queue_controller import QueueController
from app.tui.controllers.redaction_controller import RedactionController
from app.tui.controllers.search_controller import SearchController
from app.tui.controllers.selection_controller import SelectionController
from app.tui.controllers.store_controller import StoreController
from app.tui.controllers.story_controller import StoryController

if TYPE_CHECKING:
    from app.tui.screens.main import Main


class Controllers:
    """Every controller of one screen, by the name that commands use."""

    def __init__(self, screen: Main, state: ScreenState) -> None:
        self.panes = PaneController(screen, state)
        self.prompt = PromptController(screen, state, self.panes)
        self.queue = QueueController(screen, state)
        self.selection = SelectionController(screen, state, self.panes, self.queue)
        line = LineHere(screen, state, self.panes)
        self.story = StoryController(screen, state, self.panes, self.prompt, line)
        self.search = SearchController(
            screen, state, self.panes, self.prompt, self.queue, self.selection, self.story
        )
        self.days = DayController(screen, state, self.panes, self.prompt, self.story)
        self.store = StoreController(screen, state, self.queue, self.selection, self.story)
        self.decisions = DecisionController(
            screen, state, self.queue, self.selection, self.prompt, self.store
        )
        self.notes = NoteController(screen, state, line)
        self.redaction = RedactionController(screen, state, line, self.store)
        self.index = IndexController(screen, state, self.panes, self.store)
