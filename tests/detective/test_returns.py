"""Reversals by mention: something was said to be over, and another note goes on as if it were not."""

from __future__ import annotations

import pytest

from tests.guard.building import Said, claims, detect, says, shown

FIRST = says("Invoices and dunning go out through Billomat.", "Office", "2025-01-05")
CHANGE = says("Dunning: replaced Billomat with Lexware.", "Office changes", "2025-03-05")
BACK = says("For the temp: take the list from the Billomat dashboard.", "Handover", "2025-09-05")


def kinds(*notes: Said) -> list[str]:
    held = claims(*notes)
    return [kind for kind, _ in shown(held, detect(held))]


def later(text: str, when: str = "2025-09-05", title: str = "Handover") -> Said:
    return says(text, title, when)


def test_over_and_spoken_of_again_in_another_note() -> None:
    held = claims(FIRST, CHANGE, BACK)
    assert shown(held, detect(held)) == [("reversal", [FIRST.body, CHANGE.body, BACK.body])]
    (found,) = detect(held)
    assert found.question.endswith("?")
    assert "Billomat" in found.reasons[0].detail


@pytest.mark.parametrize(
    "text",
    [
        "Billomat refund arrived.",
        "Compared with Billomat the Lexware dashboard is slow.",
        "We no longer get mail from the Billomat dashboard.",
        "The old Billomat dashboard shows last year's list.",
        "Back on the Billomat dashboard after the Lexware fiasco.",
        "Billomat is still there for the archive of 2019.",
        "Is the list on the Billomat dashboard?",
        "Maybe take the list from the Billomat dashboard.",
        "Ruth says the Billomat dashboard is nicer.",
        "The dashboard takes the list from the bank.",
        "Ran into Jo from Billomat, our former supplier.",
    ],
)
def test_looking_back_comparing_asking_and_planning_are_no_return(text: str) -> None:
    assert kinds(FIRST, CHANGE, later(text)) == []


def test_loose_ends_within_two_weeks_are_no_return() -> None:
    assert kinds(FIRST, CHANGE, later(BACK.body, "2025-03-12")) == []


def test_without_the_first_station_a_mention_is_nothing() -> None:
    assert kinds(CHANGE, BACK) == []


def test_a_change_back_in_words_tells_the_story_to_its_end() -> None:
    back = says("Moved the dunning from Lexware to Billomat.", "Office changes 2", "2025-06-05")
    assert kinds(FIRST, CHANGE, back, BACK) == []


def test_a_known_exception_is_no_return() -> None:
    kept = says("Billomat kept for the Swiss invoices.", "Office", "2025-04-05")
    assert kinds(FIRST, CHANGE, kept, BACK) == []


def test_the_newest_word_may_be_the_new_one() -> None:
    newest = says("Dunning list comes out of Lexware on Mondays.", "Week", "2025-11-05")
    assert kinds(FIRST, CHANGE, BACK, newest) == []


def test_people_are_not_over_when_their_work_is() -> None:
    first = says("Piano teacher: Marit Lund", "Kids", "2025-01-05")
    change = says("Piano: changed from Marit to Jonas.", "Kids", "2025-03-05")
    assert kinds(first, change, later("Met Marit at the market, she brought plums.")) == []


def test_a_change_for_a_while_is_no_ending() -> None:
    change = says("Dunning: replaced Billomat with Lexware for the summer.", "Office changes", "2025-03-05")
    assert kinds(FIRST, change, BACK) == []


def test_what_we_use_need_not_be_named_again_by_the_switch() -> None:
    story = (
        says("We use REST.", "Log", "2026-01-05"),
        says("We switched to GraphQL.", "Log 2", "2026-02-05"),
        says("The API is REST-based.", "Guide", "2026-04-05"),
    )
    assert kinds(*story) == ["reversal"]
    assert kinds(says("We use Slack.", "Chat", "2026-01-06"), *story) == []
