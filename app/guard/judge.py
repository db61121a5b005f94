"""Two statements, judged: a label, how sure the alarm is, and what every stage said, in order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from app.guard import gates, tier
from app.guard.compare import GATE, Verdict, compare, same_subject
from app.guard.entry import Entry, entries
from app.guard.find import outdated
from app.guard.judged import LIKELY, closed, settled_by_structure
from app.guard.meeting import meeting
from app.guard.reading import readings
from app.guard.settle import settled
from app.normalize.tokens import bag
from app.words import Claim, Confidence, Reason, Tier

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
        return self.silenced_by[-1] if self.silenced_by else None

    @property
    def silenced_by(self) -> tuple[Reason, ...]:
        """Every gate that closed before a pair that is not shown."""
        closed = (reason for reason in self.stages if reason.stage.startswith(GATE))
        return tuple(closed) if self.tier == "clean" else ()


@dataclass(frozen=True, slots=True)
class Structure:
    """What the rules alone make of a pair."""

    label: Label
    tier: Tier
    alarm: float
    said: Reason
    more: tuple[Reason, ...] = ()
    """What settles it, or the gates that closed."""
    why: str = ""
    """Why it is shown, where it is."""


@dataclass(frozen=True, slots=True)
class Heard:
    """What the models' odds come to."""

    label: Label
    alarm: float
    said: Reason


def judge(
    a: Claim,
    b: Claim,
    odds: Sequence[float] | None = None,
    unsure: float | None = None,
    met: Reason | None = None,
) -> Judgement:
    """What all stages say; a is taken as the older where dates do not tell.

    `odds` are the model's, in the order of its labels; `unsure` is how likely the thread reader thinks that
    the two leave a reader unsure; `met` is how the two would meet, where the caller knows more of that than
    their words tell. Where the rules see a contradiction, they decide.
    """
    rules = structure(a, b)
    word = heard(odds, unsure) if odds is not None else None
    before = (*readings(a, b), rules.said, met or meeting(a, b))
    if word is None:
        stages = (*before, *rules.more, by_rules(rules))
        return Judgement(rules.label, rules.tier, rules.alarm, stages)
    if rules.label in _ALARMS:
        stages = (*before, word.said, *rules.more, by_rules(rules))
        return Judgement(rules.label, rules.tier, round(max(word.alarm, rules.alarm), 4), stages)
    shut = silencer(a, b, word.alarm)
    spoke = _once((*rules.more, shut) if shut else rules.more)
    shown: Tier = "warn" if word.alarm >= LIKELY and shut is None else "clean"
    stages = (*before, word.said, *spoke, by_alarm(word, shut))
    return Judgement(word.label, shown, round(word.alarm, 4), stages)


# the rules
def structure(a: Claim, b: Claim) -> Structure:
    """The strongest word of all norms of both."""
    best: Structure | None = None
    for x in entries(a):
        for y in entries(b):
            said = _pair(x, y)
            if (
                best is None
                or _RANK[said.label] > _RANK[best.label]
                or (said.label == best.label and said.alarm > best.alarm)
            ):
                best = said
    if best is None:
        return Structure("unrelated", "clean", 0.1, _structural("unknown", "LOW", "no comparable norm"))
    if best.label == "unrelated":
        label: Label = "unrelated" if _likeness(a, b) < 0.25 else "compatible"
        return Structure(label, "clean", 0.1, best.said, best.more)
    return best


_RANK: dict[Label, int] = {"unrelated": 0, "compatible": 1, "settled": 2, "outdated": 3, "conflict": 4}


def _pair(a: Entry, b: Entry) -> Structure:
    verdict = compare(a, b)
    if not verdict.contradicts:
        return _silent(a, b, verdict)
    said = _structural(verdict.outcome, verdict.confidence, verdict.detail)
    why = settled(a, b, ())
    if why:
        return Structure("settled", "clean", 0.15, said, (Reason("settle", "settled", "HIGH", why),))
    if outdated(a, b):
        return Structure("outdated", "warn", 0.9, said, why=tier.OUTDATED)
    if verdict.outcome == "contradiction":
        return Structure("conflict", "block", 0.95, said, why=tier.OPPOSITE)
    if a.claim.trust != b.claim.trust:
        return Structure("conflict", "block", 0.95, said, why=tier.TRUST)
    return Structure("conflict", "warn", 0.95, said, why=tier.VALUES)


