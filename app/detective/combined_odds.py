"""A thread before two readers: the language model that reads it as a whole, and the judge that reads pairs.

The one knows well whether a thread leaves a reader unsure and badly which lines do; the other tells within a
thread which two speak against each other, and alone raises too many alarms.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType
from typing import NamedTuple

from app.detection.decide import ThreadEvidence, decide_thread, thread_odds
from app.models.requests import Failed

Two = tuple[int, int]
"""Lines of a thread by their place, the older first."""
_LIKELIEST = 3
"""So many pairs are read a second time: the best of all is among the judge's first three."""
_NEAR = 4.0
"""What nearness counts in choosing lines: two that speak against each other speak of one thing."""


class Seen(NamedTuple):
    """What both make of a thread."""

    sure: float
    """How likely it leaves a reader unsure."""
    places: tuple[int, ...]
    """The lines that do: the pair that goes together least, and the line that goes least with both."""
    pair: Two


Reader = Callable[[Two], float | Failed | None]


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
        decision = decide_thread(ThreadEvidence(whole, alarms[0, 1], None))
        return Seen(decision.probability, (0, 1), (0, 1)) if decision.shown else None
    doubts: dict[Two, float] = {}

    def closeness(pair: Two) -> float:
        return _NEAR * near.get(pair, 0.0)

    def link(pair: Two) -> float | Failed:
        if pair not in doubts:
            said = doubt(pair)
            if isinstance(said, Failed):
                return said
            doubts[pair] = said or 0.0
        return thread_odds(alarms.get(pair, 0.0)) + thread_odds(doubts[pair]) + closeness(pair)

    likeliest = sorted(alarms, key=lambda pair: (-thread_odds(alarms[pair]) - closeness(pair), pair))
    best: tuple[float, Two] | None = None
    for pair in likeliest[:_LIKELIEST]:
        if isinstance(said := link(pair), Failed):
            return said
        best = max(best, (said, pair)) if best is not None else (said, pair)
    assert best is not None
    pair = best[1]
    decision = decide_thread(ThreadEvidence(whole, alarms[pair], doubts[pair]))
    if not decision.shown:
        return None
    third = _third(lines, pair, link)
    if isinstance(third, Failed):
        return third
    return Seen(decision.probability, tuple(sorted((*pair, third))), pair)


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
