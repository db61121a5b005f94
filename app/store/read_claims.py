"""Reading claims; all those of a large vault load in one sweep over each table."""

from __future__ import annotations

import gc
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

from app.store.codec import (
    CLAIM_COLUMNS,
    NORM_COLUMNS,
    TEXT_COLUMNS,
    NoteFields,
    claim_from,
    norm_from,
    pairs,
    strings,
)
from app.store.texts import AMONG, bodies, listed
from app.words import Claim, Norm, Status

_CLAIMS = f"SELECT {', '.join(CLAIM_COLUMNS)} FROM claims"
_NORMS = f"SELECT {', '.join(NORM_COLUMNS)} FROM norms"
_MOST_KEYS = 2000
"""Above this number, fetch all rows instead of filtering by path or id."""


def read_claims(
    connection: sqlite3.Connection,
    status: Status | Collection[Status] | None,
    *,
    paths: Collection[str] | None = None,
    ids: Collection[str] | None = None,
) -> Iterator[Claim]:
    """Everything is fetched at once, so the claims are of one moment."""
    with _collector_at_rest():
        return iter(_read(connection, status, paths, ids))


@contextmanager
def _collector_at_rest() -> Iterator[None]:
    """Python's garbage collector walks the growing heap again and again while a large vault loads,
    for a quarter of the time, and finds nothing: rows and claims hold no cycles."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _read(
    connection: sqlite3.Connection,
    status: Status | Collection[Status] | None,
    paths: Collection[str] | None,
    ids: Collection[str] | None,
) -> list[Claim]:
    rows = _rows(connection, status, paths, ids)
    if not rows:
        return []
    texts = bodies(connection, {id for row in rows for id in row[TEXT_COLUMNS] if id is not None})
    notes = _note_fields(connection, {row[1] for row in rows})
    norms = _norms(connection, [row[0] for row in rows])
    return [claim_from(row, texts, notes, norms.get(row[0], ())) for row in rows]


def _rows(
    connection: sqlite3.Connection,
    status: Status | Collection[Status] | None,
    paths: Collection[str] | None,
    ids: Collection[str] | None,
) -> list[tuple[Any, ...]]:
    asked = {"status": [status] if isinstance(status, str) else status, "path": paths, "id": ids}
    narrowed = {column: listed(values) for column, values in asked.items() if values is not None}
    where = " AND ".join(f"{column} {AMONG}" for column in narrowed) or "1"
    rows = connection.execute(f"{_CLAIMS} WHERE {where}", list(narrowed.values())).fetchall()
    rows.sort(key=lambda row: (row[1], row[2], row[0]))
    return rows


def _note_fields(connection: sqlite3.Connection, paths: set[str]) -> dict[str, NoteFields]:
    sql = "SELECT path, title, aliases, properties FROM notes"
    if len(paths) > _MOST_KEYS:
        rows = connection.execute(sql)
    else:
        rows = connection.execute(f"{sql} WHERE path {AMONG}", (listed(paths),))
    return {path: NoteFields(title, strings(aliases), pairs(props)) for path, title, aliases, props in rows}


def _norms(connection: sqlite3.Connection, ids: list[str]) -> dict[str, tuple[Norm, ...]]:
    if len(ids) > _MOST_KEYS:
        rows = connection.execute(f"{_NORMS} ORDER BY claim_id, n")
    else:
        rows = connection.execute(f"{_NORMS} WHERE claim_id {AMONG} ORDER BY claim_id, n", (listed(ids),))
    found: dict[str, tuple[Norm, ...]] = {}
    for row in rows:
        norm = norm_from(row)
        found[row[0]] = (*found[row[0]], norm) if row[1] else (norm,)
    return found
