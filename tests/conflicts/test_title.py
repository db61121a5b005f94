"""A disagreement is titled by the choice it offers, and whatever the width, what differs is there to read."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from app.conflicts.title import conflict_title, options, sides, title
from app.words import Claim, Conflict, Form, Kind, Norm, Slot, Statement, Status

ASKED = "Does “Lifejackets are serviced every 24 months” still hold?"


def choice(*texts: str, width: int = 160) -> str:
    return title("disagreement", ASKED, texts, width)


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (
            ("Lifejackets are serviced every 12 months.", "Lifejackets are serviced every 24 months."),
            "Lifejackets are serviced every: 12 months or 24 months?",
        ),
        (
            ("The shore shed keypad code is 5830.", "Shore shed keypad code: 5380"),
            "The shore shed keypad code is: 5830 or 5380?",
        ),
        (
            ("The licence expires on 30 September 2026.", "The licence expires on 30 November 2026."),
            "The licence expires on: 30 September 2026 or 30 November 2026?",
        ),
        (
            ("The tank pump is a Halden 40.", "The tank pump is a Halden 65."),
            "The tank pump is: a Halden 40 or a Halden 65?",
        ),
        (("My GP is Dr Lennox.", "My GP is Dr Farquhar."), "My GP is: Dr Lennox or Dr Farquhar?"),
        (
            ("The owner of the cleaning rota is Callum.", "Cleaning rota owner: Priya"),
            "The owner of the cleaning rota is: Callum or Priya?",
        ),
        (
            ("Workboat Puffin berth: North pontoon", "Puffin's berth is the fish quay."),
            "Workboat Puffin berth: North pontoon or the fish quay?",
        ),
        (("A full kiln costs $18.", "A full kiln costs $30."), "A full kiln costs: $18 or $30?"),
        (("Leo is right-footed.", "Leo is left-footed."), "Leo is: right-footed or left-footed?"),
    ],
)  # fmt: skip
def test_two_values_of_one_thing(texts: tuple[str, ...], expected: str) -> None:
    assert choice(*texts) == expected


def test_three_values() -> None:
    density = [f"The half-grown bag density is {n} oysters per bag." for n in (180, 200, 220)]
    assert choice(*density) == "The half-grown bag density is: 180, 200 or 220 oysters per bag?"


def test_two_members_that_say_the_same_are_one_answer() -> None:
    assert choice("The gate is red.", "The gate is blue.", "The gate is red.") == "The gate is: red or blue?"


def test_of_many_values_some_are_counted() -> None:
    codes = [f"The door code is {n}." for n in (11, 12, 13, 14, 15, 16)]
    assert choice(*codes) == "The door code is: 11, 12, 13 or 3 more?"


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (
            ("Tags must be filled in with pencil.", "Tags must not be filled in with pencil."),
            "Tags: must or must not be filled in with pencil?",
        ),
        (
            ("The webshop does not take orders from Skye.", "The webshop takes orders from Skye."),
            "The webshop: does not take or takes orders from Skye?",
        ),
        (
            ("Finlay is allergic to penicillin.", "Finlay has no drug allergies."),
            "Finlay: is allergic to penicillin or has no drug allergies?",
        ),
        (("The gate is locked.", "The gate is not locked."), "The gate is: locked or not locked?"),
        (("The stew has garlic.", "The stew has no garlic."), "The stew has: garlic or no garlic?"),
        (("No socket near the sink", "one socket near the sink"), "No or one socket near the sink?"),
    ],
)  # fmt: skip
def test_one_says_it_and_the_other_denies_it(texts: tuple[str, ...], expected: str) -> None:
    assert choice(*texts) == expected


def test_equal_values_keep_the_words_of_the_notes() -> None:
    assert (
        choice("The lamp lasts 1 year.", "The lamp lasts 12 Months.")
        == "The lamp lasts: 1 year or 12 Months?"
    )


def test_what_stands_around_the_sentence_of_one_is_left_out() -> None:
    walked = "Walked both beds: the farm has 310 trestles, two of them bent."
    assert choice("The farm has 240 trestles.", walked) == "The farm has: 240 trestles or 310 trestles?"


def test_a_denial_after_it_is_not_left_out() -> None:
    told = choice("I stretch before running.", "I stretch after running, never before.")
    assert told == "I stretch: before running or after running, never before?"


def test_statements_without_common_wording_are_quoted_under_the_label_of_one() -> None:
    assert (
        choice("Heating: electric", "Our house runs on gas.")
        == "Heating: “electric” or “Our house runs on gas”?"
    )


def test_statements_without_anything_in_common_are_quoted() -> None:
    told = choice("I like to knit by the fire.", "No wool comes into this house.")
    assert told == "“I like to knit by the fire” or “No wool comes into this house”?"


def test_in_a_narrow_line_statements_lose_what_they_share() -> None:
    told = choice("Never work the trestles alone.", "Working the trestles alone is fine.", width=40)
    assert told == "“Never work …” or “Working the … fine”?"


@pytest.mark.parametrize(
    ("width", "expected"),
    [
        (55, "Lifejackets are serviced every: 12 months or 24 months?"),
        (54, "Lifejackets are serviced every: 12 or 24 months?"),
        (40, "Lifejackets … every: 12 or 24 months?"),
        (31, "Lifejackets …: 12 or 24 months?"),
    ],
)
def test_it_is_shortened_in_the_middle(width: int, expected: str) -> None:
    texts = ("Lifejackets are serviced every 12 months.", "Lifejackets are serviced every 24 months.")
    assert choice(*texts, width=width) == expected


@pytest.mark.parametrize("kind", ["reversal", "stale"])
def test_where_one_state_is_in_doubt_the_question_is_the_title(kind: Kind) -> None:
    assert title(kind, "Is our haulier still Chill?", ("Our haulier is Chill.", "Our haulier is Nor.")) == (
        "Is our haulier still Chill?"
    )


def test_a_question_too_long_loses_its_middle() -> None:
    asked = "Does “The farm on the far side has 240 trestles” still hold?"
    assert title("stale", asked, (), 36) == "Still “The farm on … 240 trestles”?"
    assert title("stale", "Is the lamp in the tank still changed every 6,000 hours?", (), 40) == (
        "Is the lamp in … every 6,000 hours?"
    )


def member(
    id: str, text: str, *, form: Form = "sentence", norms: tuple[Norm, ...] = (), status: Status = "active"
) -> Claim:
    return Claim(id, Statement("a.md", 1, 1, text, text, form), "A", norms, status=status)


def between(*claims: Claim, subject: str = "") -> Conflict:
    ids = tuple(claim.id for claim in claims)
    return Conflict(
        "c-1", "disagreement", ids, Slot("memory_slot", subject), "warn", 0.9, ASKED, ("guard",), ()
    )


def test_of_a_table_row_the_cell_in_question_counts() -> None:
    row = member(
        "a", "Harbour Inn: Order 12 dozen; Delivery day Thursday", form="row",
        norms=(
            Norm("Harbour Inn Order", value="12 dozen"),
            Norm("Harbour Inn Delivery day", value="Thursday"),
        ),
    )  # fmt: skip
    said = member("b", "The Harbour Inn's delivery day is Friday.")
    conflict = between(row, said, subject="Harbour Inn Delivery day")
    assert conflict_title(conflict, [said, row]) == "The Harbour Inn's delivery day is: Thursday or Friday?"


def test_where_a_member_is_not_known_or_redacted_the_question_is_the_title() -> None:
    here, gone = member("a", "The code is 1."), member("b", "The code is 2.", status="redacted")
    assert sides(between(here, gone), [here, gone]) == ()
    assert conflict_title(between(here, gone), [here]) == ASKED


def test_what_would_act_on_the_terminal_is_made_plain() -> None:
    told = choice("The code is \x1b[31m1.", "The code is 2.")
    assert "\x1b" not in told


WORDS = st.sampled_from("boat lamp tank shed door gate crew rope pump north old spare main".split())
HEADS = st.lists(WORDS, min_size=1, max_size=12).map(" ".join)
VALUES = st.one_of(
    st.integers(1, 99999).map(str),
    st.sampled_from("red blue Monday Priya Callum weekly never locked".split()),
)
ANYTHING = st.text(max_size=60)


@given(st.lists(ANYTHING, min_size=0, max_size=6), ANYTHING, st.integers(1, 120),
       st.sampled_from(["disagreement", "reversal", "stale"]))  # fmt: skip
def test_no_title_is_wider_than_its_place(texts: list[str], asked: str, width: int, kind: Kind) -> None:
    assert cell_len(title(kind, asked, tuple(texts), width)) <= width


@given(HEADS, st.lists(VALUES, min_size=2, max_size=2, unique=True), st.integers(40, 160), HEADS)
def test_short_values_are_always_there_to_read(head: str, values: list[str], width: int, tail: str) -> None:
    for texts in (
        [f"The {head} is {v}." for v in values],
        [f"The {head} is {v} for the {tail}." for v in values],
    ):
        told = choice(*texts, width=width)
        assert all(value in told for value in values), told


@given(HEADS, st.lists(VALUES, min_size=2, max_size=3, unique=True), st.integers(20, 160))
def test_the_order_of_the_members_is_the_order_of_the_answers(
    head: str, values: list[str], width: int
) -> None:
    told = choice(*(f"The {head} is {v}." for v in values), width=width)
    for order in permutations(values):
        other = choice(*(f"The {head} is {v}." for v in order), width=width)
        assert sorted(other.replace(",", "")) == sorted(told.replace(",", ""))
        if all(value in other for value in order):
            places = [other.index(value, other.index(":")) for value in order]
            assert places == sorted(places)


@given(st.lists(ANYTHING, min_size=2, max_size=2), st.integers(1, 120))
def test_the_same_members_give_the_same_title(texts: list[str], width: int) -> None:
    there = choice(*texts, width=width)
    title.cache_clear()
    assert choice(*texts, width=width) == there


@pytest.mark.parametrize(
    ("said", "named"),
    [
        (
            ("Lifejackets are serviced every 12 months.", "Lifejackets are serviced every 24 months."),
            ("12 months", "24 months"),
        ),
        (
            ("Maya is allergic to penicillin.", "Maya is not allergic to penicillin."),
            ("is allergic to penicillin", "is not allergic to penicillin"),
        ),
    ],
)
def test_what_a_key_keeps_says_something_by_itself(said: tuple[str, ...], named: tuple[str, ...]) -> None:
    assert options(said) == named
