"""A thread before two readers: the language model that reads it as a whole, and the judge that reads pairs.

The one knows well whether a thread leaves a reader unsure and badly which lines do; the other tells within a
thread which two speak against each other, and alone raises too many alarms. Their log-odds are added.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType
from typing import NamedTuple

from app.models.requests import Failed

Two = tuple[int, int]
"""Lines of a thread by their place, the older first."""
FOUND = 0.5
"""Log-odds from which a thread is shown (docs/quality.md)."""
FOUND_ALONE = 1.0
"""The same for two lines alone, which nothing else bears out."""
_LIKELIEST = 3
"""So many pairs are read a second time: the best of all is among the judge's first three."""
_HALF = 0.5
"""What the pair counts against the whole: each reader was asked about it."""
_NEAR = 4.0
"""What nearness counts in choosing lines: two that speak against each other speak of one thing."""
_HOPELESS = 0.05
"""A whole that is so little unsure is not made up for by any pair."""


class Seen(NamedTuple):
    """What both make of a thread."""

    sure: float
    """How likely it leaves a reader unsure."""
    places: tuple[int, ...]
    """The lines that do: the pair that goes together least, and the line that goes least with both."""
    pair: Two


Reader = Callable[[Two], float | Failed | None]


def hopeless(whole: float) -> bool:
    return whole < _HOPELESS


def together(
    lines: int,
    whole: float,
    alarms: Mapping[Two, float],
    doubt: Reader,
    near: Mapping[Two, float] = MappingProxyType({}),
) -> Seen | Failed | None:
    """None where the two are not unsure enough. `doubt` asks the language model about two lines alone; it is
    slow, so it is asked about few. `near` says how near two lines are, by their cosine."""
    if not alarms:
        return None
    if lines == 2:  # the whole is the pair
        sure = log_odds(whole) + log_odds(alarms[0, 1])
        return Seen(_chance(sure), (0, 1), (0, 1)) if sure >= FOUND_ALONE else None
    asked: dict[Two, float] = {}

    def closeness(pair: Two) -> float:
        return _NEAR * near.get(pair, 0.0)

    def link(pair: Two) -> float | Failed:
        if pair not in asked:
            said = doubt(pair)
            if isinstance(said, Failed):
                return said
            asked[pair] = log_odds(alarms.get(pair, 0.0)) + log_odds(said or 0.0)
        return asked[pair] + closeness(pair)

    likeliest = sorted(alarms, key=lambda pair: (-log_odds(alarms[pair]) - closeness(pair), pair))
    best: tuple[float, Two] | None = None
    for pair in likeliest[:_LIKELIEST]:
        if isinstance(said := link(pair), Failed):
            return said
        best = max(best, (said, pair)) if best is not None else (said, pair)
    assert best is not None
    pair = best[1]
    sure = log_odds(whole) + _HALF * asked[pair]
    if sure < FOUND:
        return None
    third = _third(lines, pair, link)
    if isinstance(third, Failed):
        return third
    return Seen(_chance(sure), tuple(sorted((*pair, third))), pair)


def log_odds(chance: float) -> float:
    certain = min(0.999, max(0.001, chance))
    return math.log(certain / (1 - certain))


def _chance(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds))


def _third(lines: int, pair: Two, link: Callable[[Two], float | Failed]) -> int | Failed:
    """A reader who is to decide needs what came between or after, too."""
    best: tuple[float, int] | None = None
    for place in range(lines):
        if place in pair:
            continue
        total = 0.0
        for end in pair:
            said = link((min(place, end), max(place, end)))
            if isinstance(said, Failed):
                return said
            total += said
        best = max(best, (total, place)) if best is not None else (total, place)
    assert best is not None
    return best[1]


def pairs(lines: Sequence[object]) -> list[Two]:
    return list(combinations(range(len(lines)), 2))
