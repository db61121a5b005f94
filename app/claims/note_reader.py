"""Reading one note for the index: whatever goes wrong with it is told, and the rest of the vault goes on.

A note has a budget of processor time. One that is still not read by then is set aside like one that cannot be
read: what was known of it stays.
"""

from __future__ import annotations

import logging
from pathlib import Path

from app.reading import norm_rules
from app.time_budget import OutOfTime, time_budget
from app.vault.hashing import read_bytes
from app.vault.note import read_note
from app.vault.settings import VaultSettings
from app.words import Norm, Note, Statement

log = logging.getLogger(__name__)

SET_ASIDE = "set aside"
SECONDS = 10.0
"""Of processor time for a note of any size. Ordinary ones take some thousandths of a second."""
_BYTES_A_SECOND = 50_000
"""What a slow machine reads at the least: a large note has more time."""


def read(root: Path, path: str, settings: VaultSettings) -> Note | str | None:
    """The note, or why it cannot be read, or None when it went away since the vault was walked."""
    try:
        data = read_bytes(root, path, settings.max_bytes)
    except FileNotFoundError:
        return None
    except OSError as error:
        return error.strerror or str(error)
    try:
        with time_budget(_seconds(len(data))):
            return read_note(path, data, settings)
    except OutOfTime:
        return _too_slow(len(data))
    except Exception as error:  # a mistake of ours about one note must not cost the person all others
        log.info("cannot make sense of %r", path, exc_info=True)
        return f"cannot be understood ({type(error).__name__})"


def norms_of(note: Note, size: int) -> dict[Statement, tuple[Norm, ...]] | str:
    """The norms of all its statements, or why it is set aside; `size` is the note's in bytes."""
    try:
        with time_budget(_seconds(size)):
            return {statement: norms(statement, note) for statement in note.statements}
    except OutOfTime:
        return _too_slow(size)


def _seconds(size: int) -> float:
    return SECONDS + size / _BYTES_A_SECOND


def _too_slow(size: int) -> str:
    return f"{SET_ASIDE}: not read within {_seconds(size):.0f} seconds of processor time"


def norms(statement: Statement, note: Note) -> tuple[Norm, ...]:
    """The norms by rules; where those fail, none: the claim is kept all the same."""
    try:
        return norm_rules.normalize(statement, note)
    except Exception:
        log.info("no norm for %s:%d", statement.path, statement.line, exc_info=True)
        return ()
