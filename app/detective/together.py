"""A thread before two readers: the language model that reads it as a whole, and the judge that reads pairs.

The one knows well whether a thread leaves a reader unsure and badly which lines do; the other tells within a
thread which two speak against each other, and alone raises too many alarms. Their log-odds are added.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from app.guard.worth import log_odds
from app.models.words import Failed

Two = tuple[int, int]
"""Lines of a thread by their place, the older first."""
FOUND = 0.25
"""Log-odds from which a thread is shown: of stories kept for marks at least 85 in 100 are then right
(docs/quality.md)."""
_LIKELIEST = 3
"""So many pairs are read a second time: the best of all is among the judge's first three."""
_HALF = 0.5
"""What the pair counts against the whole: each reader was asked about it."""
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


def together(lines: int, whole: float, alarms: Mapping[Two, float], doubt: Reader) -> Seen | Failed | None:
    """None where the two are not unsure enough. `doubt` asks the language model about two lines alone; it is
    slow, so it is asked about few."""
    asked: dict[Two, float] = {}

    def link(pair: Two) -> float | Failed:
        if pair not in asked:
            said = doubt(pair)
            if isinstance(said, Failed):
                return said
            asked[pair] = log_odds(alarms.get(pair, 0.0)) + log_odds(said or 0.0)
        return asked[pair]

    likeliest = sorted(alarms, key=lambda pair: (-alarms[pair], pair))[:_LIKELIEST]
    for pair in likeliest:
        if isinstance(said := link(pair), Failed):
            return said
    if not asked:
        return None
    best = max(asked, key=lambda pair: (asked[pair], pair))
    # Two lines are read as a whole and as a pair, but the same words count once.
    sure = log_odds(whole) + (_HALF * asked[best] if lines > 2 else log_odds(alarms[best]))
    if sure < FOUND:
        return None
    third = _third(lines, best, link)
    if isinstance(third, Failed):
        return third
    places = best if third is None else (*best, third)
    return Seen(1 / (1 + math.exp(-sure)), tuple(sorted(places)), best)


def _third(lines: int, pair: Two, link: Callable[[Two], float | Failed]) -> int | Failed | None:
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
    return best[1] if best is not None else None


def pairs(lines: Sequence[object]) -> list[Two]:
    return list(combinations(range(len(lines)), 2))
