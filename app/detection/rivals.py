"""A pair compared with its rivals, the pairs it shares a claim with, and with the vault it belongs to.

A claim that seems to contradict many others usually contradicts none of them, and of two pairs that share a
claim the likelier one is usually right. In a vault that hardly ever contradicts itself, what looks like a
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
"""Less likely pairs do not count as rivals."""
_PRESUMED = 3.0, 40.0
"""Prior: 3 contradictions in 40 claims."""
_PARTS = 1000
_STEP = 0.25
"""Discord is rounded to multiples of this, so that it rarely changes and so that the same notes give the same
result."""
SILENCED = -1.0
"""Stands for the probability of a silenced pair: below every threshold."""


class Suspect(NamedTuple):
    """A pair the judge has read: its probability by its own evidence, and how sure the judge is that both
    cannot hold."""

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
    """The suspects of a vault, by their claims."""

    def __init__(self, suspects: Iterable[Suspect] = ()) -> None:
        self._of: defaultdict[str, dict[Both, Suspect]] = defaultdict(dict)
        self._expected = 0
        """The number of contradictions to expect, in thousandths: the sum of the probabilities."""
        for one in suspects:
            self.put(one)

    def put(self, one: Suspect) -> None:
        known = self._of[min(one.both)].get(one.both)
        self._expected += _counted(one) - (_counted(known) if known is not None else 0)
        for id in one.both:
            self._of[id][one.both] = one

    def drop(self, ids: Collection[str]) -> set[str]:
        """Remove these claims; returns the others that were suspected of contradicting them."""
        left: set[str] = set()
        for id in ids:
            for both, one in self._of.pop(id, {}).items():
                self._expected -= _counted(one)
                for other in both - {id}:
                    self._of[other].pop(both, None)
                    left.add(other)
        return left.difference(ids)

    def touching(self, ids: Iterable[str]) -> list[Suspect]:
        """The suspects with one of these claims."""
        found = {both: one for id in ids if id in self._of for both, one in self._of[id].items()}
        return sorted(found.values(), key=lambda one: sorted(one.both))

    def all(self) -> list[Suspect]:
        return self.touching(self._of)

    def discord(self, lines: int) -> float:
        """How much a vault of this many claims contradicts itself: the logarithm of contradictions per
        claim."""
        contradictions, presumed_lines = _PRESUMED
        share = (self._expected / _PARTS + contradictions) / (lines + presumed_lines)
        return round(math.log(share) / _STEP) * _STEP

    def numbers(self, one: Suspect, lines: int) -> tuple[float, ...]:
        """The pair's own probability and alarm; for each of its claims the likeliest rival and how many
        rivals are likelier than the pair, the more contested claim first; and the vault's discord."""
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
    """In whole numbers, so that removing what was added leaves exactly nothing."""
    return round(one.probability * _PARTS) if one.probability >= LEAST else 0
