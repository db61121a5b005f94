"""The notes of a store: what is known of each, and what became of them and their claims."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

from app.store.changes import NoteChange
from app.store.connection import Connection
from app.store.index_progress import needs_comparing
from app.store.meta import MetaValues
from app.store.tables import Claims, Notes, one_of
from app.store.texts import AMONG, listed
from app.store.write_notes import apply_notes
from app.words import Known


class StoredNotes:
    """Every note that was ever read; a note that is gone keeps its row."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._meta = MetaValues(connection)

    def known(self, paths: Collection[str] | None = None) -> dict[str, Known]:
        """Every note (or those of these) that was read once and is not gone."""
        query = (
            "SELECT path, size, mtime_ns, inode, content_hash, indexed_ns FROM notes"
            " WHERE state <> 'gone' AND content_hash <> ''"
        )
        with self._connection.reading() as sql:
            if paths is None:
                rows = sql.execute(query)
            else:
                rows = sql.execute(f"{query} AND path {AMONG}", (listed(paths),))
            return {row[0]: Known._make(row) for row in rows}

    def read_by(self, extractor: str) -> set[str]:
        """Notes that an index with this extractor version has come to; those without claims are not told."""
        query = Claims.select(Claims.path).where(Claims.extractor == extractor).distinct()
        with self._connection.reading():
            return {path for (path,) in query.tuples().execute(self._connection.database)}

    def tags(self, paths: Collection[str]) -> dict[str, tuple[str, ...]]:
        """The tags of whole notes, by path."""
        query = Notes.select(Notes.path, Notes.tags).where(Notes.path.in_(one_of(paths)))
        with self._connection.reading():
            rows = query.tuples().execute(self._connection.database)
            return {path: tuple(json.loads(tags)) for path, tags in rows}

    def problems(self) -> list[tuple[str, str]]:
        """(path, problem) of every note of the vault that could not be read whole."""
        query = (
            Notes.select(Notes.path, Notes.problems)
            .where((Notes.state != "gone") & (Notes.problems != "[]"))
            .order_by(Notes.path)
        )
        with self._connection.reading():
            rows = query.tuples().execute(self._connection.database)
            return [(path, problem) for path, found in rows for problem in json.loads(found)]

    def unreadable(self) -> set[str]:
        """Notes that were read once and could not be when they were last looked at."""
        query = Notes.select(Notes.path).where((Notes.state == "unreadable") & (Notes.content_hash != ""))
        with self._connection.reading():
            return {path for (path,) in query.tuples().execute(self._connection.database)}

    def apply(self, changes: Sequence[NoteChange], at: str, *, extractor: str = "") -> None:
        """Write what became of a batch of notes and their claims, in one transaction.

        From then on the claims are not `compared` until `mark_compared`, so a kill in between is noticed.
        """
        if changes:
            with self._connection.writing() as sql:
                apply_notes(sql, changes, at, extractor)
                needs_comparing(self._meta)
