"""What the language model said of threads, and which batches of the story it read. A cache, so rows may go;
by claim, not by text, so that a redacted claim leaves nothing here."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable
from typing import Literal, NamedTuple

from app.words import Kind

Verdict = Literal["yes", "no", ""]


class ThreadRow(NamedTuple):
    """One thread as it was read."""

    key: str
    """A hash of what the model read; what it read as a story says so before the hash."""
    ids: tuple[str, ...]
    """Its claims, oldest first."""
    verdict: Verdict
    """Empty where the model's answer was not sure enough to count, or of no use."""
    odds: float
    kind: Kind | None = None
    members: tuple[str, ...] = ()
    question: str | None = None


def read(connection: sqlite3.Connection, reader: str) -> list[ThreadRow]:
    rows = connection.execute(
        "SELECT key, ids, verdict, odds, kind, members, question FROM threads WHERE reader = ? ORDER BY key",
        (reader,),
    )
    return [
        ThreadRow(key, tuple(ids.split()), verdict, odds, kind, tuple(members.split()), question)
        for key, ids, verdict, odds, kind, members, question in rows
    ]


def write(connection: sqlite3.Connection, reader: str, rows: Iterable[ThreadRow]) -> None:
    """Inside the caller's transaction; what another reader said goes."""
    connection.execute("DELETE FROM threads WHERE reader <> ?", (reader,))
    connection.executemany(
        "INSERT OR REPLACE INTO threads (key, reader, ids, verdict, odds, kind, members, question)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (r.key, reader, " ".join(r.ids), r.verdict, r.odds, r.kind, " ".join(r.members), r.question)
            for r in rows
        ],
    )


def drop(connection: sqlite3.Connection, keys: Iterable[str]) -> None:
    connection.executemany("DELETE FROM threads WHERE key = ?", [(key,) for key in keys])


def forget(connection: sqlite3.Connection, ids: Collection[str]) -> None:
    """Every thread that one of these claims is in."""
    connection.executemany(
        "DELETE FROM threads WHERE instr(' ' || ids || ' ', ' ' || ? || ' ')", [(id,) for id in sorted(ids)]
    )
