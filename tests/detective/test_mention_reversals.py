"""Reversals by mention: something was said to be over, and another note goes on as if it were not."""

from __future__ import annotations

import pytest

from tests.support.claims_of_notes import Said, claims, detect, says, shown

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


KEYS = (
    says("Spare keys: bakery has the set with tag 8847", "House", "2025-01-05"),
    says("Spare keys: changed the tag from 8847 to 3319.", "House log", "2025-03-05"),
)


def test_a_code_may_name_what_ended() -> None:
    assert kinds(*KEYS, later("The cleaner needs the keys with tag 8847.")) == ["reversal"]


@pytest.mark.parametrize(
    "text",
    [
        "Meter reading 8847.",
        "Paid €8847 for the safe with the keys.",
        "The cleaner needs the keys without tag 8847.",
    ],
)
def test_the_same_digits_of_something_else_are_no_return(text: str) -> None:
    assert kinds(*KEYS, later(text)) == []


@pytest.mark.parametrize(("old", "new"), [("2019", "2024"), ("4500", "5200"), ("412", "530")])
def test_years_round_amounts_and_short_numbers_name_nothing(old: str, new: str) -> None:
    assert (
        kinds(
            says(f"Spare keys: bakery has the set with tag {old}", "House", "2025-01-05"),
            says(f"Spare keys: changed the tag from {old} to {new}.", "House log", "2025-03-05"),
            later(f"The cleaner needs the keys with tag {old}."),
        )
        == []
    )


def test_what_the_writer_does_upon_a_report_is_the_writers_own_act() -> None:
    first = says("Tyres for the van come from Reifenkontor.", "Van", "2025-01-05")
    back = later("Van: two tyres ordered at Reifenkontor.")
    told = "The garage says prices rose, so we moved the van tyres from Reifenkontor to Gummiwerk."
    hearsay = "The garage says they moved the van tyres from Reifenkontor to Gummiwerk."
    assert kinds(first, says(told, "Garage", "2025-03-05"), back) == ["reversal"]
    assert kinds(first, says(hearsay, "Garage", "2025-03-05"), back) == []


def switched(use: str, change: str, back: str, *more: Said) -> list[str]:
    return kinds(
        says(use, "Stack", "2025-01-05"),
        *more,
        says(change, "Log", "2025-03-05"),
        says(back, "Guide", "2025-09-05"),
    )


@pytest.mark.parametrize(
    ("use", "change"),
    [
        ("We use Celery.", "We switched to Temporal."),
        ("We use Celery.", "The team switched to Temporal."),
        ("We use Celery.", "Switched to Temporal."),
        ("We use Celery for the jobs.", "Finally migrated to Temporal."),
        ("We use Celery for the jobs.", "We switched the jobs to Temporal."),
        ("Our jobs framework uses Celery.", "We switched the jobs framework to Temporal."),
        ("The jobs framework runs on Celery.", "Switched the jobs framework over to Temporal."),
    ],
)
def test_a_switch_replaces_what_is_in_use(use: str, change: str) -> None:
    assert switched(use, change, "The jobs framework is Celery-based.") == ["reversal"]


def test_of_several_things_in_use_the_switch_means_what_was_used_for_its_thing() -> None:
    chat = says("We use Zulip for the chat.", "Chat", "2025-01-06")
    use, back = "We use Celery for the jobs.", "The jobs are Celery tasks."
    assert switched(use, "We switched the jobs to Temporal.", back, chat) == ["reversal"]
    assert switched(use, "We switched to Temporal.", back, chat) == []
    assert switched(use, "We switched the chat to Temporal.", back, chat) == []


@pytest.mark.parametrize(
    ("use", "change", "back"),
    [
        ("Our shop uses Stripe.", "Switched to Fastmail.", "Shop payouts arrive from Stripe on Mondays."),
        (
            "Our shop uses Stripe.",
            "We switched the shop to Woo.",
            "Refund limits live in the Stripe account.",
        ),
        ("We use Zulip.", "Moved to Bremen.", "Post the minutes in Zulip."),
        ("We use Zulip.", "We switched to Bremen time for the summer.", "Post the minutes in Zulip."),
    ],
)
def test_a_switch_of_something_else_replaces_nothing(use: str, change: str, back: str) -> None:
    assert switched(use, change, back) == []


def test_what_is_used_for_one_thing_is_not_over_with_another() -> None:
    use = "Our shop uses Stripe."
    assert (
        switched(use, "Club fees: moved from Stripe to Mollie.", "Stripe account: payouts on Mondays.") == []
    )
