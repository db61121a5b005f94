"""What the models' words about a pair are worth in a whole vault, where nearly all near pairs are quiet."""

from __future__ import annotations

import math
from typing import NamedTuple

FARTHEST = 12
"""Farther than this, how far no longer matters."""
_BASE, _ALARM, _NEARER, _FARTHER, _SAME_NOTE = -0.91, 0.85, -0.53, -1.36, -2.13
"""How an alarm, how near the two are and whether they stand in one note weigh together: fitted by
training/judge/calibrate.py on whole vaults that the judge was not trained on."""
DOUBTED = 0.5, 0.4
"""From where on the judge's alarm and the thread reader's doubt count together: about two values, each the
nearest of the other among what measures the same."""


class Opinions(NamedTuple):
    """What was made of a pair, older first."""

    odds: tuple[float, ...]
    """The judge's, in the order conflict, outdated, settled, compatible, unrelated."""
    ranks: tuple[int, int]
    """The place of the newer among the nearest of the older, and the other way round."""
    unsure: float | None = None
    """How likely the thread reader thinks that the two leave a reader unsure. It is asked where each is the
    nearest of the other among those that measure the same; None elsewhere."""

    @property
    def alarm(self) -> float:
        return self.odds[0] + self.odds[1]

    @property
    def agreed(self) -> float:
        """How sure two readers are together that both cannot hold; 0 where one of them is not."""
        if self.unsure is None or self.alarm < DOUBTED[0] or self.unsure < DOUBTED[1]:
            return 0.0
        return (self.alarm + self.unsure) / 2


def chance(alarm: float, ranks: tuple[int, int], same_note: bool) -> float:
    """How likely a pair that raised this alarm is a conflict, among the many near pairs of a vault.

    A judge is right about one alarm in ten there. It is right far more often where each of the two is among
    the very nearest of the other, so that both are plainly about one thing.
    """
    near, far = (math.log1p(min(rank, FARTHEST)) for rank in sorted(ranks))
    weight = _BASE + _ALARM * log_odds(alarm) + _NEARER * near + _FARTHER * far
    return 1 / (1 + math.exp(-weight - (_SAME_NOTE if same_note else 0.0)))


def log_odds(chance: float) -> float:
    certain = min(0.999, max(0.001, chance))
    return math.log(certain / (1 - certain))
