"""Text of notes is shown as it is and cannot act on the terminal."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from app.cells import clip, fit, right
from app.plain import shown, shown_lines


@pytest.mark.parametrize(
    "text", ["[/", "[[x]]", "[b", "[@click=app.quit]x[/]", "\\[b]", "日本語", "e\u0301", "naïve – “ok”"]
)
def test_what_does_nothing_stays_as_it_is(text: str) -> None:
    assert shown(text) == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\x1b[31mred\x1b[0m", "␛[31mred␛[0m"),
        ("\x1b]0;title\x07", "␛]0;title␇"),
        ("a\x00b\x7f", "a␀b␡"),
        ("\x9b31m", "�31m"),
        ("two\nlines\r\n", "two lines  "),
        ("tab\there", "tab    here"),
        ("pay \u202eevil\u202c", "pay �evil�"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("\udc80 from a file name", "� from a file name"),
    ],
)
def test_what_would_act_becomes_a_symbol_or_goes(text: str, said: str) -> None:
    assert shown(text) == said


@given(st.text(alphabet=st.characters()))
def test_nothing_shown_is_a_control_or_format_character(text: str) -> None:
    said = shown(text)
    assert not [c for c in said if unicodedata.category(c) in ("Cc", "Cs")]
    assert "\n" not in said and "\x1b" not in said
    said.encode("utf-8")


@given(st.text(), st.integers(0, 60))
def test_fitted_text_takes_exactly_its_cells(text: str, width: int) -> None:
    assert cell_len(clip(text, width)) <= width
    assert cell_len(fit(text, width)) == width
    assert cell_len(right(text, width)) == width


def test_a_very_long_line_says_how_much_is_left_out() -> None:
    (line,) = shown_lines("x" * 10_000)
    assert line == "x" * 2000 + " … (8,000 more characters)"
