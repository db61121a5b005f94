"""Reading one note for the index: whatever goes wrong with it is told, and the rest of the vault goes on."""

from __future__ import annotations

import logging
from pathlib import Path

from app.reading import norm_rules
from app.vault.hashing import read_bytes
from app.vault.note import read_note
from app.vault.settings import VaultSettings
from app.words import Norm, Note, Statement

log = logging.getLogger(__name__)


def read(root: Path, path: str, settings: VaultSettings) -> Note | str | None:
    """The note, or why it cannot be read, or None when it went away since the vault was walked."""
    try:
        data = read_bytes(root, path, settings.max_bytes)
    except FileNotFoundError:
        return None
    except OSError as error:
        return error.strerror or str(error)
    try:
        return read_note(path, data, settings)
    except Exception as error:  # a mistake of ours about one note must not cost the person all others
        log.info("cannot make sense of %r", path, exc_info=True)
        return f"cannot be understood ({type(error).__name__})"


def norms(statement: Statement, note: Note) -> tuple[Norm, ...]:
    """The norms by rules; where those fail, none: the claim is kept all the same."""
    try:
        return norm_rules.normalize(statement, note)
    except Exception:
        log.info("no norm for %s:%d", statement.path, statement.line, exc_info=True)
        return ()
