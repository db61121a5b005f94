"""A pair that is shown, as a finding: its kind, its slot, and the evidence in plain words."""

from __future__ import annotations

from datetime import date

from app.conflicts.question import question
from app.detection.align import Alignment, Difference
from app.detection.norm_entry import spoken_for
from app.detection.norm_findings import STALE_DAYS
from app.detection.pairs import Weighed
from app.words import Claim, Confidence, Finding, Kind, Opinion, Reason, Slot

_SURE = 0.85
_SAID = {
    "amount": "other amount",
    "polarity": "one of them denies it",
    "demand": "another rule",
    "opposite": "opposite words",
    "name": "other name",
    "code": "other code",
    "word": "other words",
    "roles": "the other way round",
}


def finding(weighed: Weighed) -> Finding:
    a, b, aligned, decision, opinion = weighed
    old, new = spoken_for(a), spoken_for(b)
    about = _about(old.norm.subject, new.norm.subject, a)
    layers = len({a.layer, b.layer}) > 1
    project = (a.project or "") if a.project == b.project else ""
    slot = Slot("cross_layer" if layers else "memory_slot", about, ("pair", a.id, b.id), project)
    return Finding(
        kind_of(a, b, opinion),
        (a.id, b.id),
        slot,
        decision.tier,
        round(decision.probability, 3),
        question(old, new),
        "guard",
        (*reasons(aligned, opinion), _decided(decision.probability)),
        differing(aligned),
    )


def _about(old: str, new: str, claim: Claim) -> str:
    return old or new or claim.note


def kind_of(a: Claim, b: Claim, opinion: Opinion | None) -> Kind:
    """a is the older. What a newer line outdates is stale, the rest is a disagreement."""
    day_a, day_b = a.statement.date, b.statement.date
    if not day_a or not day_b or day_a == day_b:
        return "disagreement"
    if (date.fromisoformat(day_b) - date.fromisoformat(day_a)).days >= STALE_DAYS:
        return "stale"
    return "stale" if opinion is not None and opinion.finds_outdated else "disagreement"


def _decided(probability: float) -> Reason:
    return Reason("decide", "shown", "HIGH", f"{probability:.0%} likely to be worth a look")


def reasons(aligned: Alignment | None, opinion: Opinion | None) -> list[Reason]:
    """What was seen in a pair, in words a person can check."""
    made = []
    main = aligned.main if aligned is not None else None
    if main is not None:
        made.append(Reason("aligned", f"contradiction ({main.how})", "MED", _told(main)))
    else:
        made.append(Reason("aligned", "nothing to point at", "LOW", "nothing differs in the same place"))
    if opinion is not None:
        alarm = opinion.alarm
        sure: Confidence = "HIGH" if max(alarm, 1 - alarm) >= _SURE else "MED"
        made.append(Reason("judge", opinion.label, sure, f"{alarm:.0%} sure that both cannot hold"))
    return made


def _told(main: Difference) -> str:
    return f"same subject, {_SAID[main.how]}: {main.a} ≠ {main.b}"


def differing(aligned: Alignment | None) -> tuple[str, ...]:
    """What differs, in the words of each of the two; nothing where it cannot be pointed at."""
    main = aligned.main if aligned is not None else None
    return (main.a, main.b) if main is not None and main.how not in ("polarity", "demand", "roles") else ()
