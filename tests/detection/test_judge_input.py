"""A pair is written down for the judge with where each side stands, and no more about time than decides."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.detection.judge_input import MUCH_LATER_DAYS, Said, gap, said, written
from tests.support.claims_of_notes import claims, says


def test_title_heading_and_parent_stand_before_the_text() -> None:
    (claim,) = (
        c
        for c in claims(says("# Doors\n\n- Codes:\n  - the garage code is 4411\n", "House"))
        if "4411" in c.statement.text
    )
    a, _ = written(said(claim), Said("x"))
    assert a == "House > Doors > Codes | the garage code is 4411"


def test_a_title_that_is_a_date_names_nothing() -> None:
    assert written(Said("rain", "2026-03-01"), Said("sun", ""))[0] == "rain"


def test_a_heading_that_repeats_the_title_is_said_once() -> None:
    assert written(Said("open late", "Library", heading=("Library",)), Said("x"))[0] == "Library | open late"


def test_the_sentence_before_says_who_is_meant() -> None:
    (claim,) = (
        c
        for c in claims(says("Amara does root fillings. She won't see anybody below sixteen.", "Rota"))
        if "sixteen" in c.statement.text
    )
    a, _ = written(said(claim), Said("x"))
    assert a == "Rota | (Amara does root fillings.) She won't see anybody below sixteen."


def test_of_a_long_sentence_before_only_the_end_is_told() -> None:
    a, _ = written(Said("it was sold", before="word " * 100 + "about the boat."), Said("x"))
    assert a.startswith("(word ") and a.endswith("about the boat.) it was sold") and len(a) < 130


def test_values_that_differ_are_told_before_the_second_side() -> None:
    assert written(Said("2.5 mg", date="2026-01-01"), Said("5 mg", date="2026-01-02")) == (
        "2.5 mg",
        "2.5 mg vs 5 mg | later | 5 mg",
    )


@pytest.mark.parametrize(
    ("a", "b", "word"),
    [
        ("2026-01-01", "2026-01-01", "same day"),
        ("2026-01-01", "2026-01-02", "later"),
        ("2024-01-01", "2026-01-01", "much later"),
        (None, "2026-01-01", ""),
        ("2026-01-01", None, ""),
        ("no date", "2026-01-01", ""),
    ],
)
def test_the_gap_is_told_coarsely(a: str | None, b: str | None, word: str) -> None:
    assert gap(a, b) == word
    second = written(Said("one", date=a), Said("two", date=b))[1]
    assert second == (f"{word} | two" if word else "two")


def test_much_later_begins_where_a_claim_can_be_stale() -> None:
    from app.detection.norm_findings import STALE_DAYS

    assert MUCH_LATER_DAYS == STALE_DAYS


@given(st.text(max_size=3000), st.text(max_size=300), st.lists(st.text(max_size=200), max_size=4))
def test_what_is_written_is_bounded_and_holds_the_texts_beginning(
    text: str, note: str, heading: list[str]
) -> None:
    a, b = written(Said(text, note, heading=tuple(heading)), Said(text))
    assert len(a) <= 500 and len(b) <= 530
    assert a.endswith(text[:400]) and b.endswith(text[:400])
