"""The store of one vault: it opens the file, holds the one connection that writes, and owns the parts."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from app.store import export, fork
from app.store.caches import Caches
from app.store.connection import Connection, connect
from app.store.counts import counts
from app.store.index_progress import IndexProgress
from app.store.ledger import Ledger
from app.store.meta import MetaValues
from app.store.redact import scrub
from app.store.rows import Counts
from app.store.stored_claims import StoredClaims
from app.store.stored_conflicts import StoredConflicts
from app.store.stored_notes import StoredNotes
from app.store.stored_story import StoredStory
from app.store.verify import verify

BUSY_MS = 30_000
"""How long to wait for another process that writes, in the longest of waits; it is nearly always nothing."""


def now_utc() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")


class Store:
    """Notes, claims, conflicts and the ledger of one vault, in one SQLite file.

    A Store holds one connection and a lock, so threads may share it. Every writing method of its parts is one
    short `BEGIN IMMEDIATE` transaction that writes rows and events together; reading methods see one
    consistent state. Failures are `StoreError`s with a message for the person. A `with` closes it.
    """

    read_only: bool
    """Opened for reading only: asked for, or because the file or its folder cannot be written."""
    path: Path | Literal[":memory:"]

    def __init__(
        self, connection: Connection, path: Path | Literal[":memory:"], clock: Callable[[], str]
    ) -> None:
        self.path = path
        self.read_only = connection.read_only
        self.connection = connection
        self.progress = IndexProgress(connection)
        self.notes = StoredNotes(connection)
        self.claims = StoredClaims(connection, clock)
        self.conflicts = StoredConflicts(connection, clock)
        self.ledger = Ledger(connection, clock)
        self.story = StoredStory(connection)
        self.caches = Caches(connection)
        self._clock = clock
        self._meta = MetaValues(connection)

    @classmethod
    def open(
        cls,
        path: Path | Literal[":memory:"],
        *,
        read_only: bool = False,
        busy_ms: int = BUSY_MS,
        clock: Callable[[], str] | None = None,
    ) -> Store:
        """Open the store, making it (0600, in a 0700 folder) or bringing its schema up to date first.

        `clock` gives the time of decisions (default: now, UTC, ISO 8601 to the microsecond).
        An existing store that cannot be written opens read-only.
        """
        connection = connect(path, read_only=read_only, busy_ms=busy_ms)
        scrub(connection)
        return cls(connection, path, clock or now_utc)

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def data_version(self) -> int:
        """Changes when another connection wrote since the last call."""
        with self.connection.reading() as sql:
            version: int = sql.execute("PRAGMA data_version").fetchone()[0]
            return version

    def counts(self, *, now: str | None = None) -> Counts:
        """How much there is of everything; `now` (default: the clock) tells which conflicts are snoozed."""
        with self.connection.reading() as sql:
            return counts(sql, now or self._clock())

    def verify(self) -> list[str]:
        """Everything that is wrong with the store: SQLite's own checks, the chain of events, and the
        tables against the ledger. Empty when all is well."""
        with self.connection.reading() as sql:
            return verify(sql)

    def export(self) -> Generator[str]:
        """Everything held, as lines of JSON that `load` takes; caches are left out."""
        with self.connection.reading() as sql:
            yield from export.lines(sql)

    def load(self, lines: Iterable[str]) -> int:
        """Fill an empty store with what `export` gave; returns how many rows. Raises Refused, and then the
        store is as empty as before."""
        with self.connection.writing() as sql:
            return export.load(sql, lines)

    def fork_to(self, path: Path, seq: int) -> int:
        """Make another store, in a file of its own, that knows what this one knew after an event, or rather
        after the transaction that wrote it; returns that transaction's last event."""
        with self.connection.reading() as sql:
            at = fork.boundary(sql, seq)
            fork.fork(sql, path, at)
            return at

    @property
    def forked_at(self) -> int | None:
        """For a fork: the last event it shares with the store it was made from."""
        at = self._meta.get(fork.FORKED_AT)
        return int(at) if at else None

    def applied(self) -> set[int]:
        """For a fork: those of its decisions that were made in the other store too."""
        return set(json.loads(self._meta.get(fork.APPLIED) or "[]"))

    def mark_applied(self, seq: int) -> None:
        """For a fork: this decision was made in the other store too."""
        with self.connection.writing():
            self._meta.set(fork.APPLIED, json.dumps(sorted({*self.applied(), seq})))
