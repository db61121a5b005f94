"""A copy of what the person decided, in a file beside the store: enough to decide it again in one made anew.

It names claims and conflicts and holds no text that is not in the store too; being written anew with every
decision, it forgets what a redaction takes out. Earlier ones are kept for a while under numbered names.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import peewee

from app.private_files import write_whole
from app.regular_file import read_regular
from app.store.event_chain import DECIDED, DECISIONS, read_events
from app.store.read_conflicts import read_conflict

_ACTIONS = (*DECISIONS, "redacted")
_EARLIER = 2
_NEWEST = f"WHERE {DECIDED} ORDER BY e.seq DESC LIMIT 1"


@dataclass(frozen=True, slots=True)
class CopiedDecision:
    """One decision that stands."""

    at: str
    who: str
    action: str
    target: str
    why: str
    payload: dict[str, Any]
    conflict: dict[str, Any] | None = None
    """The conflict it was about, to be found or made again."""


@dataclass(frozen=True, slots=True)
class DecisionCopy:
    seq: int
    """The newest thing the person did, and the hash of that event: the store has to know it."""
    hash: str
    at: str
    decisions: tuple[CopiedDecision, ...]


def copy_path(store: Path) -> Path:
    return store.parent / f"{store.name}.decisions"


def of_ledger(db: peewee.SqliteDatabase) -> DecisionCopy | None:
    """What stands decided in a store; None where nobody ever decided anything."""
    connection = db.connection()
    newest = read_events(connection, _NEWEST, ())
    if not newest:
        return None
    marks = ", ".join("?" * len(_ACTIONS))
    events = read_events(
        connection,
        f"WHERE {DECIDED} AND e.action IN ({marks}) ORDER BY e.seq",
        _ACTIONS,
    )
    found = []
    for event in events:
        if event.undone:
            continue
        conflict = read_conflict(db, event.target_id) if event.target_kind == "conflict" else None
        payload = {name: value for name, value in event.payload.items() if name not in ("was", "texts")}
        told = asdict(conflict) if conflict is not None else None
        found.append(
            CopiedDecision(event.at, event.who, event.action, event.target_id, event.why, payload, told)
        )
    return DecisionCopy(newest[0].seq, newest[0].hash, newest[0].at, _last_ones(found))


def _last_ones(decisions: Iterable[CopiedDecision]) -> tuple[CopiedDecision, ...]:
    """Of several decisions about one conflict the last one counts."""
    last: dict[tuple[str, str], CopiedDecision] = {}
    for one in decisions:
        key = (one.target, "" if one.conflict is not None else one.action)
        last.pop(key, None)
        last[key] = one
    return tuple(last.values())


def write_copy(store: Path, copy: DecisionCopy) -> None:
    """Put it in the place of the one before, which is kept where it is of another day. Raises OSError."""
    path, *earlier = _places(store)
    before = _read(path)
    if before is not None and (before.at[:10] != copy.at[:10] or before.seq > copy.seq):
        for newer, older in reversed(list(pairwise((path, *earlier)))):
            with contextlib.suppress(FileNotFoundError):
                write_whole(older, read_regular(newer))
    body = json.dumps(asdict(copy), sort_keys=True)
    write_whole(path, f"{_digest(body)}\n{body}\n".encode())
    if _read(path) is None:
        raise OSError(f"{path} is not what was written")


def read_copy(store: Path) -> DecisionCopy | None:
    """The newest copy that is whole; None where there is none."""
    return next((copy for path in _places(store) if (copy := _read(path)) is not None), None)


def drop_earlier(store: Path) -> None:
    """Remove the copies of earlier days: they hold what was redacted since. Raises OSError."""
    for path in _places(store)[1:]:
        path.unlink(missing_ok=True)


def _places(store: Path) -> list[Path]:
    """The copy and the earlier ones, the newest first."""
    path = copy_path(store)
    return [path, *(path.with_name(f"{path.name}.{number}") for number in range(1, _EARLIER + 1))]


def _read(path: Path) -> DecisionCopy | None:
    try:
        digest, _, body = read_regular(path).decode().partition("\n")
        body = body.rstrip("\n")
        if digest != _digest(body):
            return None
        fields = json.loads(body)
        decisions = tuple(CopiedDecision(**one) for one in fields.pop("decisions"))
        return DecisionCopy(**fields, decisions=decisions)
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _digest(body: str) -> str:
    return hashlib.blake2b(body.encode(), digest_size=16).hexdigest()


def is_known_to(connection: sqlite3.Connection, copy: DecisionCopy) -> bool:
    """Does the ledger go on from where the copy was made?"""
    row = connection.execute("SELECT hash FROM events WHERE seq = ?", (copy.seq,)).fetchone()
    return row is not None and row[0].hex() == copy.hash
