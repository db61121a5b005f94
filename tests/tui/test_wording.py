"""Words the panes share: when something returns."""

from __future__ import annotations

from datetime import date

from app.tui.clock import until_words


def test_the_year_is_left_out_where_it_is_this_one() -> None:
    today = date(2026, 6, 30)
    assert until_words("2026-07-07") == "until 7 Jul 2026"
    assert until_words("2026-07-07", today) == "until 7 Jul"
    assert until_words("2027-01-02", today) == "until 2 Jan 2027"
