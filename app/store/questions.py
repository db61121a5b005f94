"""What can be asked of an open store; nothing here writes."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Generator, Iterator
from pathlib import Path

from app.store import (
    embeddings,
    export,
    forgotten,
    fork,
    judgements,
    read_claims,
    read_conflicts,
    readings,
    rereadings,
    threads,
)
from app.store.event_times import last_until
from app.store.ledger import BELIE, read_events
from app.store.redact import affected
from app.store.rereadings import Rereading
from app.store.rows import SHOWN, ConflictFilter, Event
from app.store.story_questions import StoryQuestions
from app.store.threads import ThreadRow
from app.store.verdicts import Kept, note_tags, resets, verdicts
from app.store.verify import verify
from app.words import Claim, Conflict, Known, Status


class Questions(StoryQuestions):
    """Reading methods; each sees one consistent state."""

    # state of the file
    @property
    def needs_reindex(self) -> bool:
        """A migration changed what is read from notes: everything should be read again."""
        return self._meta("needs_reindex") == "1"

    @property
    def extractor(self) -> str:
        """The extractor version the last full index ran with; empty before the first."""
        return self._meta("extractor")

    @property
    def compared(self) -> bool:
        """Every claim written so far has been through guard and detective."""
        return self._meta("compared") != "0"

    def paths_read_by(self, extractor: str) -> set[str]:
        """Notes that an index with this extractor version has come to; those without claims are not told."""
        with self._link.reading() as connection:
            return {
                p
                for (p,) in connection.execute(
                    "SELECT DISTINCT path FROM claims WHERE extractor = ?", (extractor,)
                )
            }

    def last_event(self) -> int:
        with self._link.reading() as connection:
            seq: int = connection.execute("SELECT coalesce(max(seq), 0) FROM events").fetchone()[0]
            return seq

    def decided_since(self, seq: int) -> bool:
        """Was anything decided after this event, by a person or a strategy?"""
        sql = f"SELECT 1 FROM events WHERE seq > ? AND cause IS NULL AND who <> '{BELIE}' LIMIT 1"
        with self._link.reading() as connection:
            return connection.execute(sql, (seq,)).fetchone() is not None

    def claims_changed_since(self, seq: int) -> set[str]:
        """Claims with an event after this one, whoever wrote it."""
        with self._link.reading() as connection:
            found = connection.execute(
                "SELECT target_id FROM events WHERE seq > ? AND target_kind = 'claim'", (seq,)
            )
            return {id for (id,) in found}

    def data_version(self) -> int:
        """Changes when another connection wrote since the last call."""
        with self._link.reading() as connection:
            version: int = connection.execute("PRAGMA data_version").fetchone()[0]
            return version

    # notes and claims
    def known_notes(self, paths: Collection[str] | None = None) -> dict[str, Known]:
        """Every note (or those of these) that was read once and is not gone."""
        with self._link.reading() as connection:
            return read_claims.known_notes(connection, paths)

    def claims(
        self,
        status: Status | Collection[Status] | None = "active",
        *,
        paths: Collection[str] | None = None,
        ids: Collection[str] | None = None,
    ) -> Iterator[Claim]:
        """Claims in the order of path and line; `status` None means every status."""
        with self._link.reading() as connection:
            return read_claims.read_claims(connection, status, paths=paths, ids=ids)

    def claims_of(self, path: str) -> list[Claim]:
        """The claims standing in a note today: active, superseded and candidate."""
        return list(self.claims(SHOWN, paths=[path]))

    def claims_by_path(self, paths: Collection[str], *, status: Collection[Status]) -> dict[str, list[Claim]]:
        """What `diff` asks for: standing claims, or retracted ones, of several notes."""
        found: dict[str, list[Claim]] = defaultdict(list)
        for claim in self.claims(status, paths=paths):
            found[claim.statement.path].append(claim)
        return dict(found)

    def claim(self, id: str) -> Claim | None:
        return next(self.claims(None, ids=[id]), None)

    def claim_ids(self) -> set[str]:
        """Every id ever given."""
        with self._link.reading() as connection:
            return {id for (id,) in connection.execute("SELECT id FROM claims")}

    def promoted(self, ids: Collection[str] | None = None) -> set[str]:
        """Claims (or those of these) the person promoted out of a draft note."""
        with self._link.reading() as connection:
            return read_claims.promoted(connection, ids)

    def ingested(self) -> set[str]:
        """Claims that came in as reference facts."""
        with self._link.reading() as connection:
            return read_claims.ingested(connection)

    def note_tags(self, paths: Collection[str]) -> dict[str, tuple[str, ...]]:
        with self._link.reading() as connection:
            return note_tags(connection, paths)

    def problems(self) -> list[tuple[str, str]]:
        """(path, problem) of every note of the vault that could not be read whole."""
        with self._link.reading() as connection:
            return read_claims.problems(connection)

    def unreadable(self) -> set[str]:
        """Notes that were read once and could not be when they were last looked at."""
        with self._link.reading() as connection:
            rows = connection.execute(
                "SELECT path FROM notes WHERE state = 'unreadable' AND content_hash <> ''"
            )
            return {path for (path,) in rows}

    def forgotten(self) -> forgotten.Forgotten:
        """The texts that were redacted and must not be taken in again."""
        with self._link.reading() as connection:
            return forgotten.read(connection)

    def redactable(self, id: str) -> list[Claim]:
        """The claims that redacting this one would take out; none where it is redacted already."""
        with self._link.reading() as connection:
            return affected(connection, id)

    # what the embedder made: a cache, outside the ledger
    def embeddings(self, hashes: Collection[str], model: str) -> dict[str, bytes]:
        """The vectors (float16 bytes) known for these content hashes."""
        with self._link.reading() as connection:
            return embeddings.read(connection, hashes, model)

    def readings(self, ids: Collection[str]) -> dict[str, tuple[str, str]]:
        """What the parser read in these claims: a key and the reading as text."""
        with self._link.reading() as connection:
            return readings.read(connection, ids)

    @property
    def swept(self) -> str:
        """When everything was last looked at anew; empty where it never was."""
        return self._meta("swept") or ""

    # what the language model read: a cache, outside the ledger
    @property
    def reread_by(self) -> str:
        """The reader that has nothing left to read; empty where something is."""
        return self._meta("reread_by") or ""

    def rereadings(self, reader: str) -> list[Rereading]:
        """What this reader made of claims."""
        with self._link.reading() as connection:
            return rereadings.read(connection, reader)

    @property
    def threads_by(self) -> str:
        """The reader that has no thread left to read; empty where there is one."""
        return self._meta("threads_by") or ""

    @property
    def threads_seen(self) -> int | None:
        """The last event of the ledger when the story was last read whole; None where it never was."""
        seen = self._meta("threads_seen")
        return int(seen) if seen else None

    def threads(self, reader: str) -> list[ThreadRow]:
        """What this reader said of threads."""
        with self._link.reading() as connection:
            return threads.read(connection, reader)

    # what the judge said: a cache, outside the ledger
    @property
    def judged_by(self) -> str:
        """The judge that has seen every claim's neighbours; empty where some are left."""
        return self._meta("judged_by") or ""

    def alarms(self, judge: str, among: Collection[str] | None = None) -> list[judgements.Alarm]:
        """What this judge raised an alarm about; `among`: with one of these (few) claims in it."""
        with self._link.reading() as connection:
            return judgements.alarms(connection, judge, among)

    def judged(self, judge: str, among: Collection[str] | None = None) -> set[str]:
        """The claims (of these few) whose neighbours this judge has seen."""
        with self._link.reading() as connection:
            return judgements.judged(connection, judge, among)

    # conflicts
    def conflict(self, id: str) -> Conflict | None:
        with self._link.reading():
            return read_conflicts.read_conflict(self._db, id)

    def conflicts(self, status: ConflictFilter | None = "open", *, now: str | None = None) -> list[Conflict]:
        """Conflicts of a status (None: all). `open` leaves out those snoozed past `now` (default: the
        clock) and comes in the order of the queue: tier, trust, age."""
        with self._link.reading():
            return read_conflicts.read_conflicts(self._db, status, now or self._clock())

    def conflicts_of(self, claim_id: str) -> list[Conflict]:
        """Every conflict the claim is or was a member of, open ones first."""
        with self._link.reading():
            return read_conflicts.conflicts_of(self._db, claim_id)

    def conflicts_touching(
        self, ids: Collection[str], slots: Collection[tuple[str, tuple[str, ...]]] = ()
    ) -> list[Conflict]:
        """Conflicts of any status with one of these claims among their members, and those open in a slot."""
        with self._link.reading():
            return read_conflicts.conflicts_touching(self._db, ids, slots)

    def conflict_ids(self) -> set[str]:
        """Every id ever given."""
        with self._link.reading() as connection:
            return {id for (id,) in connection.execute("SELECT id FROM conflicts")}

    def settled_pairs(self) -> set[frozenset[str]]:
        """Pairs of claims inside a conflict a person resolved or dismissed: they must not come back."""
        with self._link.reading():
            return read_conflicts.settled_pairs(self._db)

    # the ledger
    def history(self, target_id: str) -> list[Event]:
        """Everything that happened to a claim or conflict, oldest first."""
        with self._link.reading() as connection:
            return read_events(
                connection, "WHERE e.target_id = ? AND e.target_kind <> 'event' ORDER BY e.seq", (target_id,)
            )

    def writings(self, id: str) -> list[Event]:
        """The edits of notes that wrote a decision about a claim or conflict, oldest first."""
        about = (
            "WHERE e.action = 'written' AND e.target_kind = 'note' AND (? IN (json_extract(e.payload,"
            " '$.conflict'), json_extract(e.payload, '$.winner')) OR EXISTS (SELECT 1 FROM"
            " json_each(e.payload, '$.losers') l WHERE l.value = ?)) ORDER BY e.seq"
        )
        with self._link.reading() as connection:
            return read_events(connection, about, (id, id))

    def events(self, limit: int = 100, before: int | None = None, *, decisions: bool = False) -> list[Event]:
        """The ledger, newest first, from just before an event; `decisions` only those of a person."""
        where = "WHERE (? IS NULL OR e.seq < ?)"
        if decisions:
            where += f" AND e.cause IS NULL AND e.who <> '{BELIE}'"
        with self._link.reading() as connection:
            return read_events(connection, f"{where} ORDER BY e.seq DESC LIMIT ?", (before, before, limit))

    def verdicts(self) -> list[Kept]:
        """The claims the person kept against others, oldest first, as far as they stand by it."""
        with self._link.reading() as connection:
            return verdicts(connection)

    def trust_resets(self) -> dict[str, int]:
        """Sources whose earlier verdicts no longer count, with the event that says so."""
        with self._link.reading() as connection:
            return resets(connection)

    def decisions_after(self, seq: int) -> list[Event]:
        """What was decided after an event, oldest first, undoings included."""
        where = f"WHERE e.seq > ? AND e.cause IS NULL AND e.who <> '{BELIE}' ORDER BY e.seq"
        with self._link.reading() as connection:
            return read_events(connection, where, (seq,))

    # forks
    def last_until(self, at: str) -> int:
        """The last event at or before a moment (ISO, UTC); 0 before the first."""
        with self._link.reading() as connection:
            return last_until(connection, at)

    def fork_to(self, path: Path, seq: int) -> int:
        """Make another store, in a file of its own, that knows what this one knew after an event, or rather
        after the transaction that wrote it; returns that transaction's last event."""
        with self._link.reading() as connection:
            at = fork.boundary(connection, seq)
            fork.fork(connection, path, at)
            return at

    @property
    def forked_at(self) -> int | None:
        """For a fork: the last event it shares with the store it was made from."""
        at = self._meta(fork.FORKED_AT)
        return int(at) if at else None

    def applied(self) -> set[int]:
        """For a fork: those of its decisions that were made in the other store too."""
        return set(json.loads(self._meta(fork.APPLIED) or "[]"))

    # the whole of it
    def export(self) -> Generator[str]:
        """Everything held, as lines of JSON that `load` takes; caches are left out."""
        with self._link.reading() as connection:
            yield from export.lines(connection)

    def verify(self) -> list[str]:
        """Everything that is wrong with the store: SQLite's own checks, the chain of events, and the
        tables against the ledger. Empty when all is well."""
        with self._link.reading() as connection:
            return verify(connection)
