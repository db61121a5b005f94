"""How much there is of everything, for the status line and `belie health`."""

from __future__ import annotations

import sqlite3

from app.store.rows import SHOWN, Counts


def counts(connection: sqlite3.Connection, now: str) -> Counts:
    notes = dict(connection.execute("SELECT state, count(*) FROM notes GROUP BY state"))
    claims = dict(connection.execute("SELECT status, count(*) FROM claims GROUP BY status"))
    conflicts = dict(
        connection.execute(
            "SELECT CASE WHEN status = 'open' AND snoozed_until > ? THEN 'snoozed' ELSE status END, count(*)"
            " FROM conflicts GROUP BY 1",
            (now,),
        )
    )
    return Counts(
        notes=notes.get("present", 0) + notes.get("unreadable", 0),
        unreadable=notes.get("unreadable", 0),
        claims=sum(claims.get(status, 0) for status in SHOWN),
        active=claims.get("active", 0),
        candidate=claims.get("candidate", 0),
        superseded=claims.get("superseded", 0),
        retracted=claims.get("retracted", 0),
        redacted=claims.get("redacted", 0),
        open=conflicts.get("open", 0),
        snoozed=conflicts.get("snoozed", 0),
        resolved=conflicts.get("resolved", 0),
        dismissed=conflicts.get("dismissed", 0),
        events=connection.execute("SELECT coalesce(max(seq), 0) FROM events").fetchone()[0],
    )
