"""Norms that the language model read out of statements the rules could not read.

A cache, so rows may go. By claim, not by text, so that a redacted claim leaves nothing here.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable
from typing import NamedTuple

from app.store.codec import norm_cells, norm_from
from app.store.connection import Connection
from app.store.forgotten import tombstones
from app.store.meta import MetaValues
from app.store.tables import Rereadings
from app.store.texts import AMONG, listed
from app.words import Norm


class Rereading(NamedTuple):
    """What the model made of one claim; `norms` None where its answer was of no use."""

    claim_id: str
    key: str
    """A hash of what the model read: with another title or heading it would have to read again."""
    norms: tuple[Norm, ...] | None


class StoredRereadings:
    """What a reader, that is a language model, made of claims."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._meta = MetaValues(connection)

    def of(self, reader: str) -> list[Rereading]:
        """What this reader made of claims."""
        query = Rereadings.select(Rereadings.claim_id, Rereadings.key, Rereadings.norms)
        query = query.where(Rereadings.reader == reader).order_by(Rereadings.claim_id)
        with self._connection.reading():
            rows = query.tuples().execute(self._connection.database)
            return [Rereading(id, key, _load(norms)) for id, key, norms in rows]

    def put(self, reader: str, rows: Iterable[Rereading]) -> None:
        """What another reader said of these claims goes."""
        with self._connection.writing() as sql:
            gone = tombstones(sql)
            sql.executemany(
                "INSERT OR REPLACE INTO rereadings (claim_id, reader, key, norms) VALUES (?, ?, ?, ?)",
                [
                    (row.claim_id, reader, row.key, _dump(row.norms))
                    for row in rows
                    if row.claim_id not in gone
                ],
            )

    @property
    def complete_by(self) -> str:
        """The reader that has nothing left to read; empty where something is."""
        return self._meta.get("reread_by")

    def mark_complete(self, reader: str) -> None:
        """This reader has nothing left to read; "" takes it back."""
        if self.complete_by != reader:
            with self._connection.writing():
                self._meta.set("reread_by", reader)


def forget(connection: sqlite3.Connection, ids: Collection[str]) -> None:
    """Inside the caller's transaction."""
    connection.execute(f"DELETE FROM rereadings WHERE claim_id {AMONG}", (listed(ids),))


def _dump(norms: tuple[Norm, ...] | None) -> str | None:
    return None if norms is None else json.dumps([norm_cells(norm) for norm in norms], ensure_ascii=False)


def _load(stored: str | None) -> tuple[Norm, ...] | None:
    return None if stored is None else tuple(norm_from((None, None, *cells)) for cells in json.loads(stored))
