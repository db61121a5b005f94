"""How far the index has come: which extractor read the notes, and whether every claim has been compared."""

from __future__ import annotations

from app.store.connection import Connection
from app.store.meta import MetaValues


class IndexProgress:
    """What the next run of the index has to know of the ones before it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._meta = MetaValues(connection)

    @property
    def needs_reindex(self) -> bool:
        """A migration changed what is read from notes: everything should be read again."""
        return self._meta.get("needs_reindex") == "1"

    @property
    def extractor(self) -> str:
        """The extractor version the last full index ran with; empty before the first."""
        return self._meta.get("extractor")

    @property
    def compared(self) -> bool:
        """Every claim written so far has been through guard and detective."""
        return self._meta.get("compared") != "0"

    @property
    def swept(self) -> str:
        """When everything was last looked at anew; empty where it never was."""
        return self._meta.get("swept")

    def mark_indexed(self, extractor: str) -> None:
        """A full index with this extractor version ended: clears `needs_reindex`."""
        with self._connection.writing():
            self._meta.set("extractor", extractor)
            self._meta.set("needs_reindex", "0")

    def mark_compared(self) -> None:
        with self._connection.writing():
            self._meta.set("compared", "1")

    def compare_again(self) -> None:
        """The next run of the index compares every claim anew."""
        with self._connection.writing():
            needs_comparing(self._meta)

    def mark_swept(self, at: str) -> None:
        with self._connection.writing():
            self._meta.set("swept", at)


def needs_comparing(meta: MetaValues) -> None:
    """Claims were written, or became active without a note's being read: nobody has compared them. Inside the
    caller's transaction."""
    meta.set("compared", "0")
