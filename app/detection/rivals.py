"""A pair beside its rivals, the pairs it shares a line with.

A line that seems to contradict many others mostly contradicts none of them, and where two pairs share a line
the likelier one is mostly the right one. What that is worth was learnt on labelled vaults.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from app.odds import chance, log_odds
from app.words import Both

LEAST = 0.05
"""Pairs less likely than this are nobody's rivals."""
SILENCED = -1.0
"""Stands for the probability of a pair that a gate silences: below every threshold."""


class Suspect(NamedTuple):
    """A pair that the judge has read: how likely it is by its own evidence, and how the judge is alarmed."""

    both: Both
    probability: float
    alarm: float

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
        for one in suspects:
            self.put(one)

    def put(self, one: Suspect) -> None:
        for id in one.both:
            self._of[id][one.both] = one

    def drop(self, ids: Collection[str]) -> set[str]:
        """These lines are gone; which others had been suspected of contradicting them?"""
        left: set[str] = set()
        for id in ids:
            for both in self._of.pop(id, {}):
                for other in both - {id}:
                    self._of[other].pop(both, None)
                    left.add(other)
        return left.difference(ids)

    def touching(self, ids: Iterable[str]) -> list[Suspect]:
        """The suspects with one of these lines."""
        found = {both: one for id in ids if id in self._of for both, one in self._of[id].items()}
        return sorted(found.values(), key=lambda one: sorted(one.both))

    def numbers(self, one: Suspect) -> tuple[float, ...]:
        """What the pair is by itself, and for both of its lines the likeliest rival and how many rivals are
        likelier; the more contested line first."""
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
        )
