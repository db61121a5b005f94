"""Readings of claims by the parser.

A cache, so rows may go. By claim, not by text, so that a redacted claim leaves nothing here.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping

from app.store.connection import Connection
from app.store.forgotten import tombstones
from app.store.texts import chunks


class StoredReadings:
    """What the parser read in a claim: a key, which says what it read, and the reading as text."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, ids: Collection[str]) -> dict[str, tuple[str, str]]:
        """The key and the reading of each of these claims that has been read."""
        found: dict[str, tuple[str, str]] = {}
        with self._connection.reading() as sql:
            for some in chunks(sorted(ids)):
                marks = ", ".join("?" * len(some))
                rows = sql.execute(
                    f"SELECT claim_id, key, reading FROM readings WHERE claim_id IN ({marks})", some
                )
                found.update((id, (key, reading)) for id, key, reading in rows)
        return found

    def put(self, rows: Mapping[str, tuple[str, str]]) -> None:
        if not rows:
            return
        with self._connection.writing() as sql:
            gone = tombstones(sql)
            sql.executemany(
                "INSERT OR REPLACE INTO readings (claim_id, key, reading) VALUES (?, ?, ?)",
                [(id, key, reading) for id, (key, reading) in sorted(rows.items()) if id not in gone],
            )


def forget(connection: sqlite3.Connection, ids: Collection[str]) -> None:
    """Inside the caller's transaction."""
    for some in chunks(sorted(set(ids))):
        connection.execute(f"DELETE FROM readings WHERE claim_id IN ({', '.join('?' * len(some))})", some)
