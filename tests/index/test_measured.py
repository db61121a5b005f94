"""Who is the nearest of whom among the claims that measure the same."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy
from hypothesis import given
from hypothesis import strategies as st

from app.guard.contrast import kinds
from app.index.measured import Measured
from app.models.neighbours import Neighbours
from app.words import Claim
from tests.guard.building import claims, says

TEXTS = (
    "The ferry takes 40 minutes.",
    "By boat one is there after 55 minutes.",
    "The oven needs 25 minutes.",
    "The crossing costs 12 €.",
    "The fare is 15 € for 30 minutes.",
    "The boat is blue.",
    "The tank holds 40 litres.",
    "The pump runs for 3 hours.",
)
CLAIMS = claims(*(says(text, f"N{n}") for n, text in enumerate(TEXTS)))
RANDOM = numpy.random.default_rng(7)
VECTORS = {claim.id: RANDOM.uniform(size=6).astype(numpy.float32) for claim in CLAIMS}
VECTORS[CLAIMS[4].id] = VECTORS[CLAIMS[1].id]  # equal vectors are common
for vector in VECTORS.values():
    vector /= numpy.linalg.norm(vector)

KINDS = {claim.id: kinds(claim.statement.text) for claim in CLAIMS}
Pairs = set[frozenset[str]]


def held(some: Sequence[Claim]) -> tuple[Measured, Neighbours]:
    measured, near = Measured(), Neighbours(6)
    for claim in some:
        measured.add(claim)
        near.add(claim.id, VECTORS[claim.id])
    return measured, near


def by_hand(some: Sequence[Claim]) -> Pairs:
    """Every two that share a kind in which neither has anyone nearer."""

    def nearest(claim: Claim, same: Sequence[Claim]) -> str:
        def near(other: Claim) -> tuple[float, str]:
            product = VECTORS[claim.id].astype(float) * VECTORS[other.id].astype(float)
            return -float(product.sum()), other.id

        return min((one for one in same if one.id != claim.id), key=near).id

    found: Pairs = set()
    for a, b in combinations(some, 2):
        for kind in KINDS[a.id] & KINDS[b.id]:
            same = [claim for claim in some if kind in KINDS[claim.id]]
            if nearest(a, same) == b.id and nearest(b, same) == a.id:
                found.add(frozenset((a.id, b.id)))
    return found


def test_two_that_measure_the_same_meet_past_all_that_measure_nothing() -> None:
    ferry, boat, blue = CLAIMS[0], CLAIMS[1], CLAIMS[5]
    measured, near = held([ferry, boat, blue])
    near.add(blue.id, VECTORS[ferry.id])  # nearer than anything else
    assert near.nearest_of([ferry.id], 1)[ferry.id][0].id == blue.id
    assert measured.nearest([ferry.id], near) == {frozenset((ferry.id, boat.id))}


def test_nearness_of_one_side_alone_is_not_enough() -> None:
    ferry, boat, oven = CLAIMS[:3]
    measured, near = held([ferry, boat, oven])
    axes = numpy.eye(6, dtype=numpy.float32)
    near.add(ferry.id, axes[0])
    near.add(boat.id, axes[0] * 0.9 + axes[1] * 0.43589)
    near.add(oven.id, axes[1])  # its nearest is the boat, whose nearest is the ferry
    assert measured.nearest([oven.id], near) == set()
    assert measured.nearest([boat.id], near) == {frozenset((ferry.id, boat.id))}


def test_what_measures_nothing_or_something_else_is_nobodys_nearest() -> None:
    measured, near = held([CLAIMS[3], CLAIMS[5], CLAIMS[6]])
    assert measured.nearest([claim.id for claim in CLAIMS], near) == set()


def pairs_among(some: Sequence[Claim]) -> Pairs:
    measured, near = Measured(), Neighbours(6)
    for claim in some:
        measured.add(claim)
        near.add(claim.id, numpy.eye(6, dtype=numpy.float32)[0])
    return measured.nearest([claim.id for claim in some], near)


def test_what_could_not_be_embedded_is_near_to_nothing() -> None:
    ferry, boat = CLAIMS[:2]
    measured, near = held([ferry, boat])
    near.add(boat.id, bytes(12))
    assert measured.nearest([ferry.id, boat.id], near) == set()


def test_bare_numbers_of_a_row_measure_nothing() -> None:
    rows = claims(says("| bed | plants |\n|---|---|\n| south | 140 plants |\n| north | 90 plants |", "Beds"))
    assert {claim.statement.form for claim in rows} == {"row"} and pairs_among(rows) == set()
    said = claims(says("South has 140 plants.", "A"), says("North has 90 plants.", "B"))
    assert pairs_among(said) == {frozenset(claim.id for claim in said)}


def test_the_date_that_a_line_begins_with_is_when_and_measures_nothing() -> None:
    entries = claims(says("2026-03-04: the pump is blue", "A"), says("2026-05-06: the pump is red", "B"))
    assert {claim.statement.dated_by for claim in entries} == {"inline"} and pairs_among(entries) == set()


@given(st.lists(st.tuples(st.booleans(), st.sampled_from(CLAIMS)), max_size=30))
def test_after_any_adding_and_removing_the_pairs_are_those_of_who_is_there(
    steps: list[tuple[bool, Claim]],
) -> None:
    measured, near = Measured(), Neighbours(6)
    there: dict[str, Claim] = {}
    for add, claim in steps:
        if add:
            measured.add(claim)
            near.add(claim.id, VECTORS[claim.id])
            there[claim.id] = claim
        else:
            measured.remove(claim.id)
            near.remove(claim.id)
            there.pop(claim.id, None)
    assert measured.nearest(list(there), near) == by_hand(list(there.values()))


@given(st.permutations(CLAIMS), st.integers(0, len(CLAIMS)))
def test_each_side_finds_the_other_whoever_asks_and_however_many(order: list[Claim], some: int) -> None:
    measured, near = held(order)
    everyone = measured.nearest([claim.id for claim in order], near)
    assert everyone == by_hand(CLAIMS) and everyone
    asked = {claim.id for claim in order[:some]}
    assert measured.nearest(sorted(asked), near) == {pair for pair in everyone if pair & asked}
