"""Reading claims; all those of a large vault load in one sweep over each table."""

from __future__ import annotations

import gc
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

import peewee

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
from app.store.event_chain import DECIDED
from app.store.tables import Claims
from app.store.texts import bodies, chunks
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
    where: list[str] = []
    params: list[object] = []
    if status is not None:
        statuses = [status] if isinstance(status, str) else list(status)
        where.append(f"status IN ({','.join('?' * len(statuses))})")
        params += statuses
    narrowed = [
        (column, list(dict.fromkeys(values)))
        for column, values in (("path", paths), ("id", ids))
        if values is not None
    ]
    if not narrowed:
        sql = f"{_CLAIMS}{' WHERE ' if where else ''}{' AND '.join(where)}"
        rows = connection.execute(sql, params).fetchall()
    else:
        column, values = min(narrowed, key=lambda one: len(one[1]))
        rows = []
        for some in chunks(values):
            marks = ",".join("?" * len(some))
            sql = f"{_CLAIMS} WHERE {' AND '.join([*where, f'{column} IN ({marks})'])}"
            rows += connection.execute(sql, [*params, *some]).fetchall()
        for other, wanted in narrowed:
            if other != column:
                keep, at = set(wanted), CLAIM_COLUMNS.index(other)
                rows = [row for row in rows if row[at] in keep]
    rows.sort(key=lambda row: (row[1], row[2], row[0]))
    return rows


def _note_fields(connection: sqlite3.Connection, paths: set[str]) -> dict[str, NoteFields]:
    sql = "SELECT path, title, aliases, properties FROM notes"
    if len(paths) > _MOST_KEYS:
        rows = connection.execute(sql).fetchall()
    else:
        rows = [
            row
            for some in chunks(sorted(paths))
            for row in connection.execute(f"{sql} WHERE path IN ({','.join('?' * len(some))})", some)
        ]
    return {path: NoteFields(title, strings(aliases), pairs(props)) for path, title, aliases, props in rows}


def _norms(connection: sqlite3.Connection, ids: list[str]) -> dict[str, tuple[Norm, ...]]:
    if len(ids) > _MOST_KEYS:
        rows = connection.execute(f"{_NORMS} ORDER BY claim_id, n").fetchall()
    else:
        rows = [
            row
            for some in chunks(ids)
            for row in connection.execute(
                f"{_NORMS} WHERE claim_id IN ({','.join('?' * len(some))}) ORDER BY claim_id, n", some
            )
        ]
    found: dict[str, tuple[Norm, ...]] = {}
    for row in rows:
        norm = norm_from(row)
        found[row[0]] = (*found[row[0]], norm) if row[1] else (norm,)
    return found


def claim_ids(connection: sqlite3.Connection) -> set[str]:
    return {id for (id,) in connection.execute("SELECT id FROM claims")}


def promoted(database: peewee.SqliteDatabase, ids: Collection[str] | None = None) -> set[str]:
    query = Claims.select(Claims.id).where(Claims.promoted)
    queries = [query] if ids is None else [query.where(Claims.id.in_(some)) for some in chunks(sorted(ids))]
    return {id for query in queries for (id,) in query.tuples().execute(database)}


def ingested(connection: sqlite3.Connection) -> set[str]:
    rows = connection.execute(
        "SELECT c.value FROM events e, json_each(e.payload, '$.claims') c"
        f" WHERE {DECIDED} AND e.action = 'ingested'"
    )
    return {id for (id,) in rows}
