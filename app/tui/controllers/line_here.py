"""The line a command is about: the line of the story when that has the focus, else the marked member."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from app.tui.controllers.controller import Controller, ScreenState
from app.tui.controllers.pane_controller import PaneController

if TYPE_CHECKING:
    from app.tui.screens.main import Main


class NoteLine(NamedTuple):
    """Where a line stands, and what it says."""

    path: str
    line: int
    words: str


class LineHere(Controller):
    """Looked up anew at each command."""

    def __init__(self, screen: Main, state: ScreenState, panes: PaneController) -> None:
        super().__init__(screen, state)
        self._panes = panes

    @property
    def claim(self) -> str | None:
        member = self.screen.detail.marked_member
        row = self.screen.story.here if self._panes.here == "story" else None
        return row.id if row is not None else member.claim.id if member is not None else None

    @property
    def place(self) -> NoteLine | None:
        if self._panes.here == "story" and (row := self.screen.story.here) is not None:
            return NoteLine(row.path, row.line, row.text)
        member = self.screen.detail.marked_member
        if member is None or (self.screen.view is None and self.screen.detail.line is None):
            return None
        return NoteLine(member.claim.statement.path, member.around.line, member.around.words)
