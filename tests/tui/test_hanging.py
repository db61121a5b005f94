"""Long lines of a dialog go on under their text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.content import Content

from app.tui.widgets.hanging import hung

NUMBERED = Content.assemble((" 1 ", "bold"), " ", "The shellfish licence expires on 30 September 2026.")


def lines(words: Content, width: int) -> list[str]:
    return hung(words, width).plain.split("\n")


def test_a_long_line_goes_on_under_its_text() -> None:
    assert lines(NUMBERED, 40) == [
        " 1  The shellfish licence expires on 30",
        "    September 2026.",
    ]


@pytest.mark.parametrize("width", [0, 55, 80])
def test_what_fits_and_what_has_no_width_yet_stays_as_it_is(width: int) -> None:
    assert hung(NUMBERED, width).is_same(NUMBERED)


def test_every_line_hangs_by_itself() -> None:
    words = Content("s    supersede all of them\nf    store it all the same\nnothing before this one")
    assert lines(words, 20) == [
        "s    supersede all",
        "     of them",
        "f    store it all",
        "     the same",
        "nothing before this one",
    ]


def test_what_would_hang_too_far_is_left_to_the_widget() -> None:
    assert lines(Content("a long word before  and the text"), 24) == ["a long word before  and the text"]


@given(st.lists(st.text("ab", min_size=1, max_size=8)), st.integers(12, 60))
def test_no_word_is_lost_and_no_line_is_too_long(words: list[str], width: int) -> None:
    drawn = lines(Content(f" 1  {' '.join(words)}"), width)
    assert " ".join(drawn).split() == ["1", *words]
    assert all(len(line.rstrip()) <= width for line in drawn)
