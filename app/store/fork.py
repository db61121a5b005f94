"""A fork: another store that knows only what the ledger had told up to an event, made by replaying it.

The ledger does not tell everything a row has: quotes, headings, layers and norms are today's.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.store.connection import connect
from app.store.errors import Refused
from app.store.forgotten import SALT
from app.store.replay import Beliefs, replay
from app.store.texts import bodies, dump

FORKED_AT = "forked_at"
"""The key in a fork's `meta`: the last event it shares with the store it was made from."""
APPLIED = "applied"
"""Which of its decisions were made in that store too."""
_META = ("extractor", SALT)


def boundary(connection: sqlite3.Connection, seq: int) -> int:
    """The end of the transaction an event belongs to; in its middle there is no state to speak of."""
    row = connection.execute("SELECT at FROM events WHERE seq = ?", (seq,)).fetchone()
    if row is None and seq != 0:
        raise Refused(f"There is no event {seq}.")
    end: int = connection.execute(
        "SELECT coalesce(max(seq), 0) FROM events WHERE seq >= ? AND at = ?", (seq, row[0] if row else "")
    ).fetchone()[0]
    return end


def fork(source: sqlite3.Connection, path: Path, seq: int) -> None:
    """Make the file; one that cannot be finished is not left behind."""
    link = connect(path, read_only=False, busy_ms=5000)
    try:
        with link.writing() as target:
            _fill(source, target, seq)
    except BaseException:
        link.close()
        for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
            path.with_name(name).unlink(missing_ok=True)
        raise
    link.close()


def _fill(source: sqlite3.Connection, target: sqlite3.Connection, seq: int) -> None:
    beliefs = replay(source, seq)
    seats = _seats(source, seq)
    meta = dict(source.execute("SELECT key, value FROM meta").fetchall())
    kept = {key: meta[key] for key in _META if key in meta}
    kept |= {"needs_reindex": "0", "compared": "1", FORKED_AT: str(seq), APPLIED: "[]"}
    target.executemany("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", kept.items())
    for table in ("texts", "notes"):
        _copy(source, target, table)
    _copy(source, target, "events", f"WHERE seq <= {int(seq)} ORDER BY seq")
    _claims(source, target, beliefs, seq)
    _conflicts(source, target, beliefs, seats)
    forgotten = "WHERE claim_id IN (SELECT target_id FROM events WHERE action = 'tombstone' AND seq <= "
    _copy(source, target, "redactions", f"{forgotten}{int(seq)})")


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    """Those that are stored; the computed ones are hidden from this list."""
    return [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]


def _insert(target: sqlite3.Connection, table: str, columns: list[str], rows: Iterable[Any]) -> None:
    marks = ", ".join("?" * len(columns))
    target.executemany(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", rows)


def _copy(source: sqlite3.Connection, target: sqlite3.Connection, table: str, rest: str = "") -> None:
    columns = _columns(source, table)
    _insert(target, table, columns, source.execute(f"SELECT {', '.join(columns)} FROM {table} {rest}"))


def _claims(source: sqlite3.Connection, target: sqlite3.Connection, beliefs: Beliefs, seq: int) -> None:
    columns = _columns(source, "claims")
    promoted = {
        id
        for (id,) in source.execute(
            "SELECT target_id FROM events WHERE action = 'activated' AND seq <= ?", (seq,)
        )
    }

    def then(row: tuple[Any, ...]) -> list[Any]:
        today = dict(zip(columns, row, strict=True))
        today |= beliefs.claims[today["id"]]
        today["promoted"] = int(bool(today["promoted"]) and today["id"] in promoted)
        return [today[column] for column in columns]

    known = (
        row
        for row in source.execute(f"SELECT {', '.join(columns)} FROM claims ORDER BY rowid")
        if row[columns.index("id")] in beliefs.claims
    )
    _insert(target, "claims", columns, map(then, known))
    norms = _columns(source, "norms")
    rows = source.execute(f"SELECT {', '.join(norms)} FROM norms")
    _insert(target, "norms", norms, (row for row in rows if row[0] in beliefs.claims))


@dataclass(slots=True)
class _Seats:
    """Who was ever a member of a conflict, since when, and until when."""

    joined: dict[str, str] = field(default_factory=dict)
    left: dict[str, str] = field(default_factory=dict)


def _seats(source: sqlite3.Connection, seq: int) -> dict[str, _Seats]:
    found: dict[str, _Seats] = {}
    for id, at, text in source.execute(
        "SELECT target_id, at, payload FROM events WHERE target_kind = 'conflict' AND seq <= ? ORDER BY seq",
        (seq,),
    ):
        told, payload = found.setdefault(id, _Seats()), json.loads(text)
        if "members" in payload:
            now = set(payload["members"])
            told.left |= {gone: at for gone in told.joined.keys() - now if gone not in told.left}
            for member in now:
                told.joined.setdefault(member, at)
                told.left.pop(member, None)
    return found


def _conflicts(
    source: sqlite3.Connection, target: sqlite3.Connection, beliefs: Beliefs, seats: dict[str, _Seats]
) -> None:
    columns = _columns(source, "conflicts")
    texts = bodies(source, set(beliefs.details.values()))
    rows = []
    for row in source.execute(f"SELECT {', '.join(columns)} FROM conflicts").fetchall():
        then = dict(zip(columns, row, strict=True))
        if then["id"] not in beliefs.conflicts:
            continue
        then |= {k: v for k, v in beliefs.conflicts[then["id"]].items() if k != "members"}
        detail = texts.get(beliefs.details.get(then["id"], 0))
        if detail:  # a redacted one stays as it is today
            question, slot, reasons = json.loads(detail)
            then |= {"question": question, "reasons": dump(reasons), "slot_kind": slot["kind"]}
            then |= {
                "slot_key": dump(slot["key"]),
                "slot_subject": slot["subject"],
                "project": slot["project"],
            }
        rows.append([then[column] for column in columns])
    _insert(target, "conflicts", columns, rows)
    _members(source, target, beliefs, seats)


def _members(
    source: sqlite3.Connection, target: sqlite3.Connection, beliefs: Beliefs, seats: dict[str, _Seats]
) -> None:
    columns = [
        "conflict_id",
        "member_kind",
        "member_id",
        "member_layer_trust",
        "position",
        "joined_at",
        "left_at",
    ]
    rows = []
    for id, kind, member, trust in source.execute(
        "SELECT conflict_id, member_kind, member_id, member_layer_trust FROM conflict_members"
    ):
        if id not in beliefs.conflicts or member not in seats[id].joined:
            continue
        now = beliefs.conflicts[id].get("members", [])
        position = now.index(member) if member in now else len(now)
        rows.append((id, kind, member, trust, position, seats[id].joined[member], seats[id].left.get(member)))
    _insert(target, "conflict_members", columns, rows)
