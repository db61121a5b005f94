"""Never all pairs, and yet no contradiction is missed for it."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given

from app.detection.claim_index import ClaimIndex
from app.detection.compare_norms import compare
from app.detection.norm_entry import entries
from tests.support.claims_of_notes import Said, claims, pair, says
from tests.support.grammar import STORIES


@given(STORIES)
def test_whatever_contradicts_is_among_the_candidates(story: list[Said]) -> None:
    held = claims(*story)
    index = ClaimIndex(held)
    for one, other in combinations(held, 2):
        for x in entries(one):
            for y in entries(other):
                if compare(x, y).contradicts:
                    assert y in index.candidates(x)
                    assert x in index.candidates(y)


def test_a_claim_is_no_candidate_of_itself() -> None:
    (held,) = claims("The door code is 4411.")
    index = ClaimIndex([held])
    assert index.candidates(index.entries_of(held.id)[0]) == []


def test_other_subjects_are_not_looked_at() -> None:
    held = claims("The door code is 4411.", "The meadow is mown in June.", "The boiler pressure is 2 bar.")
    index = ClaimIndex(held)
    assert all(index.candidates(e) == [] for claim in held for e in index.entries_of(claim.id))


def test_what_a_subject_leaves_out_its_surroundings_supply() -> None:
    assert pair(
        says("The door code is 4411.", "Cabin"), says("The cabin door code is 0087.", "Overview")
    ).conflict
    assert not pair(
        says("The door code is 4411.", "Garage"), says("The cabin door code is 0087.", "Overview")
    ).conflict


def test_adding_a_claim_twice_holds_it_once() -> None:
    held = claims("The door code is 4411.", "The door code is 0087.")
    index = ClaimIndex([*held, *held])
    assert len(index.candidates(index.entries_of(held[0].id)[0])) == 1
