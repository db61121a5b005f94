"""Clauses by grammar: what a sentence says of what, whether it denies or demands it, and how it is held."""

from __future__ import annotations

import pytest

from app.reading.clauses import frames_of
from app.reading.frame import Frame
from app.reading.parser import parse


def frames(text: str) -> tuple[Frame, ...]:
    (parsed,) = parse([text])
    return frames_of(parsed)


def frame(text: str) -> Frame:
    (only,) = frames(text)
    return only


def roles(text: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for word in frame(text).words:
        found.setdefault(word.role, set()).add(word.lemma)
    return found


@pytest.mark.parametrize(
    ("text", "role", "words"),
    [
        ("The shed key is on the hook.", "subject", {"shed", "key"}),
        ("The shed key is on the hook.", "on", {"hook"}),
        ("The piano is in the hall.", "in", {"hall"}),
        ("Card numbers must be stored in the logs.", "object", {"card", "number"}),
        ("Card numbers must be stored in the logs.", "in", {"log"}),
        ("Dev looks after the boiler.", "subject", {"dev"}),
        ("Water damage is not covered by the warranty.", "subject", {"warranty"}),
        ("Water damage is not covered by the warranty.", "object", {"water", "damage"}),
        ("The capacity of the tank is large.", "subject", {"capacity", "tank"}),
    ],
)
def test_words_have_their_role(text: str, role: str, words: set[str]) -> None:
    assert roles(text)[role] == words


def test_an_owner_is_told_apart_from_what_is_owned() -> None:
    assert roles("Ada's bike is red.")["owner"] == {"ada"}
    assert roles("Ada's bike is red.")["subject"] == {"bike"}


def test_a_passive_and_its_active_have_the_same_roles() -> None:
    passive, active = roles("The hedge is cut by Tom."), roles("Tom cuts the hedge.")
    assert passive["subject"] == active["subject"] and passive["object"] == active["object"]


@pytest.mark.parametrize(
    ("text", "demand"),
    [
        ("Shoes must be left outside.", "must"),
        ("Shoes must not be left outside.", "must_not"),
        ("Phones are allowed in class.", "may"),
        ("Phones are not allowed in class.", "must_not"),
        ("Phones are forbidden in class.", "must_not"),
        ("Staff may not use the front door.", "must_not"),
        ("Homework need not be handed in on paper.", "need_not"),
        ("You don't have to book in advance.", "need_not"),
        ("Booking is optional.", "need_not"),
        ("Helmets are mandatory.", "must"),
        ("Never deploy on Fridays.", "must_not"),
        ("The door should stay shut.", "should"),
        ("The door is shut.", ""),
    ],
)
def test_what_is_demanded_or_permitted(text: str, demand: str) -> None:
    assert frame(text).demand == demand


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("The heating is not electric.", True),
        ("The heating is electric.", False),
        ("Nobody smokes here.", True),
        ("See extension no. 7 in the file.", False),
        ("It is not true that nobody smokes.", True),
    ],
)
def test_a_denial_is_seen(text: str, denied: bool) -> None:
    assert any(one.negated for one in frames(text)) is denied


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("The fee is 20 euros.", "asserted"),
        ("Is the fee 20 euros?", "asked"),
        ("We want to raise the fee.", "planned"),
        ("Maybe the fee is 20 euros.", "planned"),
        ("The fee would be 20 euros.", "hypothetical"),
        ("Apparently the fee is 20 euros.", "reported"),
    ],
)
def test_how_a_clause_is_held(text: str, held: str) -> None:
    assert frame(text).held == held


def test_what_somebody_says_is_reported_and_what_the_writer_thinks_is_not() -> None:
    assert {one.held for one in frames("Ciara says the exam is open-book.")} == {"reported"}
    assert "reported" not in {one.held for one in frames("I think the exam is open-book.")}


def test_a_plan_in_a_later_clause_does_not_make_the_first_one_a_plan() -> None:
    first, *_ = frames("The cellar runs under the whole house, and we want to use it for bicycles.")
    assert first.held == "asserted"


def test_a_condition_belongs_to_the_clause_it_limits() -> None:
    (only,) = [one for one in frames("The gate is locked if nobody is home.") if one.condition]
    assert "home" in only.condition


def test_two_clauses_are_two_frames() -> None:
    first, second = frames("Ada's bike is red, and Tim's bike is blue.")
    words = {word.lemma for word in second.words}
    assert "red" in {word.lemma for word in first.words} and "red" not in words and "blue" in words


@pytest.mark.parametrize(
    "text", ["", "?", "🚲 🚲", "(" * 3000, "a " * 5000, "ein Satz auf Deutsch", "x" * 9000]
)
def test_any_text_is_read_or_left(text: str) -> None:
    frames(text)
