"""The ledger: events are only ever appended, each holding the hash of the one before it."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Mapping
from typing import Literal

from app.store.rows import Event
from app.store.texts import TextWriter, dump

TargetKind = Literal["claim", "conflict", "note", "event"]
BELIE = "belie"
"""Author of automatic events."""
DECIDED = f"e.cause IS NULL AND e.who <> '{BELIE}'"
"""SQL condition: event `e` is a decision of a person or a strategy. Without parameters, since SQLite uses the
index of decisions only if the text itself excludes Belie's own events."""
GENESIS = bytes(32)

DECISIONS = ("kept", "dismissed", "resolved", "snoozed", "reopened", "promoted", "replaced")
"""Actions of decisions, which can be undone: their events have no cause."""

Capture = Literal["remembered", "learned", "ingested", "excepted"]
"""How a captured claim was stored; `excepted` means despite a blocking conflict."""


def event_hash(
    prev: bytes, seq: int, at: str, who: str, action: str, kind: str, target: str,
    why: str | None, payload: str, cause: int | None,
) -> bytes:  # fmt: skip
    """A hash over the whole row, with the reason as its salted hash, so that it can be redacted."""
    row = dump([seq, at, who, action, kind, target, why, payload, cause])
    return hashlib.blake2b(prev + row.encode("utf-8", "surrogatepass"), digest_size=32).digest()


class LedgerWriter:
    """Appends the events of one transaction, in the order they happen."""

    def __init__(self, connection: sqlite3.Connection, texts: TextWriter, at: str, who: str) -> None:
        self._connection = connection
        self._texts = texts
        self._at = at
        self._who = who
        last = connection.execute("SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1").fetchone()
        self._seq: int = last[0] if last else 0
        self._hash: bytes = last[1] if last else GENESIS
        self._rows: list[tuple[object, ...]] = []

    def add(
        self,
        action: str,
        kind: TargetKind,
        target: str,
        payload: Mapping[str, object],
        *,
        why: str = "",
        cause: int | None = None,
    ) -> int:
        why_id = why_hash = None
        if why:
            why_id, why_hash = self._texts.put(why, {})
        body = dump(payload)
        seq = self._seq + 1
        hash = event_hash(self._hash, seq, self._at, self._who, action, kind, target, why_hash, body, cause)
        self._rows.append(
            (seq, self._at, self._who, action, kind, target, why_id, body, cause, self._hash, hash)
        )
        self._seq, self._hash = seq, hash
        return seq

    def flush(self) -> None:
        self._texts.flush()
        self._connection.executemany(
            "INSERT INTO events (seq, at, who, action, target_kind, target_id, why_id, payload, cause,"
            " prev_hash, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            self._rows,
        )
        self._rows.clear()


_SELECT = """
    SELECT e.seq, e.at, e.who, e.action, e.target_kind, e.target_id, t.body, e.payload, e.cause, e.hash,
           e.cause IS NULL AND EXISTS (
               SELECT 1 FROM events u WHERE u.target_id = CAST(e.seq AS TEXT) AND u.action = 'undo')
    FROM events e LEFT JOIN texts t ON t.id = e.why_id
"""


def read_events(connection: sqlite3.Connection, rest: str, params: tuple[object, ...]) -> list[Event]:
    """The events that `rest` (WHERE, ORDER BY, LIMIT) selects."""
    return [
        Event(
            seq,
            at,
            who,
            action,
            kind,
            target,
            why or "",
            json.loads(payload),
            cause,
            hash.hex(),
            bool(undone),
        )
        for seq, at, who, action, kind, target, why, payload, cause, hash, undone in connection.execute(
            f"{_SELECT} {rest}", params
        )
    ]


def broken_links(connection: sqlite3.Connection) -> Iterator[str]:
    """A sentence for each place where the chain is broken."""
    prev, expected = GENESIS, 1
    rows = connection.execute(
        "SELECT e.seq, e.at, e.who, e.action, e.target_kind, e.target_id, t.hash, e.payload, e.cause,"
        " e.prev_hash, e.hash FROM events e LEFT JOIN texts t ON t.id = e.why_id ORDER BY e.seq"
    )
    for seq, at, who, action, kind, target, why, payload, cause, prev_hash, hash in rows:
        if seq != expected:
            yield f"event {expected} is missing from the ledger"
        elif prev_hash != prev:
            yield f"event {seq} does not follow the one before it"
        why_hash = why.hex() if why else None
        if event_hash(prev_hash, seq, at, who, action, kind, target, why_hash, payload, cause) != hash:
            yield f"event {seq} was altered"
        prev, expected = hash, seq + 1
