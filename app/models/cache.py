"""Vectors through the store: what is known is not asked again, what is new is kept as it comes."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from app.models.files import Unusable, default_embedder, embedder_folder
from app.models.host import ModelHost
from app.models.requests import Failed, Priority
from app.models.sentence_folder import read_folder
from app.models.setup import Setup
from app.store.errors import StoreError

_AT_ONCE = 1024
"""Asked for and then kept; a crash loses no more than these."""


class VectorCache(Protocol):
    """Where vectors are kept: by content hash and the name of the model that made them."""

    def get(self, hashes: Collection[str], model: str) -> dict[str, bytes]: ...

    def put(self, vectors: Mapping[str, bytes], model: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Vectors:
    """By content hash; a hash without a vector is one the embedder could not do."""

    model: str = ""
    width: int = 0
    by_hash: Mapping[str, bytes] = field(default_factory=dict)
    fresh: int = 0
    """How many were not in the cache."""
    failed: Failed | None = None
    """Why some are missing."""


def model_id(setup: Setup) -> str | None:
    """The name the embedder's vectors are kept under, told from its files alone: no process is started."""
    for folder in (embedder_folder(setup), default_embedder()):
        if folder is not None:
            with contextlib.suppress(Unusable, OSError):
                return read_folder(folder).id
    return None


def vectors(
    texts: Mapping[str, str],
    host: ModelHost,
    cache: VectorCache,
    *,
    timeout: float | None = None,
    priority: Priority = Priority.BACKGROUND,
    model: str | None = None,
) -> Vectors:
    """Vectors of texts by content hash; `timeout` is for each batch that is really embedded.

    Failures fail open: whatever could be had is returned. A cache that cannot be written only costs time.
    `model` is the name they are kept under, where the caller knows it better than the files tell.
    """
    expected = model or model_id(host.setup) or ""
    known = cache.get(texts.keys(), expected)
    missing = sorted(texts.keys() - known.keys(), key=lambda hash: (len(texts[hash]), hash))
    fresh = 0
    failed: Failed | None = None
    for start in range(0, len(missing), _AT_ONCE):
        some = missing[start : start + _AT_ONCE]
        answer = host.embed([texts[hash] for hash in some], timeout=timeout, priority=priority)
        if isinstance(answer, Failed):
            failed = answer
            break
        made = {hash: row for hash, row in zip(some, answer.rows, strict=True) if row is not None}
        failed = min(answer.failures.values(), key=lambda one: one.lasting, default=failed)
        with contextlib.suppress(StoreError):
            cache.put(made, answer.model)
        if answer.model != expected:
            # Another embedder runs than its files promised (one of the person's own that cannot be loaded):
            # its vectors do not mix with the others.
            if model is not None:
                failed = Failed("broken", "the embedding model has changed meanwhile; try again")
                break
            return vectors(texts, host, cache, timeout=timeout, priority=priority, model=answer.model)
        known |= made
        fresh += len(made)
    width = len(next(iter(known.values()), b"")) // 2
    return Vectors(expected, width, known, fresh, failed)
