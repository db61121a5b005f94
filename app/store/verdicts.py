"""The person's verdicts in the ledger that still stand: which claim they kept against which others."""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

from app.store.event_chain import DECIDED, read_events

PERSON = "person"
RESET = "trust_reset"
"""The event that lets a source start anew; its target is the source."""
_GIVEN = ("kept", "resolved", "replaced")


class Kept(NamedTuple):
    """One claim kept against others, by the event that says so."""

    seq: int
    topic: str
    winner: str
    losers: tuple[str, ...]


def verdicts(connection: sqlite3.Connection) -> list[Kept]:
    """Oldest first. What was undone, or opened again later, is no verdict; nor is what a strategy did."""
    marks = ",".join("?" * len(_GIVEN))
    given = [
        event
        for event in read_events(
            connection,
            f"WHERE {DECIDED} AND e.who = ? AND e.action IN ({marks}) ORDER BY e.seq",
            (PERSON, *_GIVEN),
        )
        if not event.undone and event.payload.get("winner")
    ]
    if not given:
        return []
    again = _reopened(connection)
    topics = dict(connection.execute("SELECT id, slot_subject FROM conflicts").fetchall())
    found = []
    for event in given:
        if event.seq < again.get(event.target_id, 0):
            continue
        winner = event.payload["winner"]
        losers = tuple(id for id in event.payload.get("texts", ()) if id != winner)
        topic = topics.get(event.target_id) or _subject(connection, event.target_id)
        found.append(Kept(event.seq, topic, winner, losers))
    return found


def resets(connection: sqlite3.Connection) -> dict[str, int]:
    """Sources that were to start anew, each with the last event that said so."""
    rows = connection.execute(
        f"SELECT e.target_id, max(e.seq) FROM events e WHERE {DECIDED} AND e.action = ? GROUP BY e.target_id",
        (RESET,),
    )
    return dict(rows.fetchall())


def _reopened(connection: sqlite3.Connection) -> dict[str, int]:
    events = read_events(connection, f"WHERE {DECIDED} AND e.action = 'reopened' ORDER BY e.seq", ())
    return {event.target_id: event.seq for event in events if not event.undone}


def _subject(connection: sqlite3.Connection, claim_id: str) -> str:
    row = connection.execute(
        "SELECT subject FROM norms WHERE claim_id = ? ORDER BY n LIMIT 1", (claim_id,)
    ).fetchone()
    return row[0] if row else ""
