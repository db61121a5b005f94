"""Single values the store keeps about itself, such as how far the index has come."""

from __future__ import annotations

from app.store.connection import Connection
from app.store.tables import Meta


class MetaValues:
    """The rows of `meta` by key; a key that was never set reads as empty."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, key: str) -> str:
        with self._connection.reading():
            rows = Meta.select(Meta.value).where(Meta.key == key).tuples().execute(self._connection.database)
            return next((value for (value,) in rows), "")

    def set(self, key: str, value: str) -> None:
        """Inside the caller's transaction."""
        Meta.replace(key=key, value=value).execute(self._connection.database)
