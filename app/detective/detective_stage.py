"""The language model as a stage: threads, then the story, as far as its exams allow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from app.detection.claim_index import ClaimIndex
from app.detection.stages import Findings, Left, ReadingTask, Step, Touched, Work
from app.detective.arcs import Arcs
from app.detective.exam import Skill
from app.detective.story import story
from app.detective.thread_stage import ThreadStage
from app.models.requests import Failed
from app.store.store import Store

T = TypeVar("T")


class DetectiveStage:
    seconds = "detective"
    work: Work = "detecting"

    def __init__(self, detecting: ThreadStage, store: Store, arcs: Arcs) -> None:
        self._detecting, self._store, self._arcs = detecting, store, arcs

    def findings(self, index: ClaimIndex, touched: Touched | None, before: Findings) -> Findings:
        """Adds its opinion on arcs and its own findings."""
        return self._detecting.over(before, index.claims)

    @property
    def pending(self) -> bool:
        return self._store.caches.threads.complete_by != self._detecting.reader

    def reopen(self, touched: bool, seen: int | None) -> None:
        if touched:
            self._store.caches.threads.mark_complete("", seen=seen)

    def close(self, seen: int) -> None:
        self._store.caches.threads.mark_complete(self._detecting.reader, seen=seen)

    def read(self, task: ReadingTask) -> Iterator[Step]:
        skill = self._detecting.skill(task.stopping)
        if isinstance(skill, Failed):
            yield Step(failed=skill)
        elif skill is not None:
            yield from self._threads(task, skill)
            yield from self._story(task, skill)

    def _threads(self, task: ReadingTask, skill: Skill) -> Iterator[Step]:
        index, stopping = task.index, task.stopping
        waiting = self._detecting.pending(index, self._arcs.found, stopping)
        if waiting is None:
            yield Step(stopped=True)
            return
        yield Step(left=Left("threads", waiting.left))
        yield from _each(
            waiting.threads, lambda one: self._detecting.read(one, index.claims, skill, stopping)
        )

    def _story(self, task: ReadingTask, skill: Skill) -> Iterator[Step]:
        story_stage = self._detecting.story_stage
        if story_stage is None:
            return
        index, stopping = task.index, task.stopping
        contested = Counter(id for conflict in self._store.conflicts.all() for id in conflict.members)
        lines = story(
            index, task.today, triggers=task.saved, conflicts=contested, before=story_stage.told_before
        )
        waiting = story_stage.unread(lines, stopping)
        if isinstance(waiting, Failed):
            yield Step(failed=waiting)
            return
        yield Step(left=Left("batches", waiting.left))
        yield from _each(waiting.batches, lambda one: story_stage.read(one, index.claims, skill, stopping))


def _each(waiting: Sequence[T], read: Callable[[T], Failed | None]) -> Iterator[Step]:
    for number, one in enumerate(waiting):
        yield Step((number, len(waiting)))
        failed = read(one)
        yield Step(found=True, failed=failed)
