"""Two statements, judged: a label, how sure the alarm is, and what every stage said, in order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from app.detection import gates, tier
from app.detection.compare_norms import GATE, Verdict, compare, same_subject
from app.detection.decide import decide_norms
from app.detection.finding import kind_of, reasons
from app.detection.norm_entry import Entry, entries
from app.detection.norm_findings import outdated
from app.detection.norm_sentence import readings
from app.detection.pair_gates import closed, settled_by_structure
from app.detection.pairs import Weighed
from app.detection.settle import settled
from app.detection.would_meet import meeting
from app.reading.tokens import bag
from app.words import TIER_WEIGHT, Claim, Confidence, Finding, Label, Reason, Tier

_ALARMS = frozenset({"conflict", "outdated"})
_QUIET: tuple[Label, ...] = ("settled", "compatible", "unrelated")


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
class RuleVerdict:
    """What the rules alone make of a pair."""

    label: Label
    tier: Tier
    alarm: float
    said: Reason
    more: tuple[Reason, ...] = ()
    """What settles it, or the gates that closed."""
    why: str = ""
    """Why it is shown, where it is."""


def judge(
    a: Claim, b: Claim, weighed: Weighed | None, met: Reason | None = None, arc: Finding | None = None
) -> Judgement:
    """What all stages say; a is taken as the older where dates do not tell.

    `weighed` is what the evidence makes of the two, None where nothing could be read in one of them; `met` is
    how they would meet, where the caller knows more of that than their words tell; `arc` what the two show as
    a story.
    """
    judged = _judged(a, b, weighed, met)
    if arc is None:
        return judged
    # As in a vault, an arc stands whatever is said of the pair.
    shown = max(judged.tier, arc.tier, key=TIER_WEIGHT.__getitem__)
    label: Label = "outdated" if arc.kind == "stale" else "conflict"
    last = tier.shown_as(replace(arc, tier=shown))
    return Judgement(
        label, shown, max(judged.alarm, arc.confidence), (*judged.stages[:-1], *arc.reasons, last)
    )


def _judged(a: Claim, b: Claim, weighed: Weighed | None, met: Reason | None) -> Judgement:
    rules = rule_verdict(a, b)
    before = (*readings(a, b), rules.said, met or meeting(a, b))
    if weighed is None:
        return Judgement(rules.label, rules.tier, rules.alarm, (*before, *rules.more, by_rules(rules)))
    alarm = round(weighed.decision.probability, 4)
    told = reasons(weighed.alignment, weighed.opinion)
    shut = silencer(a, b) if not weighed.decision.shown else None
    spoke = _once((*rules.more, shut) if shut else rules.more)
    shown = _tier(rules, weighed)
    stages = (*before, *told, *spoke, _decided(rules, weighed, shown))
    return Judgement(_label(rules, weighed), shown, alarm, stages)


def _tier(rules: RuleVerdict, weighed: Weighed) -> Tier:
    if not weighed.decision.shown:
        return "clean"
    return rules.tier if rules.tier != "clean" else "warn"


def _label(rules: RuleVerdict, weighed: Weighed) -> Label:
    if weighed.decision.shown:
        if rules.label in _ALARMS:
            return rules.label
        return "outdated" if kind_of(weighed.a, weighed.b, weighed.opinion) == "stale" else "conflict"
    if rules.label == "settled":
        return "settled"
    if weighed.opinion is None:
        return rules.label if rules.label not in _ALARMS else "compatible"
    return max(_QUIET, key=lambda label: weighed.opinion.of(label) if weighed.opinion else 0.0)


def _decided(rules: RuleVerdict, weighed: Weighed, shown: Tier) -> Reason:
    """The last word."""
    sure = f"{weighed.decision.probability:.0%} likely to be worth a look"
    if shown == "clean":
        if rules.more:  # settled, or a gate is closed
            return by_rules(rules)
        return tier.tier("clean", f"not likely enough: {sure}")
    return tier.tier(shown, f"{rules.why}; {sure}" if rules.why else sure)


# the rules
def rule_verdict(a: Claim, b: Claim) -> RuleVerdict:
    """The strongest word of all norms of both."""
    best: RuleVerdict | None = None
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
        return RuleVerdict("unrelated", "clean", 0.1, _structural("unknown", "LOW", "no comparable norm"))
    if best.label == "unrelated":
        label: Label = "unrelated" if _likeness(a, b) < 0.25 else "compatible"
        return RuleVerdict(label, "clean", 0.1, best.said, best.more)
    return best


_RANK: dict[Label, int] = {"unrelated": 0, "compatible": 1, "settled": 2, "outdated": 3, "conflict": 4}


def _pair(a: Entry, b: Entry) -> RuleVerdict:
    verdict = compare(a, b)
    if not verdict.contradicts:
        return _silent(a, b, verdict)
    said = _structural(verdict.outcome, verdict.confidence, verdict.detail)
    why = settled(a, b, ())
    if why:
        return RuleVerdict("settled", "clean", 0.15, said, (Reason("settle", "settled", "HIGH", why),))
    opposite, other_trust = verdict.outcome == "contradiction", a.claim.trust != b.claim.trust
    decision = decide_norms(same_subject=a.subject == b.subject, opposite=opposite, other_trust=other_trust)
    later = outdated(a, b)
    if decision.blocks:
        why = tier.OPPOSITE if opposite else tier.TRUST
    else:
        why = tier.OUTDATED if later else tier.VALUES
    return RuleVerdict(
        "outdated" if later else "conflict", decision.tier, decision.probability, said, why=why
    )


def _silent(a: Entry, b: Entry, verdict: Verdict) -> RuleVerdict:
    detail = f"the gate {verdict.gate} is closed" if verdict.gate else verdict.detail
    said = _structural(verdict.outcome, verdict.confidence, detail)
    shut = (verdict.reason(),) if verdict.gate else ()
    if verdict.gate == "overlap" and (other := gates.silent(a, b)):
        # Both name a thing, one says more of it: another gate tells better what stands between them.
        shut = (*shut, Reason(GATE + other[0], verdict.outcome, verdict.confidence, other[1]))
    if verdict.outcome == "unknown" and not same_subject(a, b):
        return RuleVerdict("unrelated", "clean", 0.05, said, shut)
    return RuleVerdict("compatible", "clean", 0.4 if verdict.outcome == "uncertain" else 0.1, said, shut)


def _structural(outcome: str, confidence: Confidence, detail: str) -> Reason:
    return Reason("structural", outcome, confidence, detail)


def _likeness(a: Claim, b: Claim) -> float:
    left, right = bag(a.statement.text), bag(b.statement.text)
    return len(left & right) / len(left | right) if left | right else 0.0


# the gates
def silencer(a: Claim, b: Claim) -> Reason | None:
    """The gate that is closed between two, for the trace."""
    shut = closed(a, b) or settled_by_structure(a, b)
    return Reason(GATE + shut[0], "silent", "HIGH", shut[1]) if shut else None


# the tier
def by_rules(rules: RuleVerdict) -> Reason:
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


def _once(spoke: Iterable[Reason]) -> tuple[Reason, ...]:
    """A gate that closed for the rules and for the judge is told once."""
    kept: dict[tuple[str, str], Reason] = {}
    for reason in spoke:
        kept.setdefault((reason.stage, reason.detail), reason)
    return tuple(kept.values())
