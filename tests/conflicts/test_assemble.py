"""Findings to conflicts: one per slot, one per arc, and nothing the person has already settled."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

from app.conflicts.assemble import assemble
from app.detection.claim_index import ClaimIndex
from app.words import Conflict, Finding, Kind, Reason, Slot
from tests.support.claims_of_notes import Said, claims, detect, guard, says, shown

DATES = ("2026-01-05", "2026-02-05", "2026-03-05", "2026-04-05")
HELD = {
    c.id: c
    for c in claims(*(says(f"The door code is {n}111.", f"Note {n}", d) for n, d in enumerate(DATES, 1)))
}
A, B, C, D = HELD
DOOR = Slot("memory_slot", "door code", ("memory", "", "code", "door"))
GATE = Slot("memory_slot", "gate code", ("memory", "", "code", "gate"))


def finding(
    *members: str, kind: Kind = "disagreement", slot: Slot = DOOR, confidence: float = 0.9
) -> Finding:
    why = Reason("structural", kind, "HIGH", " ≠ ".join(members))
    return Finding(kind, members, slot, "warn", confidence, f"{kind}?", "guard", (why,))


def made(*findings: Finding, settled: tuple[frozenset[str], ...] = ()) -> list[Conflict]:
    return assemble(findings, HELD, settled)


def story(*notes: Said) -> list[tuple[str, list[str]]]:
    held = claims(*notes)
    return shown(held, assemble(guard(held) + detect(held), ClaimIndex(held).claims))


def test_a_pair_is_a_conflict_with_its_members_oldest_first() -> None:
    (conflict,) = made(finding(B, A))
    assert (conflict.members, conflict.kind, conflict.status) == ((A, B), "disagreement", "open")


def test_three_claims_in_one_slot_are_one_conflict() -> None:
    (conflict,) = made(finding(A, B), finding(B, C), finding(A, C))
    assert conflict.members == (A, B, C)
    assert len(conflict.reasons) == 3


def test_two_pairs_of_one_slot_none_of_which_speaks_against_the_other_stay_two() -> None:
    assert {c.members for c in made(finding(A, B), finding(C, D))} == {(A, B), (C, D)}


def test_what_speaks_against_both_makes_them_one() -> None:
    (conflict,) = made(finding(A, B), finding(C, D), finding(B, C))
    assert conflict.members == (A, B, C, D)


def test_groups_of_one_slot_that_share_a_member_are_one_whatever_their_details_are_about() -> None:
    aside = replace(GATE, key=("memory", "", "bell"), subject="bell")
    found = (finding(A, B), finding(A, B, C, slot=GATE, confidence=0.1))
    more = finding(C, D), finding(C, D, B, slot=aside, confidence=0.1)
    (conflict,) = made(*found, *more)
    assert conflict.members == (A, B, C, D)


def test_different_slots_are_different_conflicts() -> None:
    assert len(made(finding(A, B), finding(C, D, slot=GATE))) == 2


def test_the_order_of_findings_decides_nothing() -> None:
    found = [
        finding(A, B),
        finding(B, C, kind="stale"),
        finding(C, D, slot=GATE),
        finding(A, B, C, kind="reversal"),
    ]
    assert len({tuple(made(*order)) for order in permutations(found)}) == 1


def test_a_reversal_outweighs_stale_and_stale_a_disagreement() -> None:
    (both,) = made(finding(A, B, confidence=0.99), finding(B, C, kind="stale"))
    assert both.kind == "stale"
    (all_three,) = made(
        finding(A, B, confidence=0.99), finding(B, C, kind="stale"), finding(A, B, C, kind="reversal")
    )
    assert (all_three.kind, all_three.question) == ("reversal", "reversal?")


def test_a_reversal_keeps_all_its_members() -> None:
    (conflict,) = made(finding(A, B, C, kind="reversal"), finding(B, C))
    assert conflict.members == (A, B, C)


def test_the_heaviest_tier_and_every_stage_stay() -> None:
    loud = replace(finding(A, B), tier="block", found_by="detective")
    (conflict,) = made(finding(B, C), loud)
    assert (conflict.tier, conflict.found_by) == ("block", ("detective", "guard"))


def test_a_settled_pair_does_not_come_back() -> None:
    assert made(finding(A, B), settled=(frozenset((A, B)),)) == []


def test_nor_inside_a_larger_set() -> None:
    (conflict,) = made(finding(A, B), finding(A, C), settled=(frozenset((A, B)),))
    assert conflict.members == (A, C)
    assert all(B not in reason.detail for reason in conflict.reasons)


def test_an_arc_whose_every_pair_is_settled_does_not_come_back() -> None:
    pairs = tuple(frozenset(p) for p in ((A, B), (B, C), (A, C)))
    assert made(finding(A, B, C, kind="reversal"), settled=pairs) == []
    assert len(made(finding(A, B, C, kind="reversal"), settled=pairs[:1])) == 1


def test_the_id_is_that_of_its_members() -> None:
    (first,), (second,) = made(finding(A, B)), made(finding(B, A, kind="stale"))
    assert first.id == second.id
    assert first.id != made(finding(A, C))[0].id


def test_a_vault_with_three_codes_for_one_door_shows_one_conflict() -> None:
    assert story(
        says("The door code is 4411.", "Overview", DATES[0]),
        says("Door code: 0087", "House", DATES[1]),
        says("The door code is 9310.", "Guests", DATES[2]),
    ) == [("disagreement", ["The door code is 4411.", "Door code: 0087", "The door code is 9310."])]


def test_what_holds_until_march_and_what_holds_from_april_are_two_conflicts() -> None:
    codes = "Until 31 March 2026 the door code is {}.\n\nFrom 1 April 2026 the door code is {}."
    assert story(says(codes.format(1111, 3333), "House"), says(codes.format(2222, 4444), "Guests")) == [
        (
            "disagreement",
            ["From 1 April 2026 the door code is 4444.", "From 1 April 2026 the door code is 3333."],
        ),
        (
            "disagreement",
            ["Until 31 March 2026 the door code is 2222.", "Until 31 March 2026 the door code is 1111."],
        ),
    ]


def test_two_lists_of_the_same_two_values_are_one_conflict() -> None:
    """Neighbours in a list are not held against each other, but who says the same is on one side."""
    tyres = "- The front tyre pressure is {} bar.\n- The front tyre pressure is {} bar."
    ((_, texts),) = story(says(tyres.format(2.3, 2.6), "Car"), says(tyres.format(2.3, 2.6), "Garage"))
    assert len(texts) == 4


def test_a_reversal_in_a_vault_is_one_conflict_of_three_members() -> None:
    assert story(
        says("The door code is 4411.", "Overview", DATES[0]),
        says("We changed the door code from 4411 to 0087.", "Log", DATES[1]),
        says("The door code is 4411.", "Guests", DATES[2]),
    ) == [
        (
            "reversal",
            [
                "The door code is 4411.",
                "We changed the door code from 4411 to 0087.",
                "The door code is 4411.",
            ],
        )
    ]
