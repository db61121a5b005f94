"""What writing back speaks of: a style, an edit of one note, an edit that was made, why one is refused."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from app.vault.hashing import hash_bytes

Style = Literal["annotate", "strike", "replace", "frontmatter"]
STYLES: tuple[Style, ...] = get_args(Style)
Removal = Literal["remove"]
"""Not a style of writing a decision back: what was redacted is taken out, and no backup keeps it."""


class CannotWrite(Exception):
    """Why a note is left as it is; the message is for the person."""


class NoteChanged(CannotWrite):
    """The file is not what was read: somebody saved it meanwhile."""


class AsBefore(CannotWrite):
    """There is nothing to take back: the file is what it was before the edit."""


@dataclass(frozen=True, slots=True)
class Splice:
    """Bytes `start` to `end` of the note as it is, and what takes their place."""

    start: int
    end: int
    new: bytes


@dataclass(frozen=True, slots=True)
class Edit:
    """One note before and after; nothing has been written yet."""

    path: str
    style: Style | Removal
    before: bytes
    splices: tuple[Splice, ...]
    """In order, none touching another."""
    lines: tuple[int, ...]
    """The lines (from 1, as they are before) that change; an inserted line changes none."""

    @property
    def expected(self) -> str:
        """The content hash the file must still have when the edit is made."""
        return hash_bytes(self.before)

    @property
    def after(self) -> bytes:
        parts: list[bytes] = []
        position = 0
        for splice in self.splices:
            parts += [self.before[position : splice.start], splice.new]
            position = splice.end
        return b"".join((*parts, self.before[position:]))


@dataclass(frozen=True, slots=True)
class Applied:
    """An edit that was made; enough to take it back."""

    id: str
    """Names the backup and its record."""
    path: str
    style: Style | Removal
    was: str
    """Content hash before."""
    now: str
    """Content hash after."""
    backup: Path
    """The bytes before."""
