"""The one table that holds texts: everything else refers to a row of it and to its salted hash."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Collection, Iterable
from typing import NamedTuple

dump = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""JSON as every table and event holds it; one encoder, because making one costs more than using it."""

AMONG = "IN (SELECT value FROM json_each(?))"
"""SQL that asks for one of many values, bound as one list of JSON: SQLite takes only so many parameters."""


def listed(values: Iterable[object]) -> str:
    """Values as AMONG takes them."""
    return dump(list(values))


class TextRef(NamedTuple):
    """A stored text as events name it: the hash stays true after the text itself is gone."""

    id: int
    hash: str


def salted_hash(salt: bytes, body: str) -> bytes:
    return hashlib.blake2b(salt + body.encode("utf-8", "surrogatepass"), digest_size=16).digest()


class TextWriter:
    """Collects new texts of one transaction; `flush` before anything that refers to them."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._next: int = connection.execute("SELECT coalesce(max(id), 0) + 1 FROM texts").fetchone()[0]
        self._rows: list[tuple[int, bytes, bytes, str]] = []

    def put(self, body: str, pool: dict[str, TextRef]) -> TextRef:
        """The text's reference, from the pool if it is there. A pool is one note's texts: a sentence
        and its mention as its neighbour's context are one row, while two notes share none."""
        ref = pool.get(body)
        if ref is None:
            salt = os.urandom(16)
            hash = salted_hash(salt, body)
            ref = pool[body] = TextRef(self._next, hash.hex())
            self._rows.append((self._next, salt, hash, body))
            self._next += 1
        return ref

    def flush(self) -> None:
        self._connection.executemany(
            "INSERT INTO texts (id, salt, hash, body) VALUES (?, ?, ?, ?)", self._rows
        )
        self._rows.clear()


def pool_of(connection: sqlite3.Connection, claim_ids: Iterable[str]) -> dict[str, TextRef]:
    """The texts some stored claims refer to."""
    pool: dict[str, TextRef] = {}
    columns = ("text_id", "quote_id", "parent_id", "before_id", "after_id")
    ids = " UNION ".join(f"SELECT {column} FROM claims WHERE id {AMONG}" for column in columns)
    for id, hash, body in connection.execute(
        f"SELECT id, hash, body FROM texts WHERE body IS NOT NULL AND id IN ({ids}) ORDER BY id",
        [listed(claim_ids)] * len(columns),
    ):
        pool.setdefault(body, TextRef(id, hash.hex()))
    return pool


def bodies(connection: sqlite3.Connection, ids: Collection[int]) -> dict[int, str]:
    """Texts by row id; a text that was taken out reads as empty."""
    if len(ids) > 5000:
        rows = connection.execute("SELECT id, body FROM texts WHERE id BETWEEN ? AND ?", (min(ids), max(ids)))
    else:
        rows = connection.execute(f"SELECT id, body FROM texts WHERE id {AMONG}", (listed(ids),))
    return {id: body or "" for id, body in rows.fetchall()}
