"""The cache of vectors: by content hash and model, so that no text is embedded twice."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping

from app.store.connection import Connection
from app.store.forgotten import may_keep
from app.store.texts import AMONG, listed


class StoredEmbeddings:
    """Vectors (float16 bytes) by content hash."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, hashes: Collection[str], model: str) -> dict[str, bytes]:
        """The vectors known for these content hashes."""
        with self._connection.reading() as sql:
            rows = sql.execute(
                "SELECT e.content_hash, e.vector FROM embeddings e JOIN embedding_models m"
                f" ON m.id = e.model_id WHERE m.name = ? AND e.content_hash {AMONG}",
                (model, listed(hashes)),
            )
            return dict(rows.fetchall())

    def put(self, vectors: Mapping[str, bytes], model: str) -> None:
        """A text's vector does not change, so a known one stays."""
        if not vectors:
            return
        with self._connection.writing() as sql:
            kept = may_keep(sql, vectors.keys())
            sql.execute("INSERT INTO embedding_models (name) VALUES (?) ON CONFLICT DO NOTHING", (model,))
            (id,) = sql.execute("SELECT id FROM embedding_models WHERE name = ?", (model,)).fetchone()
            sql.executemany(
                "INSERT INTO embeddings (content_hash, model_id, vector) VALUES (?, ?, ?)"
                " ON CONFLICT DO NOTHING",
                [(hash, id, vector) for hash, vector in sorted(vectors.items()) if hash in kept],
            )


def forget(connection: sqlite3.Connection, hashes: Collection[str]) -> None:
    """Drop the vectors of these texts, of every model; inside the caller's transaction."""
    connection.execute(f"DELETE FROM embeddings WHERE content_hash {AMONG}", (listed(hashes),))
