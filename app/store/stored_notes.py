"""The notes of a store: what is known of each, and what became of them and their claims."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from app.store import read_notes
from app.store.changes import NoteChange
from app.store.connection import Connection
from app.store.index_progress import needs_comparing
from app.store.meta import MetaValues
from app.store.write_notes import apply_notes
from app.words import Known


class StoredNotes:
    """Every note that was ever read; a note that is gone keeps its row."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._meta = MetaValues(connection)

    def known(self, paths: Collection[str] | None = None) -> dict[str, Known]:
        """Every note (or those of these) that was read once and is not gone."""
        with self._connection.reading() as sql:
            return read_notes.known_notes(sql, paths)

    def read_by(self, extractor: str) -> set[str]:
        """Notes that an index with this extractor version has come to; those without claims are not told."""
        with self._connection.reading():
            return read_notes.paths_read_by(self._connection.database, extractor)

    def tags(self, paths: Collection[str]) -> dict[str, tuple[str, ...]]:
        """The tags of whole notes, by path."""
        with self._connection.reading():
            return read_notes.note_tags(self._connection.database, paths)

    def problems(self) -> list[tuple[str, str]]:
        """(path, problem) of every note of the vault that could not be read whole."""
        with self._connection.reading():
            return read_notes.problems(self._connection.database)

    def unreadable(self) -> set[str]:
        """Notes that were read once and could not be when they were last looked at."""
        with self._connection.reading():
            return read_notes.unreadable(self._connection.database)

    def apply(self, changes: Sequence[NoteChange], at: str, *, extractor: str = "") -> None:
        """Write what became of a batch of notes and their claims, in one transaction.

        From then on the claims are not `compared` until `mark_compared`, so a kill in between is noticed.
        """
        if changes:
            with self._connection.writing() as sql:
                apply_notes(sql, changes, at, extractor)
                needs_comparing(self._meta)
