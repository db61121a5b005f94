"""The judge's opinion of pairs, older first.

A judge is unsteady: turned round, or without its surroundings, it may see the same pair quite differently. So
what might alarm it is read in four ways.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from app.detection.judge_input import Said, said, written
from app.detection.pair_gates import dates_tell
from app.models.files import judge_reads_context
from app.models.host import ModelHost
from app.models.requests import Failed, Judged, Priority
from app.words import Claim, Opinion

_CLEAR = 0.03
"""Below this alarm no further reading brings a pair anywhere near being shown: on six labelled vaults reading
every pair in four ways found no more than reading those 12 in 100 that way."""

_WAYS = 3
"""Further ways of reading a pair."""


class Opinions(NamedTuple):
    """What a judge said of some pairs, in their order; None for one that it cannot read."""

    judge: str
    of_pairs: list[Opinion | None]


def judged(
    host: ModelHost, pairs: Sequence[tuple[Claim, Claim]], priority: Priority = Priority.BACKGROUND
) -> Opinions | Failed:
    """If the judge fails in the middle, none of the pairs counts as read."""
    if not pairs:
        return Opinions("", [])
    ordered = [(said(a), said(b)) for a, b in (_in_order(*pair) for pair in pairs)]
    first = _answered(host, ordered, priority)
    if isinstance(first, Failed):
        return first
    opinions = [Opinion(*row) if row is not None else None for row in first.rows]
    doubtful = [n for n, opinion in enumerate(opinions) if opinion is not None and opinion.alarm >= _CLEAR]
    if doubtful:
        ways = [way for n in doubtful for way in _further_ways(*ordered[n])]
        again = _answered(host, ways, priority)
        if isinstance(again, Failed):
            return again
        for place, n in enumerate(doubtful):
            start = place * _WAYS
            opinions[n] = _steadied(opinions[n], again.rows[start : start + _WAYS])
    return Opinions(first.model, opinions)


def _in_order(a: Claim, b: Claim) -> tuple[Claim, Claim]:
    """The older first; undated ones in an order of their own, so that swapping them changes nothing."""
    return (a, b) if dates_tell(a, b) or a.statement.text <= b.statement.text else (b, a)


def _further_ways(a: Said, b: Said) -> Iterable[tuple[Said, Said]]:
    """Turned round, without surroundings, and both."""
    yield b._replace(date=a.date), a._replace(date=b.date)
    yield Said(a.text, date=a.date), Said(b.text, date=b.date)
    yield Said(b.text), Said(a.text)


def _answered(host: ModelHost, pairs: Sequence[tuple[Said, Said]], priority: Priority) -> Judged | Failed:
    context = judge_reads_context(host.setup)
    answer = host.judge([written(a, b, context=context) for a, b in pairs], priority=priority)
    if isinstance(answer, Failed):
        return answer
    passing = next((one for one in answer.failures.values() if not one.lasting), None)
    return passing or answer


def _steadied(first: Opinion | None, others: Sequence[Sequence[float] | None]) -> Opinion | None:
    """The first opinion with the mean alarm of both directions: turned round, the other labels mean something
    else. Without surroundings both directions count the same."""
    turned, *bare = (Opinion(*row).alarm if row is not None else None for row in others)
    if first is None:
        return None
    alarm = _mean((first.alarm, turned))
    louder = alarm / first.alarm
    quieter = (1 - alarm) / (1 - first.alarm) if first.alarm < 1 else 0.0
    return Opinion(
        first.conflict * louder,
        first.outdated * louder,
        first.settled * quieter,
        first.compatible * quieter,
        first.unrelated * quieter,
        _mean(bare),
    )


def _mean(alarms: Iterable[float | None]) -> float:
    told = [alarm for alarm in alarms if alarm is not None]
    return sum(told) / len(told) if told else 0.0
