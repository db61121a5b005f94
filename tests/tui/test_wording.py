"""Words the panes share: headings, and when something returns."""

from __future__ import annotations

from datetime import date

import pytest

from app.tui.clock import until_words
from app.tui.wording import titled


@pytest.mark.parametrize(
    ("subject", "heading"),
    [
        ("shore shed keypad code", "Shore shed keypad code"),
        ('"one more bag', "One more bag"),
        ("“one more bag", "One more bag"),
        ('one more bag"', "One more bag"),
        ('"one more bag" rule', '"one more bag" rule'),
        ("UV lamp (tank)", "UV lamp (tank)"),
        ("Callum's berth", "Callum's berth"),
        ('"', ""),
    ],
)
def test_a_heading_has_a_capital_and_no_half_of_a_pair(subject: str, heading: str) -> None:
    assert titled(subject) == heading


def test_the_year_is_left_out_where_it_is_this_one() -> None:
    today = date(2026, 6, 30)
    assert until_words("2026-07-07") == "until 7 Jul 2026"
    assert until_words("2026-07-07", today) == "until 7 Jul"
    assert until_words("2027-01-02", today) == "until 2 Jan 2027"
