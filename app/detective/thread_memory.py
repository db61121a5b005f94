"""What the language model said about threads and the story, by what it read; kept in the store."""

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

STORY_KEY_PREFIX = "story-"
"""Prefix of the key of lines named in the story, which are stored as the thread they form."""


class ThreadMemory(dict[str, ThreadRow]):
    """By key."""

    def __init__(self, store: Store, reader: str) -> None:
        super().__init__((row.key, row) for row in store.caches.threads.of(reader))
        self._store, self._reader = store, reader

    def keep(self, rows: Iterable[ThreadRow]) -> None:
        rows = list(rows)
        self.update((row.key, row) for row in rows)
        with contextlib.suppress(StoreError):  # failing to write only costs time
            self._store.caches.threads.put(self._reader, rows)

    def drop(self, keys: Collection[str]) -> None:
        for one in keys:
            self.pop(one, None)
        with contextlib.suppress(StoreError):
            self._store.caches.threads.drop(keys)


def thread_key(thread: Sequence[str], claims: Mapping[str, Claim]) -> str:
    """Changes when a line changes as the model sees it."""
    return digest((*thread, written(said(claims[id]) for id in thread)))


def digest(parts: Iterable[str]) -> str:
    return hashlib.blake2b(" ".join(parts).encode(), digest_size=8).hexdigest()
