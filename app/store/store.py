"""The store: one facade over the tables, the ledger and the questions asked of them."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from app.store import embeddings, judgements, readings, rereadings, threads
from app.store.changes import ConflictChange, NoteChange
from app.store.connection import MEMORY, connect
from app.store.decide import Decisions
from app.store.decision_copy import (
    CopiedDecision,
    DecisionCopy,
    drop_earlier,
    is_known_to,
    of_ledger,
    read_copy,
    write_copy,
)
from app.store.errors import NotAStore, Refused, StoreBusy, StoreCorrupt, StoreLost
from app.store.export import load
from app.store.fork import APPLIED
from app.store.judgements import Alarm
from app.store.ledger import Capture
from app.store.questions import Questions
from app.store.redact import SCRUB, Redacted, may_keep, redact, tombstones
from app.store.rereadings import Rereading
from app.store.rows import Event, Undone
from app.store.tables import Meta
from app.store.threads import ThreadRow
from app.store.undo import decision, undo
from app.store.write_conflicts import apply_conflicts
from app.store.write_notes import apply_notes
from app.words import Conflict

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


class Store(Questions):
    """Claims, conflicts and the ledger of one vault, in one SQLite file.

    A Store holds one connection and a lock, so threads may share it. Every writing method is one short
    `BEGIN IMMEDIATE` transaction that writes rows and events together, on the disk before a decision
    returns; reading methods see one consistent state. Failures are `StoreError`s with a message for the
    person.
    """

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
            link = connect(path, read_only=read_only, busy_ms=busy_ms)
        except (StoreCorrupt, NotAStore) as error:
            if copy is None:
                raise
            raise StoreLost(f"{error} {_known(copy)}") from error
        store = cls(link, path, clock or now_utc)
        store._copies = isinstance(path, Path) and not anew
        try:
            store._check(copy)
            store._scrub()
        except BaseException:
            store.close()
            raise
        return store

    _copies = False
    """Decisions are copied to a file beside the store."""

    def _check(self, copy: DecisionCopy | None) -> None:
        if copy is not None:
            with self._link.reading() as connection:
                known = is_known_to(connection, copy)
            if not known:
                raise StoreLost(f"{self.path} is not the store that was here before. {_known(copy)}")

    @contextlib.contextmanager
    def _deciding(self) -> Iterator[sqlite3.Connection]:
        with self._link.deciding() as connection:
            yield connection
        if self._copies and self.forked_at is None:
            with contextlib.suppress(OSError):  # the decision itself is on the disk
                self.copy_decisions()

    def copy_decisions(self) -> None:
        """Bring the copy beside the store up to date. Raises OSError."""
        with self._link.reading():
            copy = of_ledger(self._db)
        if copy is not None and isinstance(self.path, Path):
            write_copy(self.path, copy)

    def standing_decisions(self) -> tuple[CopiedDecision, ...]:
        """What stands decided, oldest first, each with what is needed to decide it again."""
        with self._link.reading():
            copy = of_ledger(self._db)
        return copy.decisions if copy is not None else ()

    def copied(self) -> Store:
        """A store in memory that begins with all that this one holds: what is done there is kept nowhere."""
        copy = Store(connect(MEMORY, read_only=False, busy_ms=BUSY_MS), MEMORY, self._clock)
        with self._link.reading() as source:
            source.backup(copy._link.raw)
        return copy

    # state of the file
    def mark_indexed(self, extractor: str) -> None:
        """A full index with this extractor version ended: clears `needs_reindex`."""
        with self._link.writing():
            for key, value in (("extractor", extractor), ("needs_reindex", "0")):
                Meta.replace(key=key, value=value).execute(self._db)

    def mark_compared(self) -> None:
        with self._link.writing():
            Meta.replace(key="compared", value="1").execute(self._db)

    # writing: the index
    def apply_notes(self, changes: Sequence[NoteChange], at: str, *, extractor: str = "") -> None:
        """Write what became of a batch of notes and their claims, in one transaction.

        From then on the store is not `compared` until `mark_compared`, so a kill in between is noticed.
        """
        if changes:
            with self._link.writing() as connection:
                apply_notes(connection, changes, at, extractor)
                self._look_again()

    def apply_conflicts(self, changes: Sequence[ConflictChange], at: str) -> None:
        """Write what became of conflicts, in one transaction. A conflict opened in a slot that has an
        open one by then joins it."""
        if changes:
            with self._link.writing():
                apply_conflicts(self._db, changes, at)

    # writing: decisions; each returns the seq of its event
    def keep(
        self, conflict_id: str, winner: str, why: str = "", *, how: str = "", who: str = "person"
    ) -> int:
        """Resolve for the winner: every other member is superseded by it. `how` says by which rule it was
        chosen (`newest`, `trusted`), where it was not named."""
        with self._deciding():
            return self._decisions(who).keep(conflict_id, winner, why, how)

    def dismiss(self, conflict_id: str, why: str = "not a conflict", *, who: str = "person") -> int:
        """Not a conflict, or both true: closed, and the members' pairs do not come back."""
        with self._deciding():
            return self._decisions(who).settle(conflict_id, "dismissed", "dismissed", "dismissed", None, why)

    def resolve(
        self,
        conflict_id: str,
        why: str = "",
        *,
        action: Literal["no_action", "supersede_others"] = "no_action",
        winner: str | None = None,
        how: str = "",
        who: str = "person",
    ) -> int:
        """Resolve without touching claims, or (`supersede_others`, with a winner) as `keep` does."""
        if action == "supersede_others":
            if winner is None:
                raise Refused("Superseding the others needs a winner.")
            return self.keep(conflict_id, winner, why, how=how, who=who)
        with self._deciding():
            return self._decisions(who).settle(conflict_id, "resolved", "resolved", "no_action", winner, why)

    def snooze(self, conflict_id: str, until: str, why: str = "", *, who: str = "person") -> int:
        """Hide an open conflict until an ISO date or time (UNTIL_CHANGE: no date), or until its members
        change, whichever comes first."""
        with self._deciding():
            return self._decisions(who).snooze(conflict_id, until, why)

    def reopen(self, conflict_id: str, why: str = "", *, who: str = "person") -> int:
        """Put a snoozed or settled conflict back in the queue; claims it superseded are active again."""
        with self._deciding():
            self._look_again()  # some of its members may no longer stand in a note
            return self._decisions(who).reopen(conflict_id, why)

    def promote(self, ids: Sequence[str], why: str = "", *, who: str = "person") -> int:
        """Make candidates active; they stay so while their note remains a draft."""
        with self._deciding():
            self._look_again()
            return self._decisions(who).promote(ids, why)

    def supersede(self, old: str, new: str, why: str = "", *, who: str = "person") -> int:
        """Put an active claim in the place of another; open conflicts of the old one end or lose it."""
        with self._deciding():
            self._look_again()
            return self._decisions(who).supersede(old, new, why)

    def end_superseded(
        self, before: Conflict, winner: str, why: str, *, cause: int, who: str = "person"
    ) -> None:
        """Put on record that a conflict, as it was before, is over since the event `cause` put the winner in
        the place of a member. One that goes on, or was decided, stays as it is."""
        with self._deciding():
            steps = self._decisions(who)
            steps.conflicts.supersede(before, winner, why, cause)
            steps.ledger.flush()

    def capture(
        self,
        action: Capture,
        ids: Sequence[str],
        why: str = "",
        *,
        source: str | None = None,
        against: Sequence[str] = (),
        exception: bool = False,
        who: str = "person",
    ) -> int:
        """Put on record how claims came in: by which verb, from where, and against which others."""
        with self._deciding():
            return self._decisions(who).capture(action, ids, source, against, why, exception=exception)

    def redact(self, id: str, why: str, *, who: str = "person") -> Redacted:
        """Take the text of a claim, and of all that say it, out of the store for good.

        The file is rewritten too, so that no page of it holds the text. Where others are reading it just
        then, that is made up for when the store is next opened.
        """
        with self._deciding():
            self._look_again()
            done = redact(self._db, id, self._clock(), who, why)
        if self._copies and isinstance(self.path, Path):
            with contextlib.suppress(OSError):
                drop_earlier(self.path)
        self._scrub()
        return done

    def _scrub(self) -> None:
        """Rewrite the file where something was redacted since it was rewritten last."""
        if self.read_only or self._meta(SCRUB) != "1":
            return
        with contextlib.suppress(StoreBusy):
            if self._link.rewrite():
                with self._link.writing():
                    Meta.replace(key=SCRUB, value="0").execute(self._db)

    def undo(self, seq: int | None = None, *, who: str = "person") -> Undone:
        """Take back a decision (default: the person's last one not yet undone) by writing its inverse.

        Raises UndoRefused, saying why, when later events depend on it.
        """
        with self._deciding():
            self._look_again()
            return undo(self._db, seq, self._clock(), who)

    def to_undo(self, seq: int | None = None, *, who: str = "person") -> Event:
        """The decision that `undo` would take back; raises UndoRefused where there is none."""
        with self._link.reading():
            return decision(self._db, seq, who)

    def look_again(self) -> None:
        """The next run of the index compares every claim anew."""
        with self._link.writing():
            self._look_again()

    def _look_again(self) -> None:
        """Claims became active without a note's being read: nobody has compared them."""
        Meta.replace(key="compared", value="0").execute(self._db)

    def record(
        self, action: str, target: str, payload: Mapping[str, object], why: str = "", *,
        kind: Literal["note", "event", "conflict"] = "note", who: str = "person",
    ) -> int:  # fmt: skip
        """Put on record something done outside the store, such as an edit of a note; returns its seq.

        The payload names claims and files, never texts: the ledger must not keep what can be redacted.
        """
        with self._deciding():
            ledger = self._decisions(who).ledger
            seq = ledger.add(action, kind, target, payload, why=why)
            ledger.flush()
            return seq

    def load(self, lines: Iterable[str]) -> int:
        """Fill an empty store with what `export` gave; returns how many rows. Raises Refused, and then the
        store is as empty as before."""
        with self._deciding() as connection:
            return load(connection, lines)

    def mark_applied(self, seq: int) -> None:
        """For a fork: this decision was made in the other store too."""
        with self._deciding():
            value = json.dumps(sorted({*self.applied(), seq}))
            Meta.replace(key=APPLIED, value=value).execute(self._db)

    def _decisions(self, who: str) -> Decisions:
        return Decisions(self._db, self._clock(), who)

    # what the embedder made: a cache, outside the ledger
    def put_embeddings(self, vectors: Mapping[str, bytes], model: str) -> None:
        """Keep vectors by content hash."""
        if vectors:
            with self._link.writing() as connection:
                kept = may_keep(connection, vectors.keys())
                embeddings.write(connection, {h: v for h, v in vectors.items() if h in kept}, model)

    def forget_embeddings(self, hashes: Collection[str]) -> None:
        """Drop the vectors of texts that are to be forgotten, for every model."""
        if hashes:
            with self._link.writing() as connection:
                embeddings.forget(connection, hashes)

    # what the parser read: a cache, outside the ledger
    def put_readings(self, rows: Mapping[str, tuple[str, str]]) -> None:
        """Keep readings by claim, each with the key it counts for."""
        if rows:
            with self._link.writing() as connection:
                gone = tombstones(connection)
                readings.write(connection, {id: row for id, row in rows.items() if id not in gone})

    # what the language model read: a cache, outside the ledger
    def mark_swept(self, at: str) -> None:
        with self._link.writing():
            Meta.replace(key="swept", value=at).execute(self._db)

    def mark_reread(self, reader: str) -> None:
        """This reader has nothing left to read; "" takes it back."""
        if self.reread_by != reader:
            with self._link.writing():
                Meta.replace(key="reread_by", value=reader).execute(self._db)

    def put_rereadings(self, reader: str, rows: Iterable[Rereading]) -> None:
        with self._link.writing() as connection:
            gone = tombstones(connection)
            rereadings.write(connection, reader, [row for row in rows if row.claim_id not in gone])

    def mark_threads(self, reader: str, *, seen: int | None = None) -> None:
        """This reader has no thread left to read; "" takes it back. What came after the event `seen` is new
        to the story, also for the next process."""
        if self.threads_by != reader or seen is not None:
            with self._link.writing():
                Meta.replace(key="threads_by", value=reader).execute(self._db)
                if seen is not None:
                    Meta.replace(key="threads_seen", value=str(seen)).execute(self._db)

    def put_threads(self, reader: str, rows: Iterable[ThreadRow]) -> None:
        with self._link.writing() as connection:
            gone = tombstones(connection)
            threads.write(connection, reader, [row for row in rows if not gone.intersection(row.ids)])

    def drop_threads(self, keys: Collection[str]) -> None:
        if keys:
            with self._link.writing() as connection:
                threads.drop(connection, keys)

    # what the judge said: a cache, outside the ledger
    def mark_judged(self, judge: str) -> None:
        """This judge has seen every claim's neighbours; "" takes it back."""
        if self.judged_by != judge:
            with self._link.writing():
                Meta.replace(key="judged_by", value=judge).execute(self._db)

    def put_judgements(self, judge: str, found: Iterable[Alarm], seen: Collection[str]) -> None:
        """Keep alarms, and the claims whose neighbours have been judged."""
        with self._link.writing() as connection:
            gone = tombstones(connection)
            alarms = [one for one in found if one.a not in gone and one.b not in gone]
            judgements.write(connection, judge, alarms, [id for id in seen if id not in gone])

    def forget_judgements(self, ids: Collection[str]) -> None:
        """These claims are to be judged anew."""
        if ids:
            with self._link.writing() as connection:
                judgements.forget(connection, ids)

    def forget_other_judges(self, judge: str) -> None:
        with self._link.writing() as connection:
            judgements.forget_other_judges(connection, judge)
