"""The ledger read from its first event: what claims and conflicts must be by now."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass, field
from typing import Any

_CLAIM = ("path", "line", "end_line", "date", "status", "superseded_by", "previous")
_CONFLICT = ("kind", "tier", "confidence", "status", "resolution", "winner", "snoozed_until")

Row = dict[str, Any]


@dataclass(slots=True)
class Beliefs:
    """Claims and conflicts by id, as far as the ledger tells them; texts by their row."""

    claims: dict[str, Row] = field(default_factory=dict)
    conflicts: dict[str, Row] = field(default_factory=dict)
    details: dict[str, int] = field(default_factory=dict, compare=False)
    """By conflict, the text that holds its question, slot and reasons."""


def replay(connection: sqlite3.Connection, until: int | None = None) -> Beliefs:
    """Everything up to and with an event (default: the last)."""
    beliefs = Beliefs()
    rows = connection.execute(
        "SELECT at, action, target_kind, target_id, payload FROM events"
        " WHERE seq <= coalesce(?, seq) ORDER BY seq",
        (until,),
    )
    for at, action, kind, target, text in rows:
        payload = json.loads(text)
        if kind == "claim":
            _claim(beliefs, action, target, payload)
        elif kind == "conflict":
            _conflict(beliefs, at, target, payload)
        elif kind == "note":
            _note(beliefs, target, payload)
    return beliefs


def _claim(beliefs: Beliefs, action: str, id: str, payload: Row) -> None:
    if action == "added":
        beliefs.claims[id] = dict.fromkeys(_CLAIM)
    row = beliefs.claims.setdefault(id, {})
    row.update((name, payload[name]) for name in _CLAIM if name in payload)
    if "text" in payload:
        row["text_id"] = payload["text"][0]


def _conflict(beliefs: Beliefs, at: str, id: str, payload: Row) -> None:
    row = beliefs.conflicts.setdefault(id, {})
    row.update((name, payload[name]) for name in _CONFLICT if name in payload)
    if "status" in payload:
        row["resolved_at"] = None if payload["status"] == "open" else at
    if "detail" in payload:
        beliefs.details[id] = payload["detail"][0]
    if "members" in payload:
        row["members"] = list(payload["members"])


def _note(beliefs: Beliefs, path: str, payload: Row) -> None:
    for id, (line, end_line) in payload.get("lines", {}).items():
        beliefs.claims[id] |= {"line": line, "end_line": end_line}
    for id in payload.get("claims", ()):
        beliefs.claims[id]["path"] = path


def kept(connection: sqlite3.Connection) -> Beliefs:
    """The same, from the tables."""
    names = (*_CLAIM, "text_id")
    claims = {
        row[0]: dict(zip(names, row[1:], strict=True))
        for row in connection.execute(f"SELECT id, {', '.join(names)} FROM claims")
    }
    names = (*_CONFLICT, "resolved_at")
    conflicts = {
        row[0]: {**dict(zip(names, row[1:], strict=True)), "members": []}
        for row in connection.execute(f"SELECT id, {', '.join(names)} FROM conflicts")
    }
    for conflict_id, member_id in connection.execute(
        "SELECT conflict_id, member_id FROM conflict_members WHERE left_at IS NULL"
        " ORDER BY conflict_id, position, member_id"
    ):
        conflicts[conflict_id]["members"].append(member_id)
    return Beliefs(claims, conflicts)
