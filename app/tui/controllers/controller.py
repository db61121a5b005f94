"""What every controller of the main screen has: the screen it acts on, and the state they share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from app.plain import shown
from app.tui.clock import Clock
from app.tui.commands import Tab

if TYPE_CHECKING:
    from app.store.rows import Counts
    from app.tui.app import Workspace
    from app.tui.screens.main import Main
    from app.tui.vault_session import VaultSession


@dataclass
class ScreenState:
    """What the main screen knows of vault, store and index; the controllers change it and read it."""

    vault: Path
    clock: Clock
    tab: Tab = "open"
    """The list of conflicts that is shown."""
    counts: Counts | None = None
    indexed: bool = False
    """The worker has read every note at least once."""
    reading: float | None = 0.0
    """How far the reading at hand is, from 0 to 1; None: nothing is being read, so nothing more will come."""
    failure: str | None = None
    """Why nothing can be shown."""
    opened: bool = False
    """The store is there."""
    writable: bool = False
    sought: str = ""
    """Only conflicts that say this are in the list."""
    why: str = ""
    """The person's own reason for the next decision."""


class Controller:
    """Acts on the screen; the screen hands it commands and messages."""

    def __init__(self, screen: Main, state: ScreenState) -> None:
        self.screen = screen
        self.state = state

    @property
    def workspace(self) -> Workspace:
        return self.screen.workspace

    @property
    def session(self) -> VaultSession:
        return self.workspace.session

    def notify(self, said: str, seconds: float) -> None:
        self.screen.notify(shown(said), timeout=seconds, markup=False)

    def warn(self, said: str) -> None:
        self.screen.notify(shown(said), severity="warning", markup=False)
