"""Pairs on their way to the judge: what was just saved first, then the likeliest."""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Collection
from typing import NamedTuple

from app.detection.evidence import Meeting
from app.words import Both


class Waiting(NamedTuple):
    both: Both
    likely: float
    """How likely it is worth showing, by what is cheap."""
    day: str
    """Of the newer claim; empty where it has none."""
    urgent: bool
    meeting: Meeting

    @property
    def turn(self) -> tuple[bool, int, list[int], list[str]]:
        """The smallest is next: urgent, then by likelihood in steps of a half, and of those the newest."""
        return (
            not self.urgent,
            -math.frexp(self.likely)[1],
            [-ord(c) for c in self.day] or [0],
            sorted(self.both),
        )


class JudgeQueue:
    def __init__(self) -> None:
        self._waiting: dict[Both, Waiting] = {}
        self._turns: list[tuple[tuple[bool, int, list[int], list[str]], Both]] = []
        """A heap; pairs that were taken out, or put in anew, leave a row behind that counts for nothing."""
        self._of: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, one: Waiting) -> None:
        """A pair that waits already keeps its urgency."""
        before = self._waiting.get(one.both)
        if before is not None:
            one = one._replace(urgent=one.urgent or before.urgent)
        else:
            self._of.update(one.both)
        self._waiting[one.both] = one
        heapq.heappush(self._turns, (one.turn, one.both))

    def first(self, most: int, *, urgent: bool = False, least: float = 0.0) -> list[Waiting]:
        """Those whose turn it is, as many and as long as they are urgent, or likely enough."""
        taken = []
        out: list[Waiting] = []
        while self._turns and len(out) < most:
            turn, both = self._turns[0]
            one = self._waiting.get(both)
            if one is None or one.turn != turn or (out and out[-1] is one):
                heapq.heappop(self._turns)
            elif (urgent and not one.urgent) or one.likely < least:
                break
            else:
                taken.append(heapq.heappop(self._turns))
                out.append(one)
        for row in taken:
            heapq.heappush(self._turns, row)
        return out

    def remove(self, pairs: Collection[Both]) -> None:
        for both in pairs:
            if self._waiting.pop(both, None) is not None:
                self._of.subtract(both)

    def drop(self, ids: Collection[str]) -> None:
        """These claims are gone."""
        gone = set(ids)
        if any(self._of[id] for id in gone):
            self.remove([both for both in self._waiting if not both.isdisjoint(gone)])

    def cut(self, most: int) -> int:
        """Leave so many, the first in turn; returns how many others there were."""
        if len(self) <= most:
            return 0
        order = sorted(self._waiting.values(), key=lambda one: one.turn)
        self.remove([one.both for one in order[most:]])
        return len(order) - most

    def waits(self, id: str) -> bool:
        """Has this claim a pair that waits?"""
        return self._of[id] > 0
