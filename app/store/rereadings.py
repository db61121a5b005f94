"""Norms that the language model read in statements the rules could not read.

A cache, so rows may be deleted. Keyed by claim, not by text, so that a redacted claim leaves nothing here.
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
    """The model's norms for one claim; None if its answer was unusable."""

    claim_id: str
    key: str
    """A hash of what the model read: if a title or heading changes, it must read the claim again."""
    norms: tuple[Norm, ...] | None


class StoredRereadings:
    """Norms by reader, that is by language model."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._meta = MetaValues(connection)

    def of(self, reader: str) -> list[Rereading]:
        """All of this reader's."""
        query = Rereadings.select(Rereadings.claim_id, Rereadings.key, Rereadings.norms)
        query = query.where(Rereadings.reader == reader).order_by(Rereadings.claim_id)
        with self._connection.reading():
            rows = query.tuples().execute(self._connection.database)
            return [Rereading(id, key, _load(norms)) for id, key, norms in rows]

    def put(self, reader: str, rows: Iterable[Rereading]) -> None:
        """Replaces any other model's norms for these claims."""
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
        """The reader that has nothing left to read; empty if something is left."""
        return self._meta.get("reread_by")

    def mark_complete(self, reader: str) -> None:
        """Record that this reader has nothing left to read; "" takes it back."""
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
