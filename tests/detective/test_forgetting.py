"""The forgetting curve: rates by age and history, drawn by a stable hash."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.detective.forgetting import age_days, draw, remembered, survival
from app.words import Claim, Statement

TODAY = "2026-06-30"
AGES = st.floats(min_value=0, max_value=20_000, allow_nan=False)


def claim(id: str, days_ago: int | None) -> Claim:
    said = (
        (date.fromisoformat(TODAY) - timedelta(days=days_ago)).isoformat() if days_ago is not None else None
    )
    return Claim(id, Statement("A.md", 1, 1, "x", "x", "sentence", date=said), "A")


def many(days_ago: int | None, count: int = 4000) -> list[Claim]:
    return [claim(f"{days_ago}-{n}", days_ago) for n in range(count)]


@pytest.mark.parametrize(
    ("age", "rate"),
    [(0, 0.40), (0.5, 0.30), (1, 0.20), (4, 0.15), (7, 0.10), (186, 0.075), (365, 0.05), (9000, 0.05)],
)
def test_rates_at_their_corners(age: float, rate: float) -> None:
    assert survival(age) == pytest.approx(rate)


@given(AGES)
def test_the_rate_is_within_the_range_of_its_age(age: float) -> None:
    low, high = (0.20, 0.40) if age < 1 else (0.10, 0.20) if age <= 7 else (0.05, 0.10)
    assert low - 1e-9 <= survival(age) <= high + 1e-9


@given(AGES, AGES)
def test_an_older_claim_never_has_the_better_chance(a: float, b: float) -> None:
    assert survival(max(a, b)) <= survival(min(a, b))


@given(AGES, st.integers(0, 3000))
def test_each_conflict_doubles_the_rate_up_to_certainty(age: float, conflicts: int) -> None:
    assert survival(age, conflicts + 1) == pytest.approx(min(1.0, 2 * survival(age, conflicts)))
    assert survival(age, conflicts) <= 1.0


def test_an_undated_claim_is_as_old_as_can_be() -> None:
    assert survival(None) == survival(100_000)
    assert age_days(claim("a", None), TODAY) is None


def test_a_date_that_is_none_counts_as_undated() -> None:
    broken = Claim("a", Statement("A.md", 1, 1, "x", "x", "sentence", date="2026-13-45"), "A")
    assert age_days(broken, TODAY) is None


def test_a_line_of_tomorrow_is_as_fresh_as_one_of_today() -> None:
    assert survival(age_days(claim("a", -1), TODAY)) == 0.40


@given(st.text(max_size=20))
def test_a_draw_is_a_share_and_always_the_same(id: str) -> None:
    assert 0 <= draw(id) < 1
    assert draw(id) == draw(id)


@pytest.mark.parametrize(("days", "conflicts"), [(0, 0), (3, 0), (30, 0), (None, 0), (30, 2), (400, 3)])
def test_as_many_survive_as_the_rate_says(days: int | None, conflicts: int) -> None:
    held = many(days)
    kept = remembered(held, TODAY, conflicts={c.id: conflicts for c in held})
    expected = survival(None if days is None else float(days), conflicts)
    assert len(kept) / len(held) == pytest.approx(expected, abs=0.03)


def test_the_same_claims_survive_every_time_and_in_their_order() -> None:
    held = [*many(2, 300), *many(90, 300)]
    kept = remembered(held, TODAY)
    assert kept == remembered(held, TODAY)
    assert kept == [c for c in held if c in kept]


@given(st.integers(0, 400), st.integers(0, 400))
def test_what_was_forgotten_stays_forgotten_as_it_ages(days: int, more: int) -> None:
    now = {c.id.partition("-")[2] for c in remembered(_renamed(days), TODAY)}
    later = {c.id.partition("-")[2] for c in remembered(_renamed(days + more), TODAY)}
    assert later <= now


def _renamed(days: int) -> list[Claim]:
    return [claim(f"x-{n}", days) for n in range(60)]


def test_conflicts_bring_a_claim_back() -> None:
    held = many(500, 200)
    contested = next(c for c in held if c not in remembered(held, TODAY))
    assert contested in remembered(held, TODAY, conflicts={contested.id: 5})


def test_triggers_and_their_kin_always_survive() -> None:
    held = many(500, 200)
    lost = [c for c in held if c not in remembered(held, TODAY)][:3]
    kept = remembered(held, TODAY, always={c.id for c in lost})
    assert {c.id for c in lost} <= {c.id for c in kept}
