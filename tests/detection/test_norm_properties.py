"""What must hold for any statements: no order, no bystander and no direction changes a verdict."""

from __future__ import annotations

import random

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from app.conflicts.assemble import assemble
from app.detection import norm_findings
from app.detection.claim_index import ClaimIndex
from app.detection.compare_norms import compare
from app.detection.norm_entry import entries
from app.detective import arcs
from tests.support.claims_of_notes import Said, claims
from tests.support.grammar import PAIRS, STORIES, UNRELATED


@given(PAIRS)
def test_comparing_is_symmetric(told: list[Said]) -> None:
    held = claims(*told)
    found = [e for claim in held for e in entries(claim)]
    for x in found:
        for y in found:
            there, back = compare(x, y), compare(y, x)
            assert (there.outcome, there.confidence, there.gate) == (back.outcome, back.confidence, back.gate)


@given(PAIRS)
def test_nothing_contradicts_its_copy(told: list[Said]) -> None:
    for note in told:
        assert norm_findings.findings(ClaimIndex(claims(note, note))) == []


def test_the_grammar_speaks_of_conflicts() -> None:
    """Else the properties below would hold of nothing."""
    told = [claims(*story) for story in _sampled(60)]
    assert sum(bool(norm_findings.findings(ClaimIndex(held))) for held in told) > 10
    assert sum(bool(arcs.findings(ClaimIndex(held))) for held in told) > 2


def _sampled(n: int) -> list[list[Said]]:
    seen: list[list[Said]] = []

    @settings(max_examples=n, database=None, derandomize=True, phases=[Phase.generate])
    @given(STORIES)
    def collect(story: list[Said]) -> None:
        seen.append(story)

    collect()
    return seen


@given(STORIES, st.integers(0, 2**32))
def test_the_order_of_claims_changes_neither_findings_nor_conflicts(story: list[Said], seed: int) -> None:
    held = claims(*story)
    shuffled = held[:]
    random.Random(seed).shuffle(shuffled)
    here, there = ClaimIndex(held), ClaimIndex(shuffled)
    found = norm_findings.findings(here) + arcs.findings(here)
    again = norm_findings.findings(there) + arcs.findings(there)
    assert again == found
    assert assemble(again[::-1], there.claims) == assemble(found, here.claims)


@given(STORIES)
def test_an_unrelated_note_changes_no_finding(story: list[Said]) -> None:
    alone, joined = ClaimIndex(claims(*story)), ClaimIndex(claims(*story, UNRELATED))
    assert norm_findings.findings(joined) == norm_findings.findings(alone)
    assert arcs.findings(joined) == arcs.findings(alone)


@given(STORIES)
def test_touching_every_claim_finds_what_a_full_run_finds(story: list[Said]) -> None:
    held = claims(*story)
    index = ClaimIndex(held)
    every = [claim.id for claim in held]
    assert {f.members for f in norm_findings.findings(index, every)} == {
        f.members for f in norm_findings.findings(index)
    }
    assert arcs.findings(index, every) == arcs.findings(index)


@given(STORIES)
def test_touching_one_claim_finds_its_share(story: list[Said]) -> None:
    held = claims(*story)
    index = ClaimIndex(held)
    everything = {f.members for f in norm_findings.findings(index)}
    for claim in held:
        mine = {members for members in everything if claim.id in members}
        assert {f.members for f in norm_findings.findings(index, [claim.id])} == mine


@given(STORIES)
def test_a_claim_taken_out_of_the_index_leaves_no_trace(story: list[Said]) -> None:
    held = claims(*story)
    index = ClaimIndex(held)
    for claim in held[1:]:
        index.remove(claim.id)
    assert norm_findings.findings(index) == []
    for claim in held[1:]:
        index.add(claim)
    assert norm_findings.findings(index) == norm_findings.findings(ClaimIndex(held))


@given(STORIES)
def test_members_stand_oldest_first_and_undated_before_dated(story: list[Said]) -> None:
    index = ClaimIndex(claims(*story))
    for finding in norm_findings.findings(index) + arcs.findings(index):
        dates = [index.claims[m].statement.date or "" for m in finding.members]
        assert dates == sorted(dates)
        assert finding.question.endswith("?")
