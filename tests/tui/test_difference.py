"""The words that differ are marked, and only those."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.tui.difference import differing


def marked(*texts: str) -> list[list[str]]:
    return [
        [text[start:end] for start, end in spans] for text, spans in zip(texts, differing(texts), strict=True)
    ]


def test_two_values_in_one_sentence() -> None:
    assert marked("The code is 5830.", "The code is 5380.") == [["5830"], ["5380"]]


def test_numbers_with_separators_are_one_word() -> None:
    assert marked("every 8,000 hours", "every 6,000 hours") == [["8,000"], ["6,000"]]
    assert marked("at 06:45 sharp", "at 07:15 sharp") == [["06:45"], ["07:15"]]


def test_case_and_articles_say_nothing() -> None:
    assert marked("The lamp is on a shelf", "the lamp is on the shelf") == [[], []]


def test_a_light_word_between_two_marked_ones_is_marked_with_them() -> None:
    first, second = "Graded on the tide, which is fine", "Graded on the tide"
    assert marked(first, second) == [["which is fine"], []]


def test_neighbours_are_marked_as_one() -> None:
    assert marked("it is due on 30 September 2026", "it is due on 1 May 2026") == [
        ["30 September"],
        ["1 May"],
    ]


def test_texts_with_hardly_a_word_in_common_are_not_marked() -> None:
    assert marked("Tyres are kept soft for grip", "Postgres 14 in the overview") == [[], []]


def test_three_members_mark_what_any_pair_does_not_share() -> None:
    assert marked("runs on Mars here", "runs on Venus here", "runs on Mars here") == [
        ["Mars"],
        ["Venus"],
        ["Mars"],
    ]


@given(st.lists(st.text(max_size=80), min_size=1, max_size=4))
def test_spans_lie_in_their_text_in_order(texts: list[str]) -> None:
    for text, spans in zip(texts, differing(texts), strict=True):
        flat = [place for span in spans for place in span]
        assert flat == sorted(flat)
        assert all(0 <= start < end <= len(text) for start, end in spans)
