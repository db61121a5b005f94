"""Norms by the language model, as a stage: it finds nothing itself, and has what it read compared anew."""

from __future__ import annotations

from collections.abc import Iterator

from app.detection.claim_index import ClaimIndex
from app.detection.norm_stage import NormStage
from app.detection.stages import Findings, ReadingTask, Step, Touched, Work
from app.store.store import Store

_AT_ONCE = 4
"""Statements in a slice, at about half a second each."""


class ModelNorms:
    seconds = "guard"
    work: Work = "rereading"

    def __init__(self, rereading: NormStage, store: Store) -> None:
        self._rereading, self._store = rereading, store

    def findings(self, index: ClaimIndex, touched: Touched | None, before: Findings) -> Findings:
        return before

    @property
    def pending(self) -> bool:
        return self._store.caches.rereadings.complete_by != self._rereading.reader

    def reopen(self, touched: bool, seen: int | None) -> None:
        if touched:
            self._store.caches.rereadings.mark_complete("")

    def close(self, seen: int) -> None:
        self._store.caches.rereadings.mark_complete(self._rereading.reader)

    def read(self, task: ReadingTask) -> Iterator[Step]:
        waiting = self._rereading.pending(task.index)
        for start in range(0, len(waiting), _AT_ONCE):
            yield Step((start, len(waiting)))
            some = self._rereading.read(waiting[start : start + _AT_ONCE], task.index.claims)
            yield Step(claims=some.claims, failed=some.failed)
