"""What the language model said of threads and of the story, by what it read; the store keeps it."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence

from app.detection.judge_input import said
from app.detective.thread_prompt import written
from app.store.errors import StoreError
from app.store.store import Store
from app.store.threads import ThreadRow
from app.words import Claim

FOUND = "story-"
"""Before the key of lines that were named in the story, which are kept as the thread they make."""


class ThreadMemory(dict[str, ThreadRow]):
    """By key."""

    def __init__(self, store: Store, reader: str) -> None:
        super().__init__((row.key, row) for row in store.caches.threads.of(reader))
        self._store, self._reader = store, reader

    def keep(self, rows: Iterable[ThreadRow]) -> None:
        rows = list(rows)
        self.update((row.key, row) for row in rows)
        with contextlib.suppress(StoreError):  # a store that cannot be written only costs time
            self._store.caches.threads.put(self._reader, rows)

    def drop(self, keys: Collection[str]) -> None:
        for one in keys:
            self.pop(one, None)
        with contextlib.suppress(StoreError):
            self._store.caches.threads.drop(keys)


def key(thread: Sequence[str], claims: Mapping[str, Claim]) -> str:
    """Changes when a line does, as far as the model sees it."""
    return digest((*thread, written(said(claims[id]) for id in thread)))


def digest(parts: Iterable[str]) -> str:
    return hashlib.blake2b(" ".join(parts).encode(), digest_size=8).hexdigest()
