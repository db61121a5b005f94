"""The judge's word on pairs, older first: both ways round where the dates do not say which is older."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from app.detection.judge_input import said, written
from app.detection.pair_gates import dates_tell
from app.models.host import ModelHost
from app.models.requests import Failed, Judged, Priority
from app.words import Claim, Opinion

_CLEAR = 0.03
"""Below this alarm, reading a pair the other way round would not bring it anywhere near being shown."""


class Opinions(NamedTuple):
    """What a judge said of some pairs, in their order; None for one that it cannot read."""

    judge: str
    of_pairs: list[Opinion | None]


def judged(
    host: ModelHost, pairs: Sequence[tuple[Claim, Claim]], priority: Priority = Priority.BACKGROUND
) -> Opinions | Failed:
    """Where the judge went away in the middle, none of the pairs counts as read."""
    if not pairs:
        return Opinions("", [])
    ordered = [pair if dates_tell(*pair) else _by_text(*pair) for pair in pairs]
    forth = _answered(host, ordered, priority)
    if isinstance(forth, Failed):
        return forth
    told = [Opinion(*row) if row is not None else None for row in forth.rows]
    doubtful = [
        n
        for n, opinion in enumerate(told)
        if opinion is not None and not dates_tell(*ordered[n]) and opinion.alarm >= _CLEAR
    ]
    if doubtful:
        back = _answered(host, [ordered[n][::-1] for n in doubtful], priority)
        if isinstance(back, Failed):
            return back
        for n, row in zip(doubtful, back.rows, strict=True):
            told[n] = _mean(told[n], row)
    return Opinions(forth.model, told)


def _answered(host: ModelHost, pairs: Sequence[tuple[Claim, Claim]], priority: Priority) -> Judged | Failed:
    answer = host.judge([written(said(a), said(b)) for a, b in pairs], priority=priority)
    if isinstance(answer, Failed):
        return answer
    passing = next((one for one in answer.failures.values() if not one.lasting), None)
    return passing or answer


def _by_text(a: Claim, b: Claim) -> tuple[Claim, Claim]:
    """In an order of their own, so that swapping two undated statements changes nothing."""
    return (a, b) if a.statement.text <= b.statement.text else (b, a)


def _mean(forth: Opinion | None, back: Sequence[float] | None) -> Opinion | None:
    if forth is None or back is None:
        return forth
    return Opinion(*((p + q) / 2 for p, q in zip(forth, back, strict=True)))
