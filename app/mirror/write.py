"""Putting the pages on disk: what is the same stays untouched, what is not ours is never overwritten."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from app.mirror.pages import MARK
from app.private_files import make_private, write_private
from app.regular_file import read_regular

_MARK = MARK.encode()


class CannotMirror(Exception):
    """Why no page was written; the message is for the person."""


@dataclass(frozen=True, slots=True)
class Written:
    written: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


def write_pages(folder: Path, made: Mapping[str, str]) -> Written:
    """Bring the folder in step with the pages; those of projects that are gone go, if they are ours."""
    try:
        make_private(folder)
        there = {name: read_regular(folder / name) if _is_ours(folder / name) else None for name in made}
        foreign = [name for name, old in there.items() if old is None and os.path.lexists(folder / name)]
        if foreign:
            raise CannotMirror(f"{folder / foreign[0]} is no page of the mirror; choose another folder.")
        wanted = {name: text.encode("utf-8", "replace") for name, text in made.items()}
        changed = tuple(name for name, data in wanted.items() if there[name] != data)
        for name in changed:
            write_private(folder / name, wanted[name])
        gone = tuple(
            entry.name
            for entry in sorted(folder.iterdir())
            if entry.name.endswith(".md") and entry.name not in made and _is_ours(entry)
        )
        for name in gone:
            (folder / name).unlink()
    except OSError as error:
        raise CannotMirror(f"The mirror cannot be written to {folder}: {error.strerror or error}.") from error
    return Written(changed, tuple(name for name in made if name not in changed), gone)


def drop_pages(folder: Path) -> bool:
    """Remove the pages there are; False where there was none. They can always be made again."""
    ours = [entry for entry in folder.glob("*.md") if _is_ours(entry)] if folder.is_dir() else []
    for page in ours:
        page.unlink(missing_ok=True)
    return bool(ours)


def _is_ours(path: Path) -> bool:
    """A regular file with our mark; a link is never ours, wherever it leads."""
    if path.is_symlink() or not path.is_file():
        return False
    return read_regular(path, len(_MARK)) == _MARK
