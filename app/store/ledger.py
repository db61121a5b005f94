"""The ledger of a store: what happened, what was decided, and taking a decision back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import peewee

from app.store.connection import Connection
from app.store.decisions import Decisions
from app.store.event_chain import DECIDED, Capture, read_events
from app.store.event_times import last_until
from app.store.index_progress import needs_comparing
from app.store.meta import MetaValues
from app.store.rows import Event, Undone
from app.store.tables import Events
from app.store.undo import decision, undo
from app.store.verdicts import PERSON, Kept, resets, verdicts


class Ledger:
    """Events in the order they were written. They are never changed: an undo is one more event."""

    def __init__(self, connection: Connection, clock: Callable[[], str]) -> None:
        self._connection = connection
        self._clock = clock
        self._meta = MetaValues(connection)

    # reading
    def last_event(self) -> int:
        """The seq of the newest event; 0 before the first."""
        with self._connection.reading():
            query = Events.select(peewee.fn.MAX(Events.seq)).tuples()
            ((seq,),) = query.execute(self._connection.database)
            return int(seq or 0)

    def last_until(self, at: str) -> int:
        """The last event at or before a moment (ISO, UTC); 0 before the first."""
        with self._connection.reading() as sql:
            return last_until(sql, at)

    def events(self, limit: int = 100, before: int | None = None, *, decisions: bool = False) -> list[Event]:
        """The newest first, from just before an event; `decisions` only those of a person."""
        where = "WHERE (? IS NULL OR e.seq < ?)"
        if decisions:
            where += f" AND {DECIDED}"
        with self._connection.reading() as sql:
            return read_events(sql, f"{where} ORDER BY e.seq DESC LIMIT ?", (before, before, limit))

    def history(self, target_id: str) -> list[Event]:
        """Everything that happened to a claim or conflict, oldest first."""
        with self._connection.reading() as sql:
            return read_events(
                sql, "WHERE e.target_id = ? AND e.target_kind <> 'event' ORDER BY e.seq", (target_id,)
            )

    def writings(self, id: str) -> list[Event]:
        """The edits of notes that wrote a decision about a claim or conflict, oldest first."""
        about = (
            "WHERE e.action = 'written' AND e.target_kind = 'note' AND (? IN (json_extract(e.payload,"
            " '$.conflict'), json_extract(e.payload, '$.winner')) OR EXISTS (SELECT 1 FROM"
            " json_each(e.payload, '$.losers') l WHERE l.value = ?)) ORDER BY e.seq"
        )
        with self._connection.reading() as sql:
            return read_events(sql, about, (id, id))

    def to_undo(self, seq: int | None = None) -> Event:
        """The decision that `undo` would take back; raises UndoRefused where there is none."""
        with self._connection.reading():
            return decision(self._connection.database, seq, PERSON)

    def decisions_after(self, seq: int) -> list[Event]:
        """What was decided after an event, oldest first, undoings included."""
        with self._connection.reading() as sql:
            return read_events(sql, f"WHERE e.seq > ? AND {DECIDED} ORDER BY e.seq", (seq,))

    def decided_since(self, seq: int) -> bool:
        """Was anything decided after this event, by a person or a strategy?"""
        query = f"SELECT 1 FROM events e WHERE e.seq > ? AND {DECIDED} LIMIT 1"
        with self._connection.reading() as sql:
            return sql.execute(query, (seq,)).fetchone() is not None

    def claims_changed_since(self, seq: int) -> set[str]:
        """Claims with an event after this one, whoever wrote it."""
        query = Events.select(Events.target_id).where((Events.seq > seq) & (Events.target_kind == "claim"))
        with self._connection.reading():
            return {id for (id,) in query.tuples().execute(self._connection.database)}

    def days(self) -> tuple[str, ...]:
        """Every day something was put on record, the oldest first."""
        day = peewee.fn.SUBSTR(Events.at, 1, 10)
        query = Events.select(day).distinct().order_by(day)
        with self._connection.reading():
            return tuple(day for (day,) in query.tuples().execute(self._connection.database))

    def verdicts(self) -> list[Kept]:
        """The claims the person kept against others, oldest first, as far as they stand by it."""
        with self._connection.reading() as sql:
            return verdicts(sql)

    def trust_resets(self) -> dict[str, int]:
        """Sources whose earlier verdicts no longer count, with the event that says so."""
        with self._connection.reading() as sql:
            return resets(sql)

    # writing; each returns the seq of its event
    def record(
        self, action: str, target: str, payload: Mapping[str, object], why: str = "", *,
        kind: Literal["note", "event", "conflict"] = "note", who: str = "person",
    ) -> int:  # fmt: skip
        """Put on record something done outside the store, such as an edit of a note.

        The payload names claims and files, never texts: the ledger must not keep what can be redacted.
        """
        with self._connection.deciding():
            ledger = self._decisions(who).ledger
            seq = ledger.add(action, kind, target, payload, why=why)
            ledger.flush()
            return seq

    def record_capture(
        self,
        action: Capture,
        ids: Sequence[str],
        why: str = "",
        *,
        source: str | None = None,
        against: Sequence[str] = (),
        exception: bool = False,
    ) -> int:
        """Put on record how claims came in: by which verb, from where, and against which others."""
        with self._connection.deciding():
            return self._decisions(PERSON).capture(action, ids, source, against, why, exception=exception)

    def undo(self, seq: int | None = None, *, who: str = "person") -> Undone:
        """Take back a decision (default: the person's last one not yet undone) by writing its inverse.

        Raises UndoRefused, saying why, when later events depend on it.
        """
        with self._connection.deciding():
            needs_comparing(self._meta)
            return undo(self._connection.database, seq, self._clock(), who)

    def _decisions(self, who: str) -> Decisions:
        return Decisions(self._connection.database, self._clock(), who)
