"""Reads one note for the index: whatever goes wrong with it is reported, and the rest of the vault goes on.

A note has a budget of processor time. A note not read by then is set aside like an unreadable one: what was
known of it stays.
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
"""Processor time for a note of any size. Ordinary ones take a few milliseconds."""
_BYTES_A_SECOND = 50_000
"""The least a slow machine reads: a large note gets more time."""


def read_note_file(root: Path, path: str, settings: VaultSettings) -> Note | str | None:
    """The note, or why it cannot be read, or None if it disappeared since the vault was walked."""
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
    except Exception as error:  # a bug of ours in one note must not cost the person all the others
        log.info("cannot make sense of %r", path, exc_info=True)
        return f"cannot be understood ({type(error).__name__})"


def norms_of_note(note: Note, size: int) -> dict[Statement, tuple[Norm, ...]] | str:
    """The norms of all its statements, or why it is set aside; `size` is in bytes."""
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
    """The norms by rules; none if they fail: the claim is kept all the same."""
    try:
        return norm_rules.normalize(statement, note)
    except Exception:
        log.info("no norm for %s:%d", statement.path, statement.line, exc_info=True)
        return ()
