"""Abbreviations that a text introduces itself."""

from __future__ import annotations

import pytest

from app.reading.abbreviations import introduced, without_introduced


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The power supply unit (PSU) delivers 400 W.", [("PSU", "power supply unit")]),
        ("The PSU (power supply unit) delivers 400 W.", [("PSU", "power supply unit")]),
        ("The Statement of Work (SOW) is signed.", [("SOW", "Statement of Work")]),
        ("A board of trade (BT) exists.", [("BT", "board of trade")]),
        ("The power unit (PSU) delivers 400 W.", []),
        ("The pump (DN50) delivers 400 l.", []),
        ("Ravi (CEO) is away.", []),
        ("The tank (about 40 l) leaks.", []),
        ("It has no bracket.", []),
    ],
)
def test_a_bracket_counts_where_the_letters_match(text: str, found: list[tuple[str, str]]) -> None:
    assert [(one.short, one.long) for one in introduced(text)] == found


def test_the_sentence_reads_on_behind_it() -> None:
    assert (
        without_introduced("The power supply unit (PSU) delivers 400 W.")
        == "The power supply unit delivers 400 W."
    )
    assert without_introduced("The pump (DN50) delivers 400 l.") == "The pump (DN50) delivers 400 l."
