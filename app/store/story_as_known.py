"""The story as it was known at a moment: the ledger replayed up to then."""

from __future__ import annotations

import sqlite3

from app.store.codec import strings
from app.store.event_times import last_until
from app.store.replay import replay
from app.store.rows import SHOWN, StoryRow
from app.store.story_queries import file_day
from app.store.texts import bodies

_NO_NOTE = ("", 0)


def known_at(connection: sqlite3.Connection, at: str) -> list[StoryRow]:
    """Claims that stood in a note then. Title, heading, layer and strike are today's: the ledger has only the
    words."""
    beliefs = replay(connection, last_until(connection, at))
    believed = {id: row for id, row in beliefs.claims.items() if row.get("status") in SHOWN}
    disputed: dict[str, str] = {}
    for conflict, row in sorted(beliefs.conflicts.items()):
        if row.get("status", "open") == "open":
            for member in row.get("members", ()):
                disputed.setdefault(member, conflict)
    texts = bodies(connection, {row["text_id"] for row in believed.values()})
    notes = {
        path: (title, changed)
        for path, title, changed in connection.execute("SELECT path, title, mtime_ns FROM notes")
    }
    today = {
        id: rest
        for id, *rest in connection.execute(
            "SELECT id, heading, layer, struck, in_line FROM claims"
        ).fetchall()
        if id in believed
    }
    rows = [
        StoryRow(
            id, row["date"], row["path"], row["line"], notes.get(row["path"], _NO_NOTE)[0],
            strings(today[id][0]), texts.get(row["text_id"], ""), today[id][1], row["status"],
            disputed.get(id), bool(today[id][2]),
            None if row["date"] else file_day(notes.get(row["path"], _NO_NOTE)[1]),
        )
        for id, row in believed.items()
    ]  # fmt: skip
    return sorted(rows, key=lambda r: (r.date or "~", r.path, r.line, today[r.id][3], r.id))
