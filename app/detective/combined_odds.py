"""One thread, two readers: the language model reads it as a whole, the judge reads its pairs.

The language model is good at whether a thread leaves a reader unsure and bad at which lines do; the judge
sees which two lines contradict each other, and alone raises too many alarms.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from types import MappingProxyType
from typing import NamedTuple

from app.detection.decide import ThreadEvidence, decide_thread, thread_odds
from app.models.requests import Failed

LinePair = tuple[int, int]
"""Two lines of a thread by position, the older first."""
_LIKELIEST = 3
"""How many pairs are read a second time: the best is among the judge's first three."""
_NEAR = 4.0
"""The weight of nearness in choosing lines: two that contradict each other are about one thing."""


class CombinedOpinion(NamedTuple):
    """What both readers say about a thread."""

    sure: float
    """How likely it leaves a reader unsure."""
    places: tuple[int, ...]
    """The lines that do: the least compatible pair, and the line least compatible with both."""
    pair: LinePair


AskAboutPair = Callable[[LinePair], float | Failed | None]


def combine(
    lines: int,
    whole: float,
    alarms: Mapping[LinePair, float],
    doubt: AskAboutPair,
    near: Mapping[LinePair, float] = MappingProxyType({}),
) -> CombinedOpinion | Failed | None:
    """None if the two are not unsure enough. `doubt` asks the language model about two lines alone; it is
    slow, so it is called for few. `near` holds the cosine of two lines."""
    if not alarms:
        return None
    if lines == 2:  # the whole is the pair
        decision = decide_thread(ThreadEvidence(whole, alarms[0, 1], None))
        return CombinedOpinion(decision.probability, (0, 1), (0, 1)) if decision.shown else None
    doubts: dict[LinePair, float] = {}

    def closeness(pair: LinePair) -> float:
        return _NEAR * near.get(pair, 0.0)

    def link(pair: LinePair) -> float | Failed:
        if pair not in doubts:
            said = doubt(pair)
            if isinstance(said, Failed):
                return said
            doubts[pair] = said or 0.0
        return thread_odds(alarms.get(pair, 0.0)) + thread_odds(doubts[pair]) + closeness(pair)

    likeliest = sorted(alarms, key=lambda pair: (-thread_odds(alarms[pair]) - closeness(pair), pair))
    best: tuple[float, LinePair] | None = None
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
    return CombinedOpinion(decision.probability, tuple(sorted((*pair, third))), pair)


def _third(lines: int, pair: LinePair, link: Callable[[LinePair], float | Failed]) -> int | Failed:
    """Someone who has to decide also needs what came between or after."""
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


def line_pairs(lines: Sequence[object]) -> list[LinePair]:
    return list(combinations(range(len(lines)), 2))
