"""The language model's turn as a detective: threads, then the story. It ends where something else waits, and
goes on the next time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from app.detection.claim_index import ClaimIndex
from app.detective.exam import Skill
from app.detective.story import Line
from app.detective.thread_stage import ThreadStage
from app.models.requests import Failed
from app.pipeline.around import Around
from app.pipeline.messages import Progress
from app.pipeline.run import Run
from app.words import Finding

T = TypeVar("T")
Told = Callable[[Collection[str]], list[Line]]
"""The story, given the claims that were in it when it was last told."""


@dataclass(frozen=True, slots=True)
class Turn:
    run: Run
    detecting: ThreadStage
    index: ClaimIndex
    around: Around

    def take(self, arcs: Iterable[Finding], told: Told) -> bool:
        """Whether nothing is left to read: also where the model is not to read anything, by its exam."""
        skill = self.detecting.skill(self._stopping)
        if isinstance(skill, Failed):
            return self._failed(skill)
        return skill is None or (self._threads(arcs, skill) and self._story(told, skill))

    def _threads(self, arcs: Iterable[Finding], skill: Skill) -> bool:
        waiting = self.detecting.pending(self.index, arcs, self._stopping)
        if waiting is None:
            return False
        self.run.threads_left = waiting.left
        return self._each(
            waiting.threads,
            lambda one: self.detecting.read(one, self.index.claims, skill, self._stopping),
        )

    def _story(self, told: Told, skill: Skill) -> bool:
        telling = self.detecting.telling
        if telling is None:
            return True
        waiting = telling.unread(told(telling.before), self._stopping)
        if isinstance(waiting, Failed):
            return self._failed(waiting)
        self.run.batches_left = waiting.left
        return self._each(
            waiting.batches, lambda one: telling.read(one, self.index.claims, skill, self._stopping)
        )

    def _each(self, waiting: Sequence[T], read: Callable[[T], Failed | None]) -> bool:
        """One after the other; whether all were read."""
        for number, one in enumerate(waiting):
            self.around.on_progress(Progress("detecting", number, len(waiting)))
            failed = read(one)
            if failed is not None:
                return self._failed(failed)
            if self._stopping():
                return False
        return True

    def _failed(self, failed: Failed) -> bool:
        """Who was interrupted has nothing to complain of."""
        self.run.reading_failed = failed if failed.why != "cancelled" else None
        return False

    def _stopping(self) -> bool:
        return self.around.must_end
