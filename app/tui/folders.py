"""Folders a person might mean by a vault: how many notes are in one, and completing a name."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from textual.suggester import Suggester

_MOST_NOTES = 20_000
"""Counting stops here: more notes than that are "more than that"."""
_MOST_FOLDERS = 20_000


@dataclass(frozen=True, slots=True)
class Looked:
    """What a glance at a folder tells."""

    notes: int
    more: bool
    kind: str
    """Obsidian, Logseq, or nothing in particular."""

    @property
    def words(self) -> str:
        if not self.notes:
            return "No Markdown note in it."
        count = f"{'more than ' if self.more else ''}{self.notes:,} note{'' if self.notes == 1 else 's'}"
        return f"{count}, {self.kind}" if self.kind else count


def look(folder: Path) -> Looked | None:
    """Count the notes, past links and hidden folders; None where there is no such folder."""
    if not folder.is_dir():
        return None
    notes = 0
    for seen, (_, folders, files) in enumerate(os.walk(folder)):
        folders[:] = [name for name in folders if not name.startswith(".") and name != "node_modules"]
        notes += sum(name.lower().endswith((".md", ".markdown")) for name in files)
        if notes > _MOST_NOTES or seen > _MOST_FOLDERS:
            return Looked(min(notes, _MOST_NOTES), True, _kind(folder))
    return Looked(notes, False, _kind(folder))


def _kind(folder: Path) -> str:
    if (folder / ".obsidian").is_dir():
        return "an Obsidian vault"
    return "a Logseq graph" if (folder / "journals").is_dir() and (folder / "pages").is_dir() else ""


def short(path: Path) -> str:
    """A path as people write it, with ~ for their own folder."""
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path != home and path.is_relative_to(home) else str(path)


class FolderSuggester(Suggester):
    """Completes the folder name that is being typed."""

    def __init__(self) -> None:
        super().__init__(use_cache=False, case_sensitive=True)

    async def get_suggestion(self, value: str) -> str | None:
        head, slash, begun = value.rpartition("/")
        if not slash and value != "~":
            return None
        try:
            folder = Path(f"{head}{slash}").expanduser()
            names = sorted(
                entry.name
                for entry in os.scandir(folder)
                if entry.name.startswith(begun)
                and entry.is_dir()
                and (begun or not entry.name.startswith("."))
            )
        except (OSError, RuntimeError, ValueError):
            return None
        # A name that the terminal could act on is not offered.
        found = next((name for name in names if name.isprintable() and name != begun), None)
        return f"{head}{slash}{found}" if found else None
