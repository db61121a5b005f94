"""Reading notes: their stats, their tags, and what was wrong with them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection

import peewee

from app.store.tables import Claims, Notes
from app.store.texts import chunks
from app.words import Known


def known_notes(connection: sqlite3.Connection, paths: Collection[str] | None = None) -> dict[str, Known]:
    sql = (
        "SELECT path, size, mtime_ns, inode, content_hash, indexed_ns FROM notes"
        " WHERE state <> 'gone' AND content_hash <> ''"
    )
    if paths is None:
        return {row[0]: Known._make(row) for row in connection.execute(sql)}
    return {
        row[0]: Known._make(row)
        for some in chunks(sorted(set(paths)))
        for row in connection.execute(f"{sql} AND path IN ({','.join('?' * len(some))})", some)
    }


def paths_read_by(database: peewee.SqliteDatabase, extractor: str) -> set[str]:
    query = Claims.select(Claims.path).where(Claims.extractor == extractor).distinct()
    return {path for (path,) in query.tuples().execute(database)}


def note_tags(database: peewee.SqliteDatabase, paths: Collection[str]) -> dict[str, tuple[str, ...]]:
    return {
        path: tuple(json.loads(tags))
        for some in chunks(sorted(paths))
        for path, tags in Notes.select(Notes.path, Notes.tags)
        .where(Notes.path.in_(some))
        .tuples()
        .execute(database)
    }


def problems(database: peewee.SqliteDatabase) -> list[tuple[str, str]]:
    query = (
        Notes.select(Notes.path, Notes.problems)
        .where((Notes.state != "gone") & (Notes.problems != "[]"))
        .order_by(Notes.path)
    )
    return [
        (path, problem) for path, found in query.tuples().execute(database) for problem in json.loads(found)
    ]


def unreadable(database: peewee.SqliteDatabase) -> set[str]:
    query = Notes.select(Notes.path).where((Notes.state == "unreadable") & (Notes.content_hash != ""))
    return {path for (path,) in query.tuples().execute(database)}
