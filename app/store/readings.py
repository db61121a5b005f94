"""Readings of claims by the parser.

A cache, so rows may go. By claim, not by text, so that a redacted claim leaves nothing here.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping

from app.store.texts import chunks


def read(connection: sqlite3.Connection, ids: Collection[str]) -> dict[str, tuple[str, str]]:
    found: dict[str, tuple[str, str]] = {}
    for some in chunks(sorted(ids)):
        marks = ", ".join("?" * len(some))
        rows = connection.execute(
            f"SELECT claim_id, key, reading FROM readings WHERE claim_id IN ({marks})", some
        )
        found.update((id, (key, reading)) for id, key, reading in rows)
    return found


def write(connection: sqlite3.Connection, rows: Mapping[str, tuple[str, str]]) -> None:
    """Inside the caller's transaction."""
    connection.executemany(
        "INSERT OR REPLACE INTO readings (claim_id, key, reading) VALUES (?, ?, ?)",
        [(id, key, reading) for id, (key, reading) in sorted(rows.items())],
    )


def forget(connection: sqlite3.Connection, ids: Collection[str]) -> None:
    for some in chunks(sorted(set(ids))):
        connection.execute(f"DELETE FROM readings WHERE claim_id IN ({', '.join('?' * len(some))})", some)
