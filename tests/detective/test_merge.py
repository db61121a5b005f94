"""Findings of several batches and threads, merged."""

from __future__ import annotations

from itertools import permutations

from app.detective.merge import beside, merged
from app.words import Finding, Kind, Reason, Slot, Tier


def found(kind: Kind, *members: str, sure: float = 0.9, why: str = "arc", tier: Tier = "warn") -> Finding:
    reason = Reason(why, kind, "HIGH", " ".join(members))
    return Finding(
        kind, members, Slot("memory_slot", "door code"), tier, sure, "Is it?", "detective", (reason,)
    )


def test_the_same_claims_in_two_batches_are_one_finding() -> None:
    assert merged([[found("stale", "a", "b")], [found("stale", "a", "b")]]) == [found("stale", "a", "b")]


def test_the_weightier_kind_wins_and_keeps_both_reasons() -> None:
    (only,) = merged(
        [[found("disagreement", "a", "b", tier="block")], [found("stale", "a", "b", why="model")]]
    )
    assert (only.kind, only.tier) == ("stale", "block")
    assert {r.stage for r in only.reasons} == {"arc", "model"}


def test_a_pair_inside_an_arc_goes_into_it() -> None:
    (only,) = merged([[found("disagreement", "a", "c", why="pair")], [found("reversal", "a", "b", "c")]])
    assert (only.kind, only.members) == ("reversal", ("a", "b", "c"))
    assert {r.stage for r in only.reasons} == {"arc", "pair"}


def test_findings_that_share_a_claim_stay_two() -> None:
    assert len(merged([[found("stale", "a", "b")], [found("stale", "b", "c")]])) == 2
    assert len(merged([[found("stale", "a", "b")], [found("stale", "a", "b", "c")]])) == 2


def test_one_claim_alone_is_no_finding() -> None:
    assert merged([[found("stale", "a", "a")]]) == []


def test_the_order_of_the_readings_does_not_matter() -> None:
    readings = [
        [found("disagreement", "a", "c")],
        [found("reversal", "a", "b", "c"), found("stale", "d", "e")],
        [found("stale", "d", "e", sure=0.5)],
    ]
    results = [merged(order) for order in permutations(readings)]
    assert all(result == results[0] for result in results)
    assert [f.members for f in results[0]] == [("a", "b", "c"), ("d", "e")]


def test_what_rules_speak_of_already_is_not_told_twice_by_a_model() -> None:
    known = [found("reversal", "a", "b", "c")]
    own = [found("disagreement", "a", "b", "d"), found("stale", "c", "d"), found("stale", "e", "f")]
    assert beside(known, own) == [own[1], own[2]]  # one line in common is another matter


def test_of_two_own_findings_about_one_matter_the_surest_stays() -> None:
    sure, less = found("stale", "a", "b", "c", sure=0.9), found("disagreement", "b", "c", "d", sure=0.6)
    for own in permutations([sure, less, found("stale", "d", "e", sure=0.5)]):
        assert [one.members for one in beside([], own)] == [("a", "b", "c"), ("d", "e")]


def test_beside_nothing_stays_everything_that_is_apart() -> None:
    assert beside([found("stale", "a", "b")], []) == []
    own = [found("stale", "a", "b"), found("stale", "b", "c")]
    assert beside([], own) == own
