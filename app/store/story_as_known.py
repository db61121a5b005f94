"""The story as it was known at a moment: the ledger replayed up to then."""

from __future__ import annotations

import sqlite3

from app.store.codec import strings
from app.store.event_times import last_until
from app.store.replay import replay
from app.store.rows import SHOWN, StoryRow
from app.store.texts import bodies


def known_at(connection: sqlite3.Connection, at: str) -> list[StoryRow]:
    """Claims that stood in a note then. Title, heading and layer are today's; the ledger does not tell."""
    beliefs = replay(connection, last_until(connection, at))
    believed = {id: row for id, row in beliefs.claims.items() if row.get("status") in SHOWN}
    disputed: dict[str, str] = {}
    for conflict, row in sorted(beliefs.conflicts.items()):
        if row.get("status", "open") == "open":
            for member in row.get("members", ()):
                disputed.setdefault(member, conflict)
    texts = bodies(connection, {row["text_id"] for row in believed.values()})
    titles: dict[str, str] = dict(connection.execute("SELECT path, title FROM notes").fetchall())
    today = {
        id: rest
        for id, *rest in connection.execute("SELECT id, heading, layer, first_seen FROM claims").fetchall()
        if id in believed
    }
    rows = [
        StoryRow(
            id, row["date"], row["path"], row["line"], titles.get(row["path"], ""),
            strings(today[id][0]), texts.get(row["text_id"], ""), today[id][1], row["status"],
            disputed.get(id),
        )
        for id, row in believed.items()
    ]  # fmt: skip
    return sorted(rows, key=lambda r: (r.date or "~", "" if r.date else today[r.id][2], r.path, r.line, r.id))
