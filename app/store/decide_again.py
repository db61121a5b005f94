"""Decisions from a copy, made again in a store that was read anew from the notes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from app.store.changes import ConflictChange
from app.store.decision_copy import CopiedDecision
from app.store.errors import StoreError
from app.store.store import Store
from app.words import Conflict, Reason, Slot


def decide_again(
    store: Store, decisions: Iterable[CopiedDecision], at: str
) -> list[tuple[CopiedDecision, str]]:
    """Make them in a store that was read anew; returns those that cannot be made, and why."""
    refused: list[tuple[CopiedDecision, str]] = []
    for one in decisions:
        try:
            if one.conflict is not None and store.conflicts.get(one.target) is None:
                store.conflicts.apply([ConflictChange("opened", _conflict(one.conflict))], at)
            _decide(store, one)
        except (StoreError, KeyError, TypeError) as error:
            refused.append((one, str(error)))
    return refused


def _decide(store: Store, one: CopiedDecision) -> None:
    winner = one.payload.get("winner")
    match one.action:
        case "kept":
            store.conflicts.keep(
                one.target, str(winner), one.why, how=one.payload.get("how", ""), who=one.who
            )
        case "dismissed":
            store.conflicts.dismiss(one.target, one.why, who=one.who)
        case "resolved":
            store.conflicts.resolve(one.target, one.why, winner=winner, who=one.who)
        case "snoozed":
            store.conflicts.snooze(one.target, one.payload["snoozed_until"], one.why, who=one.who)
        case "promoted":
            store.claims.promote(one.payload["claims"], one.why, who=one.who)
        case "replaced":
            store.claims.supersede(one.target, str(winner), one.why, who=one.who)
        case "redacted":
            store.claims.redact(one.target, one.why, who=one.who)
        case _:  # a conflict that was reopened is open
            pass


def _conflict(fields: dict[str, Any]) -> Conflict:
    """The conflict of a decision, open."""
    slot = Slot(**{**fields["slot"], "key": tuple(fields["slot"]["key"])})
    reasons = tuple(Reason(**one) for one in fields["reasons"])
    return Conflict(
        id=fields["id"],
        kind=fields["kind"],
        members=tuple(fields["members"]),
        slot=slot,
        tier=fields["tier"],
        confidence=fields["confidence"],
        question=fields["question"],
        found_by=tuple(fields["found_by"]),
        reasons=reasons,
        detected_at=fields["detected_at"],
    )
