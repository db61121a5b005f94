"""The structural verdict: what it says, and how sure it is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.detection.compare_norms import compare
from app.detection.norm_entry import Entry
from tests.support.claims_of_notes import claims, entry, pair, says


def two(a: str, b: str) -> tuple[Entry, Entry]:
    return entry(a), entry(says(b, "Notebook"))


def with_norm(held: Entry, **changes: object) -> Entry:
    return replace(held, norm=replace(held.norm, **changes))  # type: ignore[arg-type]


def test_a_missing_subject_is_incomparable_whatever_the_other_says() -> None:
    a, b = two("The door code is 4411.", "The door code is 0087.")
    verdict = compare(with_norm(a, subject_kind="MISSING"), b)
    assert (verdict.outcome, verdict.contradicts) == ("incomparable", False)


def test_a_fuzzy_subject_is_left_to_the_judge() -> None:
    a, b = two("The door code is 4411.", "The door code is 0087.")
    verdict = compare(with_norm(a, subject_kind="FUZZY"), b)
    assert (verdict.outcome, verdict.confidence) == ("unknown", "LOW")


def test_a_value_that_does_not_stand_in_the_text_contradicts_nothing() -> None:
    a, b = two("The door code is 4411.", "The door code is 0087.")
    assert compare(a, b).contradicts
    verdict = compare(with_norm(a, value="9999"), b)
    assert (verdict.outcome, verdict.confidence) == ("uncertain", "MED")


def test_more_than_one_value_may_hold_where_the_slot_is_not_single() -> None:
    a, b = two("The door code is 4411.", "The door code is 0087.")
    assert compare(with_norm(a, single=False), b).confidence == "MED"


@pytest.mark.parametrize(
    ("a", "b", "outcome"),
    [
        ("The door code is 4411.", "The door code is 0087.", "contradiction (value)"),
        ("Friday deploys are forbidden.", "Friday deploys are fine.", "contradiction"),
        ("The side gate is locked.", "The side gate is open.", "contradiction"),
        ("The tram line is enabled.", "The tram line is disabled.", "contradiction"),
        ("Guests may use the sauna.", "Guests may not use the sauna.", "contradiction"),
        ("Guests should use the sauna.", "Guests should not use the sauna.", "contradiction"),
        ("The door code is 4411.", "The door code is 4411.", "consistent"),
        ("The boiler pressure is 2 bar.", "The boiler pressure is 2.0 bar.", "consistent"),
        ("Visitors must sign the register.", "Visitors must sign the register.", "consistent"),
        ("The door code is 4411.", "The meadow is mown in June.", "unknown"),
    ],
)
def test_outcomes(a: str, b: str, outcome: str) -> None:
    assert compare(*two(a, b)).outcome == outcome


def test_only_what_is_certain_becomes_a_finding() -> None:
    made = pair("We use Redis for the job queue.", "We use RabbitMQ for the job queue.")
    assert made.verdict is not None
    assert (made.verdict.confidence, made.conflict) == ("MED", False)


def test_none_at_all_contradicts_one_of_its_kind() -> None:
    assert pair("Oskar has no allergies.", "Oskar is allergic to nuts.").outcome == "contradiction"
    assert not pair("Oskar has no allergies.", "Noa is allergic to nuts.").conflict


def test_the_reason_says_both_values_in_plain_words() -> None:
    (found,) = pair("The door code is 4411.", "The door code is 0087.").findings
    assert found.reasons[0].stage == "structural"
    assert sorted(found.reasons[0].detail.split(" ≠ ")) == ["0087", "4411"]


def test_a_claim_is_compared_by_each_of_its_norms() -> None:
    held = claims(says("- atlas: 64 GB of RAM, 8 cores", "Machines"))
    assert len(held[0].norms) == 2
