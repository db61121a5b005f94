"""How a claim was read, as the trace of a pair tells it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.detection.norm_sentence import clipped, reading, readings
from app.words import Change, Claim, Norm
from tests.support.claims_of_notes import Said, claims, says


def only(said: Said | str) -> Claim:
    (claim,) = claims(said)
    return claim


def told(said: Said | str) -> tuple[str, str, str]:
    reason = reading(only(said), "first")
    assert reason.stage == "normalize"
    return reason.verdict, reason.confidence, reason.detail


@pytest.mark.parametrize(
    ("said", "verdict", "sure", "detail"),
    [
        ("The door code is 4411.", "asserted", "HIGH", "first: “door code” is 4411, by the rules"),
        (
            "Never deploy on Fridays.",
            "asserted",
            "HIGH",
            "first: “deploy on Fridays” must not (forbidden), by the rules",
        ),
        ("Is the door code 0087?", "asked", "MED", "first: “door code 0087?” is, by the rules"),
        (
            "Until 31 March 2026 the timeout is 30 s in prod.",
            "asserted",
            "HIGH",
            "first: “timeout in prod” is 30 s, env production, until 2026-03-31, by the rules",
        ),
        (
            "The orders database moved from Postgres 14 to Postgres 17.",
            "asserted",
            "HIGH",
            "first: “orders database” is Postgres 17, a change from Postgres 14 to Postgres 17, by the rules",
        ),
    ],
)
def test_a_reading_tells_what_was_read_and_how_it_is_held(
    said: str, verdict: str, sure: str, detail: str
) -> None:
    assert told(said) == (verdict, sure, detail)


def test_an_unclear_subject_and_nothing_at_all_are_told_too() -> None:
    verdict, sure, detail = told("It is 30 cm wide.")
    assert (verdict, sure) == ("asserted", "LOW") and "(not clear what that is)" in detail
    empty = replace(only("Is the door code 0087?"), norms=())
    assert reading(empty, "second").detail == "second: nothing could be read in it"
    assert reading(empty, "second").verdict == "asked"


def test_long_words_are_cut_and_many_norms_counted() -> None:
    claim = only("The door code is 4411.")
    many = replace(claim, norms=tuple(Norm(f"thing {n}", value="x" * 80) for n in range(1005)))
    detail = reading(many, "first").detail
    assert "x" * 59 + "…" in detail and "x" * 60 not in detail
    assert "“thing 2”" in detail and "“thing 3”" not in detail and "and 1,002 more, by" in detail


def test_every_reader_is_named_once() -> None:
    claim = only("The door code is 4411.")
    mixed = replace(claim, norms=(Norm("a"), Norm("b", by="llama"), Norm("c")))
    assert reading(mixed, "first").detail.endswith("by the rules and the language model")


def test_a_norm_held_otherwise_than_its_claim_says_so() -> None:
    claim = replace(
        only("The door code is 4411."), norms=(Norm("a", value="1"), Norm("b", standing="planned"))
    )
    assert "“a” is 1; “b” is, planned, by" in reading(claim, "first").detail


def test_one_half_of_a_change_is_enough_to_tell() -> None:
    claim = only("The door code is 4411.")
    for change, said in (
        (Change("1", None), "a change from 1"),
        (Change(None, "2"), "a change to 2"),
        (Change(None, None), "a change"),
    ):
        assert f"“a” is, {said}, by" in reading(replace(claim, norms=(Norm("a", change=change),)), "x").detail


@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        (None, None, ("first", "second")),
        ("2026-01-01", None, ("first", "second")),
        ("2026-01-01", "2026-01-01", ("first", "second")),
        ("2025-01-01", "2026-01-01", ("older", "newer")),
        ("2026-01-01", "2025-01-01", ("newer", "older")),
    ],
)
def test_dates_name_the_sides_where_they_tell(
    first: str | None, second: str | None, names: tuple[str, str]
) -> None:
    a, b = claims(says("The door code is 4411.", "House", first), says("The gate is shut.", "Farm", second))
    assert tuple(reason.detail.partition(":")[0] for reason in readings(a, b)) == names


@given(st.text())
def test_what_is_clipped_is_short_and_begins_the_same(text: str) -> None:
    short = clipped(text)
    assert len(short) <= 60
    assert short == text or (short.endswith("…") and text.startswith(short[:-1]))
