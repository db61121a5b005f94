"""Weeks of conflicts: found, settled, open at the end of each, and how old."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from app.tui.trend_reading import LEAST_WEEKS, MOST_WEEKS, trends
from app.words import Conflict, Kind, Slot

TODAY = date(2026, 6, 30)  # a Tuesday
LAYERS = {"memory": 5, "entity": 2, "state": 1}


def conflict(
    found: str, done: str | None = None, kind: Kind = "disagreement", members: str = "ab"
) -> Conflict:
    one = Conflict(
        found, kind, tuple(members), Slot("memory_slot", "x"), "warn", 0.9, "?", ("guard",), (),
        detected_at=f"{found}T10:00:00+00:00",
    )  # fmt: skip
    return replace(one, status="resolved", resolved_at=f"{done}T10:00:00+00:00") if done else one


def test_without_conflicts_there_are_still_weeks() -> None:
    found = trends([], {}, LAYERS, TODAY)
    assert len(found.weeks) == LEAST_WEEKS
    assert found.weeks[-1] == date(2026, 6, 29)
    assert set(found.found) == set(found.settled) == set(found.median_age) == {0}


def test_what_is_found_and_settled_counts_in_its_week() -> None:
    found = trends([conflict("2026-06-16", "2026-06-29"), conflict("2026-06-22")], {}, LAYERS, TODAY)
    assert found.found[-3:] == (1, 1, 0)
    assert found.settled[-3:] == (0, 0, 1)
    assert found.open_by_kind["disagreement"][-3:] == (1, 2, 1)
    assert found.median_age[-3:] == (5.0, 9.0, 8.0)


def test_kinds_are_counted_apart() -> None:
    found = trends([conflict("2026-06-16", kind="stale"), conflict("2026-06-16")], {}, LAYERS, TODAY)
    assert [found.open_by_kind[kind][-1] for kind in ("disagreement", "reversal", "stale")] == [1, 0, 1]


def test_a_long_history_shows_its_last_half_year() -> None:
    found = trends([conflict("2020-01-01")], {}, LAYERS, TODAY)
    assert len(found.weeks) == MOST_WEEKS
    assert found.found == (0,) * MOST_WEEKS
    assert found.open_by_kind["disagreement"] == (1,) * MOST_WEEKS


def test_a_note_counts_once_for_each_conflict() -> None:
    paths = {"a": "A.md", "b": "A.md", "c": "C.md"}
    found = trends([conflict("2026-06-16"), conflict("2026-06-17", members="ac")], paths, LAYERS, TODAY)
    assert found.contested == (("A.md", 2), ("C.md", 1))
