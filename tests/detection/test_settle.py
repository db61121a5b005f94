"""What settles a pair for a reader today: a change, correction or end said in words; never a date alone."""

from __future__ import annotations

import pytest

from tests.support.claims_of_notes import claims, guard, pair, says, shown

OLD = says("The door code is 4411.", "Overview", "2026-01-05")


@pytest.mark.parametrize(
    "text",
    [
        "The door code is now 0087.",
        "As of May 2026 the door code is 0087.",
        "Since 3 May the door code is 0087.",
        "Correction: the door code is 0087.",
        "Actually the door code is 0087.",
        "We changed the door code from 4411 to 0087.",
        "The door code was changed to 0087.",
        "The door code is 0087 (was 4411).",
        "Door code: 0087 (was 4411)",
        "The new door code is 0087.",
        "From now on the door code is 0087.",
    ],
)
def test_a_later_change_in_words_settles(text: str) -> None:
    assert not pair(OLD, says(text, "Log", "2026-05-05")).conflict


@pytest.mark.parametrize("gap", ["2026-01-06", "2026-03-05"])
def test_a_newer_date_alone_never_settles(gap: str) -> None:
    assert pair(OLD, says("The door code is 0087.", "Log", gap)).kinds == ["disagreement"]


def test_much_newer_is_stale_and_not_settled() -> None:
    assert pair(OLD, says("The door code is 0087.", "Log", "2026-11-05")).kinds == ["stale"]


def test_undated_is_never_newer() -> None:
    assert pair("The door code is 4411.", says("The door code is 0087.", "Log", "2026-11-05")).kinds == [
        "disagreement"
    ]


def test_an_undated_change_settles() -> None:
    assert not pair(OLD, "We changed the door code from 4411 to 0087.").conflict
    assert not pair("The door code is 4411.", "We changed the door code from 4411 to 0087.").conflict


def test_a_change_in_a_third_note_settles_two_others() -> None:
    new = says("The door code is 0087.", "Handover", "2026-06-01")
    change = says("We changed the door code from 4411 to 0087.", "Log", "2026-05-05")
    held = claims(OLD, new)
    assert guard(held)
    held = claims(OLD, new, change)
    assert guard(held) == []


def test_a_change_to_a_third_value_settles_nothing_between_later_ones() -> None:
    held = claims(
        says("We changed the door code from 1111 to 2222.", "Log", "2025-05-05"),
        says("The door code is 4411.", "Overview", "2026-01-05"),
        says("The door code is 0087.", "Handover", "2026-02-01"),
    )
    assert ("disagreement", ["The door code is 4411.", "The door code is 0087."]) in shown(held, guard(held))


def test_a_memory_of_the_past_settles_nothing() -> None:
    held = claims(
        says("In 2024 the door code was 0087.", "Memories", "2026-03-01"),
        says("The door code is 4411.", "Overview", "2026-01-05"),
        says("The door code is 0087.", "Handover", "2026-02-01"),
    )
    assert len(guard(held)) == 1


def test_a_retirement_settles() -> None:
    old = says("The office printer is enabled.", "Overview", "2026-01-05")
    assert not pair(old, says("The office printer is no longer enabled.", "Log", "2026-03-05")).conflict


def test_entries_of_a_series_are_readings() -> None:
    days = [says(f"The cellar humidity is {n} %.", f"2026-03-{n - 50:02d}") for n in (52, 55, 58, 61, 64)]
    assert guard(claims(*days)) == []
