"""What the models' words about a pair are worth among the many quiet pairs of a vault."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.guard.judged import SHOWN
from app.guard.worth import DOUBTED, FARTHEST, Opinions, chance, log_odds

SHARE = st.floats(0, 1)
RANK = st.integers(0, 40)
RANKS = st.tuples(RANK, RANK)


def opinions(alarm: float, unsure: float | None) -> Opinions:
    return Opinions((alarm / 2, alarm / 2, 1 - alarm, 0.0, 0.0), (0, 0), unsure)


def test_what_an_alarm_is_worth_falls_with_distance_and_within_one_note() -> None:
    worth = [chance(0.95, ranks, False) for ranks in ((0, 0), (0, 3), (3, 0), (3, 9), (12, 12), (40, 40))]
    assert worth[0] > max(SHOWN.values())
    assert worth[1] == worth[2] and worth[4] == worth[5]
    assert sorted(worth, reverse=True) == worth
    assert chance(0.95, (0, 0), True) < worth[0]
    assert chance(0.99, (0, 3), False) > chance(0.6, (0, 3), False)


@given(SHARE, RANKS, st.booleans())
def test_it_is_a_chance_and_whose_nearest_is_whose_does_not_matter(
    alarm: float, ranks: tuple[int, int], same_note: bool
) -> None:
    there, back = ranks
    assert 0.0 < chance(alarm, ranks, same_note) < 1.0
    assert chance(alarm, (back, there), same_note) == chance(alarm, ranks, same_note)


@given(SHARE, SHARE, RANKS, RANK, st.booleans())
def test_more_alarm_is_never_worth_less_and_more_distance_never_more(
    alarm: float, other: float, ranks: tuple[int, int], farther: int, same_note: bool
) -> None:
    low, high = sorted((alarm, other))
    assert chance(low, ranks, same_note) <= chance(high, ranks, same_note)
    there, back = ranks
    assert chance(alarm, (there + farther, back), same_note) <= chance(alarm, ranks, same_note) + 1e-12
    assert chance(alarm, ranks, True) < chance(alarm, ranks, False)


@given(SHARE, RANKS)
def test_beyond_the_farthest_all_are_equally_far(alarm: float, ranks: tuple[int, int]) -> None:
    there, back = ranks
    assert chance(alarm, ranks, False) == chance(alarm, (min(there, FARTHEST), min(back, FARTHEST)), False)


@given(SHARE)
def test_log_odds_are_finite_and_turn_round_with_the_question(share: float) -> None:
    assert abs(log_odds(share)) < 7
    assert log_odds(1 - share) == pytest.approx(-log_odds(share), abs=1e-6)
    assert log_odds(0.5) == 0.0


def test_the_alarm_is_that_both_cannot_hold_or_that_one_is_outdated() -> None:
    assert Opinions((0.25, 0.5, 0.125, 0.125, 0.0), (0, 0)).alarm == 0.75


@pytest.mark.parametrize(
    ("alarm", "unsure", "agreed"),
    [
        (0.9, 0.7, 0.8),
        (DOUBTED[0], DOUBTED[1], 0.45),
        (DOUBTED[0] - 0.01, 1.0, 0.0),
        (1.0, DOUBTED[1] - 0.01, 0.0),
        (1.0, 0.0, 0.0),
        (1.0, None, 0.0),
    ],
)
def test_two_readers_agree_where_neither_is_sure_that_all_is_well(
    alarm: float, unsure: float | None, agreed: float
) -> None:
    assert opinions(alarm, unsure).agreed == pytest.approx(agreed)


@given(SHARE, st.none() | SHARE)
def test_who_agrees_is_at_least_as_sure_as_the_less_sure_of_the_two(
    alarm: float, unsure: float | None
) -> None:
    both = opinions(alarm, unsure)
    if both.agreed:
        assert unsure is not None
        assert min(both.alarm, unsure) - 1e-9 <= both.agreed <= max(both.alarm, unsure) + 1e-9
    else:
        assert unsure is None or both.alarm < DOUBTED[0] or unsure < DOUBTED[1]
