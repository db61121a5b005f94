"""The store of one vault: it opens the file, holds the one connection that writes, and owns the parts."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Generator, Iterable
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from app.private_files import tidy
from app.store import export, fork
from app.store.caches import Caches
from app.store.connection import MEMORY, Connection, connect
from app.store.counts import counts
from app.store.decision_copy import (
    CopiedDecision,
    DecisionCopy,
    drop_earlier,
    is_known_to,
    of_ledger,
    read_copy,
    write_copy,
)
from app.store.errors import NotAStore, StoreCorrupt, StoreLost
from app.store.index_progress import IndexProgress
from app.store.ledger import Ledger
from app.store.meta import MetaValues
from app.store.redact import must_scrub, scrub
from app.store.rows import Counts
from app.store.stored_claims import StoredClaims
from app.store.stored_conflicts import StoredConflicts
from app.store.stored_notes import StoredNotes
from app.store.stored_story import StoredStory
from app.store.verify import verify

BUSY_MS = 30_000
"""How long to wait for another process that writes, in the longest of waits; it is nearly always nothing."""


def _known(copy: DecisionCopy) -> str:
    """What is known of a store that is lost."""
    count = len(copy.decisions)
    what = "1 decision stands" if count == 1 else f"{count:,} decisions stand"
    return (
        f"This vault was known: {what} in the copy of {copy.at[:10]}. belie repair brings back what it can."
    )


def now_utc() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")


class Store:
    """Notes, claims, conflicts and the ledger of one vault, in one SQLite file.

    A Store holds one connection and a lock, so threads may share it. Every writing method of its parts is one
    short `BEGIN IMMEDIATE` transaction that writes rows and events together, on the disk before a decision
    returns; reading methods see one consistent state. Failures are `StoreError`s with a message for the
    person. A `with` closes it.
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
        anew: bool = False,
    ) -> Store:
        """Open the store, making it (0600, in a 0700 folder) or bringing its schema up to date first.

        `clock` gives the time of decisions (default: now, UTC, ISO 8601 to the microsecond).
        An existing store that cannot be written opens read-only. Raises StoreLost where there is none, or
        another, in the place of one in which something was decided; with `anew` that is meant, and the copy
        of those decisions stays until `copy_decisions`.
        """
        copy = read_copy(path) if isinstance(path, Path) and not anew else None
        if copy is not None and isinstance(path, Path) and not (path.exists() and path.stat().st_size):
            raise StoreLost(f"{path} is {'empty' if path.exists() else 'gone'}. {_known(copy)}")
        try:
            connection = connect(path, read_only=read_only, busy_ms=busy_ms)
        except (StoreCorrupt, NotAStore) as error:
            if copy is None:
                raise
            raise StoreLost(f"{error} {_known(copy)}") from error
        store = cls(connection, path, clock or now_utc)
        if isinstance(path, Path) and not anew:
            connection.after_decision = store._decided
        try:
            store._check(copy)
            if isinstance(path, Path) and not store.read_only:
                tidy(path.parent)
                if must_scrub(connection):  # whoever redacted was stopped before the copies forgot it
                    connection.after_decision(True)
            scrub(connection)
        except BaseException:
            store.close()
            raise
        return store

    def _check(self, copy: DecisionCopy | None) -> None:
        if copy is not None:
            with self.connection.reading() as sql:
                known = is_known_to(sql, copy)
            if not known:
                raise StoreLost(f"{self.path} is not the store that was here before. {_known(copy)}")

    def _decided(self, forgets: bool) -> None:
        """Copy decisions to a file beside the store; where one took a text out, earlier copies go."""
        with contextlib.suppress(OSError):  # the decision itself is on the disk
            if self.forked_at is None:
                self.copy_decisions()
        if forgets and isinstance(self.path, Path):
            with contextlib.suppress(OSError):
                drop_earlier(self.path)

    def copy_decisions(self) -> None:
        """Bring the copy beside the store up to date. Raises OSError."""
        with self.connection.reading():
            copy = of_ledger(self.connection.database)
        if copy is not None and isinstance(self.path, Path):
            write_copy(self.path, copy)

    def standing_decisions(self) -> tuple[CopiedDecision, ...]:
        """What stands decided, oldest first, each with what is needed to decide it again."""
        with self.connection.reading():
            copy = of_ledger(self.connection.database)
        return copy.decisions if copy is not None else ()

    def copied(self) -> Store:
        """A store in memory that begins with all that this one holds: what is done there is kept nowhere."""
        copy = Store(connect(MEMORY, read_only=False, busy_ms=BUSY_MS), MEMORY, self._clock)
        with self.connection.reading() as source:
            source.backup(copy.connection.raw)
        return copy

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
        with self.connection.deciding() as sql:
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
        with self.connection.deciding():
            self._meta.set(fork.APPLIED, json.dumps(sorted({*self.applied(), seq})))
