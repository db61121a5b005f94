"""Two statements, judged: a label, how sure the alarm is, and what every stage said."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from app.guard import gates
from app.guard.compare import GATE, Verdict, compare, same_subject
from app.guard.entry import Entry, entries
from app.guard.find import outdated
from app.guard.judged import LIKELY, closed, settled_by_structure
from app.guard.settle import settled
from app.normalize.tokens import bag
from app.words import Claim, Reason, Tier

Label = Literal["conflict", "outdated", "settled", "compatible", "unrelated"]
_LABELS: tuple[Label, ...] = ("conflict", "outdated", "settled", "compatible", "unrelated")
_ALARMS = frozenset({"conflict", "outdated"})


@dataclass(frozen=True, slots=True)
class Judgement:
    label: Label
    tier: Tier
    alarm: float
    stages: tuple[Reason, ...]

    @property
    def silent_because(self) -> Reason | None:
        """The gate that keeps a pair from being shown; the last one, where two say so."""
        said = [reason for reason in self.stages if reason.stage.startswith(GATE)]
        return said[-1] if said and self.tier == "clean" else None


def judge(a: Claim, b: Claim, odds: Sequence[float] | None = None, unsure: float | None = None) -> Judgement:
    """What all stages say; a is taken as the older where dates do not tell.

    `odds` are the model's, in the order of its labels; `unsure` is how likely the thread reader thinks that
    the two leave a reader unsure. Where the rules see a contradiction, they decide.
    """
    by_rules = _by_rules(a, b)
    if odds is None:
        return by_rules
    heard = _told(odds)
    if unsure is not None:
        odds = together(odds, unsure)
        heard += f"; the thread reader: unsure {unsure:.2f}"
    label = _LABELS[max(range(len(_LABELS)), key=lambda n: odds[n])]
    alarm = min(0.999, max(0.0, odds[0] + odds[1]))
    if (label in _ALARMS) != (alarm >= 0.5):  # the two alarms together outweigh what each falls short of
        others = (0, 1) if alarm >= 0.5 else (2, 3, 4)
        label = _LABELS[max(others, key=lambda n: odds[n])]
    said = Reason("judge", label, "HIGH" if max(alarm, 1 - alarm) >= LIKELY else "MED", heard)
    if by_rules.label in _ALARMS:
        alarm = max(alarm, by_rules.alarm)
        return replace(by_rules, alarm=round(alarm, 4), stages=(*by_rules.stages, said))
    stages = (*by_rules.stages, said)
    silenced = (closed(a, b) or settled_by_structure(a, b)) if alarm >= LIKELY else None
    if silenced:
        stages = (*stages, Reason(GATE + silenced[0], "silent", "HIGH", silenced[1]))
    tier: Tier = "warn" if alarm >= LIKELY and not silenced else "clean"
    return Judgement(label, tier, round(alarm, 4), stages)


def together(odds: Sequence[float], unsure: float) -> tuple[float, ...]:
    """The judge's word with the thread reader's: their log-odds of an alarm added, since each learnt to read
    in its own way. What the judge thinks within alarm and silence stays in proportion."""
    alarm, other = (min(0.999, max(0.001, p)) for p in (odds[0] + odds[1], unsure))
    both = alarm * other / (alarm * other + (1 - alarm) * (1 - other))
    return tuple(p * (both / alarm if n < 2 else (1 - both) / (1 - alarm)) for n, p in enumerate(odds))


def _told(odds: Sequence[float]) -> str:
    return ", ".join(f"{label} {share:.2f}" for label, share in zip(_LABELS, odds, strict=True))


def _by_rules(a: Claim, b: Claim) -> Judgement:
    """The strongest word of all norms of both."""
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
    if verdict.gate == "overlap" and (shut := gates.silent(a, b)):
        # Both name a thing, one says more of it: another gate tells better what stands between them.
        stages = (Reason(GATE + shut[0], verdict.outcome, verdict.confidence, shut[1]),)
    if verdict.outcome == "unknown" and not same_subject(a, b):
        return Judgement("unrelated", "clean", 0.05, stages)
    if verdict.outcome == "uncertain":
        return Judgement("compatible", "clean", 0.4, stages)
    return Judgement("compatible", "clean", 0.1, stages)


def _likeness(a: Claim, b: Claim) -> float:
    left, right = bag(a.statement.text), bag(b.statement.text)
    return len(left & right) / len(left | right) if left | right else 0.0
