"""Pairs before the judge, older first: both ways round where the dates do not say which is older."""

from __future__ import annotations

from collections.abc import Sequence

from app.guard.judged import dates_tell, odds_of
from app.guard.written import said, written
from app.models.host import ModelHost
from app.models.words import Failed, Priority
from app.words import Claim

Odds = tuple[float, ...]


def judged(
    host: ModelHost, pairs: Sequence[tuple[Claim, Claim]], priority: Priority = Priority.BACKGROUND
) -> list[Odds | None] | Failed:
    """The odds of each pair; None for one that the judge cannot read. Where it went away in the middle, none
    of them counts as read."""
    rows: list[tuple[str, str]] = []
    for a, b in pairs:
        rows.append(written(said(a), said(b)))
        if not dates_tell(a, b):
            rows.append(written(said(b), said(a)))
    if not rows:
        return []
    answer = host.judge(rows, priority=priority)
    if isinstance(answer, Failed):
        return answer
    passing = next((one for one in answer.failures.values() if not one.lasting), None)
    if passing is not None:
        return passing
    told = iter(answer.rows)
    return [odds_of(a, b, next(told), None if dates_tell(a, b) else next(told)) for a, b in pairs]
