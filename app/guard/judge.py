"""Two statements, judged: a label, how sure the alarm is, and what every stage said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.guard.compare import Verdict, compare, same_subject
from app.guard.entry import Entry, entries
from app.guard.find import outdated
from app.guard.settle import settled
from app.normalize.tokens import bag
from app.words import Claim, Reason, Tier

Label = Literal["conflict", "outdated", "settled", "compatible", "unrelated"]


@dataclass(frozen=True, slots=True)
class Judgement:
    label: Label
    tier: Tier
    alarm: float
    stages: tuple[Reason, ...]


def judge(a: Claim, b: Claim) -> Judgement:
    """The strongest word of all norms of both; a is taken as the older where dates do not tell."""
    best: Judgement | None = None
    for x in entries(a):
        for y in entries(b):
            said = _pair(x, y)
            if (
                best is None
                or _RANK[said.label] > _RANK[best.label]
                or (said.label == best.label and said.alarm > best.alarm)
            ):
                best = said
    likeness = _likeness(a, b)
    if best is None:
        return Judgement(
            "unrelated", "clean", 0.1, (Reason("structural", "unknown", "LOW", "no comparable norm"),)
        )
    if best.label == "unrelated":
        return Judgement("unrelated" if likeness < 0.25 else "compatible", "clean", 0.1, best.stages)
    return best


_RANK: dict[Label, int] = {"unrelated": 0, "compatible": 1, "settled": 2, "outdated": 3, "conflict": 4}


def _pair(a: Entry, b: Entry) -> Judgement:
    verdict = compare(a, b)
    stages = (verdict.reason(),)
    if verdict.contradicts:
        why = settled(a, b, ())
        if why:
            return Judgement("settled", "clean", 0.15, (*stages, Reason("settle", "settled", "HIGH", why)))
        if outdated(a, b):
            return Judgement("outdated", "warn", 0.9, stages)
        tier: Tier = (
            "block" if verdict.outcome == "contradiction" or a.claim.trust != b.claim.trust else "warn"
        )
        return Judgement("conflict", tier, 0.95, stages)
    return _silent(a, b, verdict, stages)


def _silent(a: Entry, b: Entry, verdict: Verdict, stages: tuple[Reason, ...]) -> Judgement:
    if verdict.outcome == "unknown" and not same_subject(a, b):
        return Judgement("unrelated", "clean", 0.05, stages)
    if verdict.outcome == "uncertain":
        return Judgement("compatible", "clean", 0.4, stages)
    return Judgement("compatible", "clean", 0.1, stages)


def _likeness(a: Claim, b: Claim) -> float:
    left, right = bag(a.statement.text), bag(b.statement.text)
    return len(left & right) / len(left | right) if left | right else 0.0
