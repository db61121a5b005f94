"""Readings of claims by the parser.

A cache, so rows may go. By claim, not by text, so that a redacted claim leaves nothing here.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping

from app.store.connection import Connection
from app.store.forgotten import tombstones
from app.store.texts import AMONG, listed


class StoredReadings:
    """What the parser read in a claim: a key, which says what it read, and the reading as text."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, ids: Collection[str]) -> dict[str, tuple[str, str]]:
        """The key and the reading of each of these claims that has been read."""
        query = f"SELECT claim_id, key, reading FROM readings WHERE claim_id {AMONG}"
        with self._connection.reading() as sql:
            return {id: (key, reading) for id, key, reading in sql.execute(query, (listed(ids),))}

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
    connection.execute(f"DELETE FROM readings WHERE claim_id {AMONG}", (listed(ids),))
