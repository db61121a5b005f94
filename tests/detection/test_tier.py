"""The last word of a trace: which tier it is, and why."""

from __future__ import annotations

import pytest

from app.conflicts.assemble import assemble
from app.detection import tier
from app.detection.claim_index import ClaimIndex
from app.detection.tier import shown_as
from app.detective import arcs
from app.words import Finding, Kind, Reason, Slot, Tier
from tests.support.claims_of_notes import Said, claims, guard, says

RULE = (says("Never deploy on Fridays.", "Rules"), says("Friday deploys are fine.", "2026-03-02"))
CANON = (
    says("The door code is 4411.", "House", trust="canon"),
    says("The door code is 0087.", "2026-03-02"),
)
VALUES = (says("The door code is 4411.", "2026-03-01"), says("The door code is 0087.", "2026-03-02"))
OLD = (says("The door code is 4411.", "2021-03-01"), says("The door code is 0087.", "2026-03-02"))


@pytest.mark.parametrize(
    ("notes", "shown", "why"),
    [
        (RULE, "block", tier.OPPOSITE),
        (CANON, "block", tier.TRUST),
        (VALUES, "warn", tier.VALUES),
        (OLD, "warn", tier.OUTDATED),
    ],
)
def test_what_the_guard_finds_says_why_it_has_its_tier(
    notes: tuple[Said, Said], shown: Tier, why: str
) -> None:
    (found,) = guard(held := claims(*notes))
    assert shown_as(found) == Reason("tier", shown, "HIGH", why)
    (conflict,) = assemble([found], {claim.id: claim for claim in held}, frozenset())
    assert shown_as(conflict) == shown_as(found)


def test_a_reversal_turned_back_without_a_word() -> None:
    held = claims(
        says("Mum's carer is Eilidh.", "2025-10-02"),
        says("Mum's carer changed from Eilidh to Donna.", "2026-02-09"),
        says("Mum's carer is Eilidh.", "2026-06-23"),
    )
    (found,) = arcs.findings(ClaimIndex(held))
    assert found.kind == "reversal"
    assert shown_as(found) == Reason("tier", "warn", "HIGH", "it turned back without a word")


@pytest.mark.parametrize(
    ("kind", "why"), [("stale", tier.OUTDATED), ("disagreement", tier.VALUES), ("reversal", "turned back")]
)
def test_what_a_model_joins_keeps_the_reason_of_the_rules(kind: Kind, why: str) -> None:
    reasons = (Reason("arc", kind, "MED", "x"), Reason("thread", "confirmed", "MED", "90% sure"))
    found = Finding(kind, ("a", "b"), Slot("memory_slot", "x"), "warn", 0.9, "?", "detective", reasons)
    assert why in shown_as(found).detail
