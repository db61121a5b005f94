"""Reading a note from a string, for the tests of reading."""

from __future__ import annotations

from typing import Any

from app.vault.note import read_note
from app.vault.settings import VaultSettings
from app.words import Note, Statement


def read(text: str | bytes, path: str = "Note.md", **settings: Any) -> Note:
    data = text if isinstance(text, bytes) else text.encode()
    return read_note(path, data, VaultSettings(**settings))


def statements(text: str, path: str = "Note.md", **settings: Any) -> tuple[Statement, ...]:
    return read(text, path, **settings).statements


def texts(text: str, path: str = "Note.md", **settings: Any) -> list[str]:
    return [statement.text for statement in statements(text, path, **settings)]


def only(text: str, path: str = "Note.md", **settings: Any) -> Statement:
    (found,) = statements(text, path, **settings)
    return found
