"""The judge's word on pairs, older first: both ways round where the dates do not say which is older."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from app.detection.judge_input import said, written
from app.detection.pair_gates import dates_tell, odds_of
from app.models.host import ModelHost
from app.models.requests import Failed, Priority
from app.words import Claim

Odds = tuple[float, ...]
"""A probability for each label, in the order of `app.models.requests.LABELS`."""


class Opinions(NamedTuple):
    """What a judge said of some pairs, in their order; None for one that it cannot read."""

    judge: str
    odds: list[Odds | None]


def judged(
    host: ModelHost, pairs: Sequence[tuple[Claim, Claim]], priority: Priority = Priority.BACKGROUND
) -> Opinions | Failed:
    """Where the judge went away in the middle, none of the pairs counts as read."""
    rows: list[tuple[str, str]] = []
    for a, b in pairs:
        rows.append(written(said(a), said(b)))
        if not dates_tell(a, b):
            rows.append(written(said(b), said(a)))
    if not rows:
        return Opinions("", [])
    answer = host.judge(rows, priority=priority)
    if isinstance(answer, Failed):
        return answer
    passing = next((one for one in answer.failures.values() if not one.lasting), None)
    if passing is not None:
        return passing
    told = iter(answer.rows)
    odds = [odds_of(a, b, next(told), None if dates_tell(a, b) else next(told)) for a, b in pairs]
    return Opinions(answer.model, odds)
