"""The cache of vectors: by content hash and model, so that no text is embedded twice."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping

from app.store.texts import chunks


def read(connection: sqlite3.Connection, hashes: Collection[str], model: str) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for some in chunks(sorted(set(hashes))):
        found.update(
            connection.execute(
                "SELECT e.content_hash, e.vector FROM embeddings e"
                " JOIN embedding_models m ON m.id = e.model_id"
                f" WHERE m.name = ? AND e.content_hash IN ({', '.join('?' * len(some))})",
                (model, *some),
            )
        )
    return found


def write(connection: sqlite3.Connection, vectors: Mapping[str, bytes], model: str) -> None:
    """Inside the caller's transaction. A text's vector does not change, so a known one stays."""
    connection.execute("INSERT INTO embedding_models (name) VALUES (?) ON CONFLICT DO NOTHING", (model,))
    (id,) = connection.execute("SELECT id FROM embedding_models WHERE name = ?", (model,)).fetchone()
    connection.executemany(
        "INSERT INTO embeddings (content_hash, model_id, vector) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
        [(hash, id, vector) for hash, vector in sorted(vectors.items())],
    )


def forget(connection: sqlite3.Connection, hashes: Collection[str]) -> None:
    connection.executemany("DELETE FROM embeddings WHERE content_hash = ?", [(hash,) for hash in hashes])
