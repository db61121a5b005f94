"""The parts that run the main screen, each with one concern, and how they hang together.

A part gets the others it needs when it is made; commands name a part and what it is to do
(`screen.run('decisions.keep', 1)`), and the screen hands each message to the part it is for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.tui.controllers.controller import Facts
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
    """Every part of one screen, by the name that commands use."""

    def __init__(self, screen: Main, facts: Facts) -> None:
        self.panes = PaneController(screen, facts)
        self.prompt = PromptController(screen, facts, self.panes)
        self.queue = QueueController(screen, facts)
        self.selection = SelectionController(screen, facts, self.panes, self.queue)
        line = LineHere(screen, facts, self.panes)
        self.story = StoryController(screen, facts, self.panes, self.prompt, line)
        self.search = SearchController(
            screen, facts, self.panes, self.prompt, self.queue, self.selection, self.story
        )
        self.days = DayController(screen, facts, self.panes, self.prompt, self.story)
        self.store = StoreController(screen, facts, self.queue, self.selection, self.story)
        self.decisions = DecisionController(
            screen, facts, self.queue, self.selection, self.prompt, self.store
        )
        self.notes = NoteController(screen, facts, line)
        self.redaction = RedactionController(screen, facts, line, self.store)
        self.index = IndexController(screen, facts, self.panes, self.store)