def _silent(a: Entry, b: Entry, verdict: Verdict) -> Structure:
    detail = f"the gate {verdict.gate} is closed" if verdict.gate else verdict.detail
    said = _structural(verdict.outcome, verdict.confidence, detail)
    shut = (verdict.reason(),) if verdict.gate else ()
    if verdict.gate == "overlap" and (other := gates.silent(a, b)):
        # Both name a thing, one says more of it: another gate tells better what stands between them.
        shut = (*shut, Reason(GATE + other[0], verdict.outcome, verdict.confidence, other[1]))
    if verdict.outcome == "unknown" and not same_subject(a, b):
        return Structure("unrelated", "clean", 0.05, said, shut)
    return Structure("compatible", "clean", 0.4 if verdict.outcome == "uncertain" else 0.1, said, shut)


def _structural(outcome: str, confidence: Confidence, detail: str) -> Reason:
    return Reason("structural", outcome, confidence, detail)


def _likeness(a: Claim, b: Claim) -> float:
    left, right = bag(a.statement.text), bag(b.statement.text)
    return len(left & right) / len(left | right) if left | right else 0.0


# the models
def heard(odds: Sequence[float], unsure: float | None = None) -> Heard:
    """The judge's word as a label and an alarm, with the thread reader's where there is one."""
    told = _told(odds)
    if unsure is not None:
        odds = together(odds, unsure)
        told += f"; the thread reader: unsure {unsure:.2f}"
    label = _LABELS[max(range(len(_LABELS)), key=lambda n: odds[n])]
    alarm = min(0.999, max(0.0, odds[0] + odds[1]))
    if (label in _ALARMS) != (alarm >= 0.5):  # the two alarms together outweigh what each falls short of
        others = (0, 1) if alarm >= 0.5 else (2, 3, 4)
        label = _LABELS[max(others, key=lambda n: odds[n])]
    sure: Confidence = "HIGH" if max(alarm, 1 - alarm) >= LIKELY else "MED"
    return Heard(label, alarm, Reason("judge", label, sure, told))


def together(odds: Sequence[float], unsure: float) -> tuple[float, ...]:
    """The judge's word with the thread reader's: their log-odds of an alarm added, since each learnt to read
    in its own way. What the judge thinks within alarm and silence stays in proportion."""
    alarm, other = (min(0.999, max(0.001, p)) for p in (odds[0] + odds[1], unsure))
    both = alarm * other / (alarm * other + (1 - alarm) * (1 - other))
    return tuple(p * (both / alarm if n < 2 else (1 - both) / (1 - alarm)) for n, p in enumerate(odds))


def _told(odds: Sequence[float]) -> str:
    return ", ".join(f"{label} {share:.2f}" for label, share in zip(_LABELS, odds, strict=True))


def silencer(a: Claim, b: Claim, alarm: float) -> Reason | None:
    """The gate that an alarm does not get past; an alarm that would not be shown anyway asks none."""
    shut = (closed(a, b) or settled_by_structure(a, b)) if alarm >= LIKELY else None
    return Reason(GATE + shut[0], "silent", "HIGH", shut[1]) if shut else None


# the tier
def by_rules(rules: Structure) -> Reason:
    """The last word where only the rules decide."""
    if rules.tier != "clean":
        return tier.tier(rules.tier, rules.why)
    names = [reason.stage.removeprefix(GATE) for reason in rules.more if reason.stage.startswith(GATE)]
    sure = rules.said.confidence
    if names:
        return tier.tier("clean", f"a closed gate keeps it silent: {' and '.join(names)}", sure)
    if rules.more:
        return tier.tier("clean", "the story settles it")
    if sure == "HIGH":
        return tier.tier("clean", "both can hold")
    told = "the rules are not sure enough" if sure == "MED" else "the rules cannot tell"
    return tier.tier("clean", f"{told}, and no model was asked", sure)


def by_alarm(word: Heard, shut: Reason | None) -> Reason:
    """The last word where the rules see no contradiction and the models were heard."""
    if word.alarm < LIKELY:
        return tier.tier("clean", f"the alarm does not reach {LIKELY}", word.said.confidence)
    if shut is not None:
        gate = shut.stage.removeprefix(GATE)
        return tier.tier("clean", f"the alarm does not get past a closed gate: {gate}")
    return tier.tier("warn", f"the alarm reaches {LIKELY}; a model's word never blocks")


def _once(spoke: Iterable[Reason]) -> tuple[Reason, ...]:
    """A gate that closed for the rules and for the judge is told once."""
    kept: dict[tuple[str, str], Reason] = {}
    for reason in spoke:
        kept.setdefault((reason.stage, reason.detail), reason)
    return tuple(kept.values())
