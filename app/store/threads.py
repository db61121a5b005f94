"""What the language model said of threads, and which batches of the story it read. A cache, so rows may go;
by claim, not by text, so that a redacted claim leaves nothing here."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable
from typing import Literal, NamedTuple

from app.store.connection import Connection
from app.store.forgotten import tombstones
from app.store.meta import MetaValues
from app.store.tables import Threads
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


class StoredThreads:
    """What a reader, that is a language model, said of threads."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._meta = MetaValues(connection)

    def of(self, reader: str) -> list[ThreadRow]:
        """What this reader said of threads."""
        columns = ("key", "ids", "verdict", "odds", "kind", "members", "question")
        query = Threads.select(*(getattr(Threads, name) for name in columns))
        query = query.where(Threads.reader == reader).order_by(Threads.key)
        with self._connection.reading():
            rows = query.tuples().execute(self._connection.database)
            return [
                ThreadRow(key, tuple(ids.split()), verdict, odds, kind, tuple(members.split()), question)
                for key, ids, verdict, odds, kind, members, question in rows
            ]

    def put(self, reader: str, rows: Iterable[ThreadRow]) -> None:
        """What another reader said goes."""
        with self._connection.writing() as sql:
            gone = tombstones(sql)
            Threads.delete().where(Threads.reader != reader).execute(self._connection.database)
            sql.executemany(
                "INSERT OR REPLACE INTO threads (key, reader, ids, verdict, odds, kind, members, question)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        r.key,
                        reader,
                        " ".join(r.ids),
                        r.verdict,
                        r.odds,
                        r.kind,
                        " ".join(r.members),
                        r.question,
                    )
                    for r in rows
                    if not gone.intersection(r.ids)
                ],
            )

    def drop(self, keys: Collection[str]) -> None:
        if keys:
            with self._connection.writing() as sql:
                sql.executemany("DELETE FROM threads WHERE key = ?", [(key,) for key in keys])

    @property
    def complete_by(self) -> str:
        """The reader that has no thread left to read; empty where there is one."""
        return self._meta.get("threads_by")

    @property
    def seen(self) -> int | None:
        """The last event of the ledger when the story was last read whole; None where it never was."""
        seen = self._meta.get("threads_seen")
        return int(seen) if seen else None

    def mark_complete(self, reader: str, *, seen: int | None = None) -> None:
        """This reader has no thread left to read; "" takes it back. What came after the event `seen` is new
        to the story, also for the next process."""
        if self.complete_by != reader or seen is not None:
            with self._connection.writing():
                self._meta.set("threads_by", reader)
                if seen is not None:
                    self._meta.set("threads_seen", str(seen))


def forget(connection: sqlite3.Connection, ids: Collection[str]) -> None:
    """Every thread that one of these claims is in; inside the caller's transaction."""
    connection.executemany(
        "DELETE FROM threads WHERE instr(' ' || ids || ' ', ' ' || ? || ' ')", [(id,) for id in sorted(ids)]
    )
