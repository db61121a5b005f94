"""Redacted texts: recognised by a salted hash alone, and left out when their note is read."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from app.store.changes import NoteChange
from app.store.texts import salted_hash
from app.words import Note, Statement

SALT = "redaction_salt"
"""The key in `meta`. One salt for all redactions, so that each text is hashed only once."""
_TELLING = 12
"""Shorter texts ("Yes.", "Rent: 900") occur inside others by chance, so only longer ones are looked for
there."""


def fold(text: str) -> str:
    """The text without what an editor changes in passing: case, blanks, punctuation at the end."""
    return " ".join(text.casefold().split()).strip(" .!?;:")


@dataclass(frozen=True, slots=True)
class RedactedHashes:
    """Salted hashes of redacted texts."""

    salt: bytes = b""
    hashes: frozenset[bytes] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.hashes)

    def __contains__(self, text: str) -> bool:
        return bool(self.hashes) and self.hash(text) in self.hashes

    def hash(self, text: str) -> bytes:
        return salted_hash(self.salt, fold(text))


class RedactedText(NamedTuple):
    """A redacted text, normalised for comparison."""

    text: str

    def is_in(self, other: str) -> bool:
        """Is the other text (folded too) the same, or does it contain this one, word for word?"""
        if self.text == other:
            return True
        if len(self.text) < _TELLING or self.text not in other:
            return False
        return re.search(rf"(?<!\w){re.escape(self.text)}(?!\w)", other) is not None


def read(connection: sqlite3.Connection) -> RedactedHashes:
    hashes = frozenset(hash for (hash,) in connection.execute("SELECT hash FROM redactions"))
    if not hashes:  # nearly always
        return RedactedHashes()
    (salt,) = connection.execute("SELECT value FROM meta WHERE key = ?", (SALT,)).fetchone()
    return RedactedHashes(bytes.fromhex(salt), hashes)


def may_keep(connection: sqlite3.Connection, hashes: Collection[str]) -> set[str]:
    """The content hashes that a cache may use as keys: not those of texts redacted meanwhile."""
    if not _has_redactions(connection):
        return set(hashes)
    return {h for (h,) in connection.execute("SELECT content_hash FROM claims")}.intersection(hashes)


def tombstones(connection: sqlite3.Connection) -> set[str]:
    """The ids of redacted claims."""
    if not _has_redactions(connection):
        return set()
    return {id for (id,) in connection.execute("SELECT id FROM claims WHERE status = 'redacted'")}


def _has_redactions(connection: sqlite3.Connection) -> bool:
    return connection.execute("SELECT 1 FROM redactions LIMIT 1").fetchone() is not None


def redacted_indexes(statements: Sequence[Statement], forgotten: RedactedHashes) -> list[int]:
    """The indexes of statements that repeat a redacted text: as a whole, inside a longer text, or as another
    reading of the same words in the note (a field in a sentence)."""
    found = {n for n, s in enumerate(statements) if s.text in forgotten}
    if not found:
        return []
    while True:
        secrets = [RedactedText(fold(statements[n].text)) for n in found]
        more = {
            n
            for n, s in enumerate(statements)
            if n not in found
            and (
                any(secret.is_in(fold(s.text)) for secret in secrets)
                or any(same_words(s, statements[other]) for other in found)
            )
        }
        if not more:
            return sorted(found)
        found |= more


def same_words(a: Statement, b: Statement) -> bool:
    """Were both read from the same words of the note, or one from part of the other's?"""
    if a.path != b.path or a.line > b.end_line or b.line > a.end_line or not (a.quote and b.quote):
        return False
    return a.quote in b.quote or b.quote in a.quote


def cleaned(note: Note, forgotten: RedactedHashes) -> Note:
    """The note without redacted texts, which do not remain as context of their neighbours either."""
    lost = redacted_indexes(note.statements, forgotten) if forgotten else []
    if not lost:
        return note
    out = [note.statements[n] for n in lost]
    secrets = [RedactedText(fold(s.text)) for s in out] + [RedactedText(fold(s.quote)) for s in out]
    properties = {s.key for s in out if s.form == "property"}
    return replace(
        note,
        statements=tuple(_without(s, out, secrets) for s in note.statements if s not in out),
        properties=tuple(
            (key, "" if key.strip() in properties or _says(f"{key}: {value}", secrets) else value)
            for key, value in note.properties
        ),
    )


def cleaned_change(change: NoteChange, forgotten: RedactedHashes) -> NoteChange:
    """The same for a change of a note, since another process may have read it before the redaction."""
    if change.note is None or not forgotten:
        return change
    note = cleaned(change.note, forgotten)
    if note is change.note:
        return change
    # Both keep the order of the note, so the remaining statements correspond one to one.
    dropped = set(redacted_indexes(change.note.statements, forgotten))
    left = [s for n, s in enumerate(change.note.statements) if n not in dropped]
    clean = dict(zip(left, note.statements, strict=True))
    lost = {change.note.statements[n] for n in dropped}
    claims = tuple(
        replace(one, claim=replace(one.claim, statement=clean.get(s, s), properties=note.properties))
        for one in change.claims
        if (s := one.claim.statement) not in lost or one.kind == "retracted"
    )
    return replace(change, note=note, claims=claims)


def _says(text: str | None, secrets: Collection[RedactedText]) -> bool:
    if not text:
        return False
    folded = fold(text)
    return any(secret.is_in(folded) for secret in secrets)


def _without(s: Statement, out: Sequence[Statement], secrets: Collection[RedactedText]) -> Statement:
    return replace(
        s,
        quote=s.text if _says(s.quote, secrets) or any(one.quote in s.quote for one in out) else s.quote,
        parent=None if _says(s.parent, secrets) else s.parent,
        before=None if _says(s.before, secrets) else s.before,
        after=None if _says(s.after, secrets) else s.after,
    )
