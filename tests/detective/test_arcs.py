"""The arc reader: X, then an explicit change to Y, then X again with no word of a change back."""

from __future__ import annotations

import pytest

from app.detection.claim_index import ClaimIndex
from app.detective import arcs
from tests.support.claims_of_notes import Said, claims, detect, says, shown

FIRST = says("The public API runs on REST.", "Overview", "2026-01-05")
CHANGE = says("We moved the public API from REST to GraphQL.", "Log", "2026-02-05")
BACK = says("The public API runs on REST.", "Handover", "2026-03-05")


def reversals(*notes: Said) -> list[tuple[str, list[str]]]:
    held = claims(*notes)
    return shown(held, detect(held))


def test_three_stations_make_a_reversal() -> None:
    assert reversals(FIRST, CHANGE, BACK) == [
        (
            "reversal",
            [
                "The public API runs on REST.",
                "We moved the public API from REST to GraphQL.",
                "The public API runs on REST.",
            ],
        )
    ]


def test_the_change_names_the_first_station_itself() -> None:
    assert len(reversals(CHANGE, BACK)) == 1


@pytest.mark.parametrize(
    ("first", "change", "back"),
    [
        ("The door code is 4411.", "We changed the door code to 0087.", "The door code is 4411."),
        (
            "The payments standup is at 9:30.",
            "The payments standup moved to 10:00.",
            "The payments standup is at half past nine.",
        ),
        (
            "Ines owns the billing service.",
            "Billing service owner changed from Ines to Rob.",
            "Ines owns the billing service.",
        ),
    ],
)
def test_reversals_of_several_kinds(first: str, change: str, back: str) -> None:
    found = reversals(
        says(first, "A", "2026-01-05"), says(change, "B", "2026-02-05"), says(back, "C", "2026-03-05")
    )
    assert [kind for kind, _ in found] == ["reversal"]


def test_without_the_return_there_is_no_arc() -> None:
    assert reversals(FIRST, CHANGE) == []
    assert reversals(FIRST, CHANGE, says("The public API runs on GraphQL.", "Handover", "2026-03-05")) == []


def test_a_change_back_in_words_is_a_story_told_to_its_end() -> None:
    assert (
        reversals(FIRST, CHANGE, says("We moved the public API from GraphQL to REST.", "Log", "2026-03-05"))
        == []
    )
    told = says("We moved the public API from GraphQL to REST.", "Log", "2026-03-01")
    assert reversals(FIRST, CHANGE, told, BACK) == []


def test_the_newest_word_may_agree_with_the_change() -> None:
    newest = says("The public API runs on GraphQL.", "Readme", "2026-04-05")
    assert reversals(FIRST, CHANGE, BACK, newest) == []


def test_an_undated_station_is_no_return() -> None:
    undated = says("The public API runs on REST.", "Handover")
    assert reversals(FIRST, CHANGE, undated) == []


def test_an_undated_change_cannot_be_placed_in_the_story() -> None:
    assert reversals(FIRST, says("We moved the public API from REST to GraphQL.", "Log"), BACK) == []


def test_another_thing_is_another_story() -> None:
    other = says("The billing export runs on REST.", "Handover", "2026-03-05")
    assert reversals(FIRST, CHANGE, other) == []


def test_plans_and_questions_are_no_stations() -> None:
    assert reversals(FIRST, CHANGE, says("Does the public API run on REST?", "Handover", "2026-03-05")) == []
    assert (
        reversals(FIRST, CHANGE, says("Thinking of moving the public API to REST.", "Handover", "2026-03-05"))
        == []
    )


def test_a_reversal_asks_whether_the_return_holds() -> None:
    held = claims(FIRST, CHANGE, BACK)
    (found,) = detect(held)
    assert (found.found_by, found.tier) == ("detective", "warn")
    assert "REST" in found.question
    assert found.question.endswith("?")


def test_only_threads_of_touched_claims_are_read() -> None:
    held = claims(FIRST, CHANGE, BACK, says("The meadow is mown in June.", "Garden", "2026-03-01"))
    index = ClaimIndex(held)
    assert arcs.findings(index, [held[-1].id]) == []
    assert len(arcs.findings(index, [held[0].id])) == 1
