"""A day as people type it."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as some

from app.tui.days import day_from

TODAY = date(2026, 6, 30)  # a Tuesday


@pytest.mark.parametrize(
    ("typed", "day"),
    [
        ("2026-05-12", "2026-05-12"), ("12 May 2026", "2026-05-12"), ("May 12, 2026", "2026-05-12"),
        ("2026-05", "2026-05-01"), ("2025", "2025-01-01"), ("May 2025", "2025-05-01"),
        ("may", "2026-05-01"), ("July", "2025-07-01"), ("12 may", "2026-05-12"), ("dec 3", "2025-12-03"),
        ("today", "2026-06-30"), ("yesterday", "2026-06-29"), ("3 weeks ago", "2026-06-09"),
        ("last month", "2026-05-30"), ("4 months ago", "2026-02-28"), ("friday", "2026-06-26"),
        ("tue", "2026-06-30"),
    ],
)  # fmt: skip
def test_looking_back(typed: str, day: str) -> None:
    assert day_from(typed, TODAY) == day


@pytest.mark.parametrize(
    ("typed", "day"),
    [("friday", "2026-07-03"), ("tuesday", "2026-07-07"), ("12 July", "2026-07-12"), ("May", "2027-05-01"),
     ("tomorrow", "2026-07-01"), ("2w", "2026-07-14"), ("in 3 months", "2026-09-30"),
     ("next year", "2027-06-30")],
)  # fmt: skip
def test_looking_ahead(typed: str, day: str) -> None:
    assert day_from(typed, TODAY, ahead=True) == day


@pytest.mark.parametrize(
    "typed", ["", "  ", "soon", "31 feb", "2026-13", "maybe", "frida y", "9999 years ago", "13"]
)
def test_what_is_no_day(typed: str) -> None:
    assert day_from(typed, TODAY) is None


@given(some.text(max_size=30), some.booleans())
def test_any_text_is_a_day_or_none(typed: str, ahead: bool) -> None:
    found = day_from(typed, TODAY, ahead=ahead)
    assert found is None or date.fromisoformat(found)
