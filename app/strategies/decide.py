"""Which member each strategy would keep, and why; pure. None where it cannot tell: the person decides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.store.winner import alone
from app.strategies.api import Contradiction, Fallback, Member, Resolution
from app.strategies.rules import Rule
from app.strategies.trust import Trust, sources
from app.words import Claim, Conflict

MARGIN = 0.1
"""Learned trust speaks only where it is this far ahead: two verdicts one way, not one."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A member to keep, why, and the strategy that says so."""

    claim: str
    why: str
    strategy: str


def contradiction(
    conflict: Conflict, claims: Sequence[Claim], trust: Trust, note_tags: Mapping[str, Sequence[str]]
) -> Contradiction:
    """A conflict and its claims as strategies see them."""
    topic = conflict.slot.subject
    members = [_member(claim, topic, trust, note_tags.get(claim.statement.path, ())) for claim in claims]
    return Contradiction(
        conflict.id,
        conflict.kind,
        topic,
        conflict.slot.project,
        conflict.tier,
        conflict.question,
        conflict.confidence,
        tuple(sorted(members, key=lambda member: member.date or "")),
    )


def _member(claim: Claim, topic: str, trust: Trust, tags: Sequence[str]) -> Member:
    s = claim.statement
    return Member(
        claim.id, s.text, claim.note, s.path, s.line, s.date, claim.layer, claim.trust,
        trust.of(sources(claim, tags), topic),
        tuple(dict.fromkeys((*s.tags, *tags))),
        next((norm.value for norm in claim.norms if norm.value is not None), None),
    )  # fmt: skip


def last_write_wins(given: Contradiction) -> Suggestion | None:
    """The member that alone has the latest date."""
    found = alone(given.members, [member.date or "" for member in given.members], "")
    return None if found is None else Suggestion(found.claim, f"newest, {found.date}", "last_write_wins")


def highest_trust(given: Contradiction) -> Suggestion | None:
    """The highest layer; among members of that layer the one your verdicts trust most, well ahead."""
    found = alone(given.members, [member.trust for member in given.members], 0)
    if found is not None:
        return Suggestion(found.claim, "from the most trusted note", "highest_trust")
    top = max(member.trust for member in given.members)
    first, second = sorted(
        (member for member in given.members if member.trust == top),
        key=lambda member: (-member.learned, member.claim),
    )[:2]
    if first.learned - second.learned < MARGIN:
        return None
    why = f"most trusted by your verdicts, {first.learned:.2f} to {second.learned:.2f}"
    return Suggestion(first.claim, why, "highest_trust")


def agreed(given: Contradiction) -> Suggestion | None:
    """Decided by no rule: proposed is what trust speaks for, unless a newer date speaks for another. A newer
    date alone is no reason."""
    late, trusted = last_write_wins(given), highest_trust(given)
    if trusted is None:
        return None
    if late is None:
        return Suggestion(trusted.claim, trusted.why, "manual")
    return (
        Suggestion(late.claim, "newest and most trusted", "manual") if late.claim == trusted.claim else None
    )


_BY_NAME = {"manual": agreed, "last_write_wins": last_write_wins, "highest_trust": highest_trust}


def decide(strategy: Fallback, given: Contradiction) -> Suggestion | None:
    return _BY_NAME[strategy](given)


def resolved(resolution: Resolution, given: Contradiction) -> Suggestion | None:
    """What a resolver's answer comes to; None is the person's turn."""
    if resolution.kind == "keep" and resolution.claim is not None:
        return Suggestion(resolution.claim, resolution.why or "your resolver says so", "custom")
    if resolution.kind == "fallback" and resolution.strategy not in (None, "manual"):
        return decide(resolution.strategy, given)
    return None


def suggestion(given: Contradiction, rule: Rule, answered: Suggestion | None = None) -> Suggestion | None:
    """The member to mark before the person decides. `answered` is what their resolver or callback said."""
    if answered is not None and any(member.claim == answered.claim for member in given.members):
        return answered
    return decide("manual" if rule.use == "custom" else rule.use, given)
