"""The notes themselves: opening one at its line, copying what it says, a link to it, reading all again."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from textual.app import SuspendNotSupported

from app.plain import shown
from app.tui.screens.workspace.telling import StoryKeys

if TYPE_CHECKING:
    from app.pipeline.reading_schedule import Wish


class Here(NamedTuple):
    """The line a command is about."""

    path: str
    line: int
    words: str


class NoteKeys(StoryKeys):
    """Acts on the line of the story when that has the focus, else on the marked member. What runs other
    programs is loaded when one is wanted."""

    @property
    def here(self) -> Here | None:
        if self.pane_here == "story" and (row := self.story.here) is not None:
            return Here(row.path, row.line, row.text)
        member = self.detail.marked_member
        if self.view is None or member is None:
            return None
        return Here(member.claim.statement.path, member.around.line, member.around.words)

    def action_edit(self) -> None:
        from app.tui import editor

        here = self.here
        if here is None:
            return
        try:
            found = editor.choose(self.vault / here.path, here.line, configured=self.workspace.editor)
            code = editor.run(found, self.app.suspend())
        except (editor.NoEditor, OSError) as error:
            self._warn(str(error))
        except SuspendNotSupported:
            self._warn("This terminal cannot be lent to an editor.")
        else:
            if code:
                self._warn(f"The editor ended with code {code}.")

    def action_copy(self) -> None:
        if (here := self.here) is not None:
            self._copy(here.words, "Copied.")

    def action_copy_link(self) -> None:
        from app.tui import links

        here = self.here
        if here is None:
            return
        if links.is_obsidian(self.vault):
            self._copy(links.obsidian(self.vault, here.path), "Copied the obsidian:// link.")
        else:
            self._copy(f"{here.path}:{here.line}", "Copied the path and line.")

    def _copy(self, text: str, said: str) -> None:
        from app.tui import clipboard

        # The terminal takes it where it can (also over ssh); a program of the desktop where there is one.
        self.app.copy_to_clipboard(text)
        clipboard.hand_over(text)
        self.notify(said, timeout=2, markup=False)

    def action_obsidian(self) -> None:
        from app.tui import links

        here = self.here
        if here is None:
            return
        try:
            links.open_link(links.obsidian(self.vault, here.path))
        except links.NoOpener as error:
            self._warn(str(error))
        else:
            self.notify("Handed to Obsidian.", timeout=2, markup=False)

    def action_rescan(self) -> None:
        self.failure = None
        self.workspace.look_again()
        self.reload()
        self.notify("Looking at every note again.", timeout=3, markup=False)

    def action_pause_models(self) -> None:
        self._wish("pause", "The models stop, or go on; the line below says which.")

    def action_stop_models(self) -> None:
        self._wish("stop", "The models stop until a note changes or you press r.")

    def _wish(self, wish: Wish, said: str) -> None:
        if self.status.models == "rules":
            self._warn("Only the rules read, and they are done in a moment.")
        else:
            self.workspace.worker.models(wish)
            self.notify(said, timeout=3, markup=False)

    def _warn(self, said: str) -> None:
        self.notify(shown(said), severity="warning", markup=False)
