"""The notes themselves: opening one at its line, copying what it says, a link to it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from app.tui.controllers.controller import Controller, ScreenState
from app.tui.controllers.line_here import LineHere

if TYPE_CHECKING:
    from app.tui.screens.main import Main


class NoteController(Controller):
    """What runs other programs is loaded when one is wanted."""

    def __init__(self, screen: Main, state: ScreenState, line: LineHere) -> None:
        super().__init__(screen, state)
        self._line = line

    def edit(self) -> None:
        from app.tui.editor_session import open_note

        if (here := self._line.place) is not None:
            trouble = open_note(self.workspace, self.state.vault / here.path, here.line)
            if trouble:
                self.warn(trouble)

    def copy(self) -> None:
        if (here := self._line.place) is not None:
            self._copy(here.words, "Copied.")

    def copy_link(self) -> None:
        from app.tui import links

        here, vault = self._line.place, self.state.vault
        if here is None:
            return
        if links.is_obsidian(vault):
            self._copy(links.obsidian(vault, here.path), "Copied the obsidian:// link.")
        else:
            self._copy(f"{here.path}:{here.line}", "Copied the path and line.")

    def _copy(self, text: str, said: str) -> None:
        from app.tui import clipboard

        # The terminal takes it where it can (also over ssh); a program of the desktop where there is one.
        self.screen.app.copy_to_clipboard(text)
        clipboard.hand_over(text)
        self.notify(said, 2)

    def obsidian(self) -> None:
        here = self._line.place
        if here is not None:
            self.notify(f"Asking the desktop to open {here.path} …", 2)
            hand_over = partial(self._hand_over, self.state.vault, here.path)
            self.screen.run_worker(hand_over, name="obsidian", thread=True, exit_on_error=False)

    def _hand_over(self, vault: Path, path: str) -> None:
        """Runs in a thread of its own: what became of it is known when the opener has ended."""
        from app.tui import links

        tell = self.screen.app.call_from_thread
        try:
            taken = links.open_link(links.obsidian(vault, path))
        except links.NoOpener as error:
            tell(self.warn, str(error))
        else:
            said = "took the link" if taken else "is still opening the link"
            tell(self.notify, f"The desktop {said}; Obsidian shows the note if it knows this vault.", 5)
