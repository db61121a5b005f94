"""Norms that the language model read out of statements the rules could not read.

A cache, so rows may go. By claim, not by text, so that a redacted claim leaves nothing here.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable
from typing import NamedTuple

from app.store.codec import norm_cells, norm_from
from app.store.texts import chunks
from app.words import Norm


class Rereading(NamedTuple):
    """What the model made of one claim; `norms` None where its answer was of no use."""

    claim_id: str
    key: str
    """A hash of what the model read: with another title or heading it would have to read again."""
    norms: tuple[Norm, ...] | None


def read(connection: sqlite3.Connection, reader: str) -> list[Rereading]:
    rows = connection.execute(
        "SELECT claim_id, key, norms FROM rereadings WHERE reader = ? ORDER BY claim_id", (reader,)
    )
    return [Rereading(id, key, _load(norms)) for id, key, norms in rows]


def write(connection: sqlite3.Connection, reader: str, rows: Iterable[Rereading]) -> None:
    """Inside the caller's transaction; what another reader said of these claims goes."""
    connection.executemany(
        "INSERT OR REPLACE INTO rereadings (claim_id, reader, key, norms) VALUES (?, ?, ?, ?)",
        [(row.claim_id, reader, row.key, _dump(row.norms)) for row in rows],
    )


def forget(connection: sqlite3.Connection, ids: Collection[str]) -> None:
    for some in chunks(sorted(set(ids))):
        connection.execute(f"DELETE FROM rereadings WHERE claim_id IN ({', '.join('?' * len(some))})", some)


def _dump(norms: tuple[Norm, ...] | None) -> str | None:
    return None if norms is None else json.dumps([norm_cells(norm) for norm in norms], ensure_ascii=False)


def _load(stored: str | None) -> tuple[Norm, ...] | None:
    return None if stored is None else tuple(norm_from((None, None, *cells)) for cells in json.loads(stored))
