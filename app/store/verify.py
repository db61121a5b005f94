"""Looking for anything wrong with a store, from SQLite's own checks to the ledger's word."""

from __future__ import annotations

import json
import sqlite3
from collections import deque
from collections.abc import Iterator

from app.store.event_chain import broken_links
from app.store.read_claims import read_claims
from app.store.replay import Row, kept, replay
from app.store.texts import bodies, salted_hash

_INVARIANTS = {
    "has more than one open conflict in its slot":
        "SELECT min(id) FROM conflicts WHERE status = 'open' AND slot_key <> '[]'"
        " GROUP BY slot_kind, slot_key HAVING count(*) > 1",
    "is superseded by nothing":
        "SELECT id FROM claims WHERE status = 'superseded' AND superseded_by IS NULL",
    "was never added in the ledger":
        "SELECT id FROM claims WHERE id NOT IN (SELECT target_id FROM events WHERE action = 'added')",
    "is open with fewer than two members":
        "SELECT id FROM conflicts c WHERE status = 'open' AND 2 > (SELECT count(*) FROM conflict_members m"
        " WHERE m.conflict_id = c.id AND m.left_at IS NULL)",
    "is redacted and still has its text":
        "SELECT c.id FROM claims c JOIN texts t ON t.id IN (c.text_id, c.quote_id)"
        " WHERE c.status = 'redacted' AND (t.body IS NOT NULL OR t.salt <> x'')"
        " UNION SELECT c.id FROM claims c JOIN norms n ON n.claim_id = c.id WHERE c.status = 'redacted'"
        " UNION SELECT id FROM claims WHERE status = 'redacted' AND content_hash <> ''",
    "was redacted and is not remembered as such":
        "SELECT e.target_id FROM events e WHERE e.action = 'tombstone' AND json_extract(e.payload,"
        " '$.remembered') NOT IN (SELECT lower(hex(hash)) FROM redactions)",
    "was redacted with another salt":
        "SELECT target_id FROM events WHERE action = 'redacted' AND json_extract(payload, '$.salt') NOT IN"
        " (SELECT value FROM meta WHERE key = 'redaction_salt')",
    "is remembered as redacted and is not":
        "SELECT claim_id FROM redactions WHERE claim_id NOT IN"
        " (SELECT id FROM claims WHERE status = 'redacted')",
    "is settled without a time":
        "SELECT id FROM conflicts WHERE status <> 'open' AND resolved_at IS NULL",
    "belongs to an event that is no decision":
        "SELECT 'event ' || seq FROM events WHERE cause IN (SELECT seq FROM events WHERE cause IS NOT NULL)",
}  # fmt: skip


def verify(connection: sqlite3.Connection) -> list[str]:
    return [
        *_sqlite(connection),
        *_read_whole("the texts", _texts(connection)),
        *_read_whole("the ledger", broken_links(connection)),
        *_read_whole("the tables", _invariants(connection)),
        *_read_whole("the claims", _readable(connection)),
        *_read_whole("claims and conflicts", _ledger(connection)),
    ]


def _readable(connection: sqlite3.Connection) -> Iterator[str]:
    """Can every claim be read with its norms and its note, as commands do?"""
    deque(read_claims(connection, None), maxlen=0)
    for (path,) in connection.execute(
        "SELECT path FROM notes WHERE NOT"
        " (json_valid(aliases) AND json_valid(tags) AND json_valid(properties) AND json_valid(problems))"
    ):
        yield f"the note {path} cannot be read"


def _read_whole(what: str, problems: Iterator[str]) -> Iterator[str]:
    """A damaged row may make no sense at all; that is a finding too."""
    try:
        yield from problems
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        yield f"{what} cannot be read: {error}"


def _sqlite(connection: sqlite3.Connection) -> Iterator[str]:
    for (line,) in connection.execute("PRAGMA integrity_check"):
        if line != "ok":
            yield f"SQLite: {line}"
    for table, rowid, parent, _ in connection.execute("PRAGMA foreign_key_check"):
        yield f"row {rowid} of {table} points to nothing in {parent}"


def _texts(connection: sqlite3.Connection) -> Iterator[str]:
    for id, salt, hash, body in connection.execute(
        "SELECT id, salt, hash, body FROM texts WHERE body IS NOT NULL"
    ):
        if salted_hash(salt, body) != hash:
            yield f"text {id} was altered"


def _invariants(connection: sqlite3.Connection) -> Iterator[str]:
    for what, sql in _INVARIANTS.items():
        for (id,) in connection.execute(sql):
            yield f"{id} {what}"


def _ledger(connection: sqlite3.Connection) -> Iterator[str]:
    """The tables are kept in step with the events; here that is checked."""
    told, found = replay(connection), kept(connection)
    yield from _differences(told.claims, found.claims)
    yield from _differences(told.conflicts, found.conflicts)
    yield from _details(connection, told.details)


def _details(connection: sqlite3.Connection, told: dict[str, int]) -> Iterator[str]:
    """Question, slot and reasons, as far as nothing was redacted from them."""
    rows = connection.execute(
        "SELECT id, question, slot_kind, slot_subject, slot_key, project, reasons FROM conflicts ORDER BY id"
    ).fetchall()
    texts = bodies(connection, list(told.values())) if told else {}
    for id, question, kind, subject, key, project, reasons in rows:
        body = texts.get(told.get(id, 0))
        if not body:
            continue
        slot = {"kind": kind, "subject": subject, "key": json.loads(key), "project": project}
        if json.loads(body) != [question, slot, json.loads(reasons)]:
            yield f"{id}: its question, slot or reasons are not what the ledger says"


def _differences(told: dict[str, Row], found: dict[str, Row]) -> Iterator[str]:
    for id in sorted(told.keys() | found.keys()):
        if id not in found:
            yield f"{id} is in the ledger but not in its table"
        elif id not in told:
            yield f"{id} is in its table but not in the ledger"
        else:
            for name, value in found[id].items():
                if told[id].get(name) != value:
                    yield f"{id}: {name} is {value!r}, the ledger says {told[id].get(name)!r}"
