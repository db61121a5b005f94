"""The judge's word on pairs, older first: both ways round where the dates do not say which is older."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from app.detection.judge_input import said, written
from app.detection.pair_gates import dates_tell
from app.models.host import ModelHost
from app.models.requests import Failed, Priority
from app.words import Claim, Opinion


class Opinions(NamedTuple):
    """What a judge said of some pairs, in their order; None for one that it cannot read."""

    judge: str
    of_pairs: list[Opinion | None]


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
    of_pairs = [_opinion(next(told), next(told) if not dates_tell(a, b) else None) for a, b in pairs]
    return Opinions(answer.model, of_pairs)


def _opinion(forth: Sequence[float] | None, back: Sequence[float] | None) -> Opinion | None:
    """Of both ways round the mean, where it was asked both; None where the model gave no answer."""
    if forth is None or back is None:
        return Opinion(*forth) if forth is not None else None
    return Opinion(*((p + q) / 2 for p, q in zip(forth, back, strict=True)))
