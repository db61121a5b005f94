"""A pair beside its rivals, the pairs it shares a line with, and in the vault it belongs to.

A line that seems to contradict many others mostly contradicts none of them, and where two pairs share a line
the likelier one is mostly the right one. In a vault that hardly ever contradicts itself, what looks like a
contradiction is less likely to be one. What all of that is worth was learnt on labelled vaults.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from app.odds import chance, log_odds
from app.words import Both

LEAST = 0.05
"""Pairs less likely than this are nobody's rivals."""
_PRESUMED = 3.0, 40.0
"""So many contradictions in so many lines are presumed of a vault before anything is known of it."""
_PARTS = 1000
_STEP = 0.25
"""Discord is rounded to this, so that it rarely changes and the same notes are told the same way."""
SILENCED = -1.0
"""Stands for the probability of a pair that a gate silences: below every threshold."""


class Suspect(NamedTuple):
    """A pair that the judge has read: how likely it is by its own evidence, and how the judge is alarmed."""

    both: Both
    probability: float
    alarm: float
    """The judge's, with and without the surroundings, in the mean."""

    @property
    def silenced(self) -> bool:
        return self.probability == SILENCED


class Rivalry(NamedTuple):
    """What the rivals are worth: a weight for each number of `Rivals.numbers`, and a constant."""

    weights: tuple[float, ...]
    constant: float

    def probability(self, numbers: Sequence[float]) -> float:
        odds = self.constant + sum(w * n for w, n in zip(self.weights, numbers, strict=True))
        return chance(odds)


class Rivals:
    """The suspects of a vault, by their lines."""

    def __init__(self, suspects: Iterable[Suspect] = ()) -> None:
        self._of: defaultdict[str, dict[Both, Suspect]] = defaultdict(dict)
        self._expected = 0
        """How many contradictions there are to be expected, in thousandths: the sum of what is likely."""
        for one in suspects:
            self.put(one)

    def put(self, one: Suspect) -> None:
        known = self._of[min(one.both)].get(one.both)
        self._expected += _counted(one) - (_counted(known) if known is not None else 0)
        for id in one.both:
            self._of[id][one.both] = one

    def drop(self, ids: Collection[str]) -> set[str]:
        """These lines are gone; which others had been suspected of contradicting them?"""
        left: set[str] = set()
        for id in ids:
            for both, one in self._of.pop(id, {}).items():
                self._expected -= _counted(one)
                for other in both - {id}:
                    self._of[other].pop(both, None)
                    left.add(other)
        return left.difference(ids)

    def touching(self, ids: Iterable[str]) -> list[Suspect]:
        """The suspects with one of these lines."""
        found = {both: one for id in ids if id in self._of for both, one in self._of[id].items()}
        return sorted(found.values(), key=lambda one: sorted(one.both))

    def all(self) -> list[Suspect]:
        return self.touching(self._of)

    def discord(self, lines: int) -> float:
        """How much a vault of so many lines contradicts itself: the logarithm of the share that do."""
        contradictions, presumed_lines = _PRESUMED
        share = (self._expected / _PARTS + contradictions) / (lines + presumed_lines)
        return round(math.log(share) / _STEP) * _STEP

    def numbers(self, one: Suspect, lines: int) -> tuple[float, ...]:
        """What the pair is by itself; for both of its lines the likeliest rival and how many rivals are
        likelier, the more contested line first; and the discord of its vault, which has so many lines."""
        most, before = [], []
        for id in one.both:
            rivals = [
                rival.probability
                for both, rival in self._of.get(id, {}).items()
                if both != one.both and rival.probability >= LEAST
            ]
            most.append(log_odds(max(rivals, default=LEAST)))
            before.append(float(sum(p > one.probability for p in rivals)))
        return (
            log_odds(one.probability),
            log_odds(one.alarm),
            *sorted(most, reverse=True),
            *sorted(before, reverse=True),
            self.discord(lines),
        )


def _counted(one: Suspect) -> int:
    """In whole numbers, so that taking away what was added leaves nothing."""
    return round(one.probability * _PARTS) if one.probability >= LEAST else 0
