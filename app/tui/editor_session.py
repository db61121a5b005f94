"""Lending the terminal to the person's editor for one note; what goes wrong is a sentence."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

from app.tui import editor

if TYPE_CHECKING:
    from app.tui.app import Workspace


def open_note(workspace: Workspace, file: Path, line: int) -> str | None:
    """Open a file at its line and come back; what should be said, if anything."""
    try:
        code = editor.run(editor.choose(file, line, configured=workspace.editor), workspace.suspend())
    except (editor.NoEditor, OSError) as error:
        return str(error)
    except SuspendNotSupported:
        return "This terminal cannot be lent to an editor."
    return f"The editor ended with code {code}." if code else None
