"""An open store as such: its connection, its clock, and the few values it keeps about itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from app.store.connection import Connection
from app.store.tables import Meta


class OpenStore:
    """What every question and every change is asked of; a `with` closes it."""

    read_only: bool
    """Opened for reading only: asked for, or because the file or its folder cannot be written."""
    path: Path | Literal[":memory:"]

    def __init__(self, link: Connection, path: Path | Literal[":memory:"], clock: Callable[[], str]) -> None:
        self._link = link
        self._db = link.database
        self._clock = clock
        self.path = path
        self.read_only = link.read_only
        link.raw.create_function("fold", 1, lambda text: (text or "").casefold(), deterministic=True)

    def close(self) -> None:
        self._link.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _meta(self, key: str) -> str:
        with self._link.reading():
            rows = Meta.select(Meta.value).where(Meta.key == key).tuples().execute(self._db)
            return next((value for (value,) in rows), "")
