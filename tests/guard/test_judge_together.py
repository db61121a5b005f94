"""The judge's word and the thread reader's, put together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.guard.judge import judge, together
from tests.guard.building import claims, says

SHARES = st.lists(st.floats(0.01, 1), min_size=5, max_size=5).map(lambda s: tuple(x / sum(s) for x in s))


def alarm(odds: tuple[float, ...]) -> float:
    return odds[0] + odds[1]


@given(SHARES, st.floats(0, 1))
def test_the_shares_stay_shares_and_keep_their_proportions(odds: tuple[float, ...], unsure: float) -> None:
    made = together(odds, unsure)
    assert sum(made) == pytest.approx(1)
    assert made[0] * odds[1] == pytest.approx(made[1] * odds[0])
    assert made[2] * odds[4] == pytest.approx(made[4] * odds[2])


@given(SHARES, st.floats(0.01, 0.98))
def test_the_surer_the_reader_the_higher_the_alarm(odds: tuple[float, ...], unsure: float) -> None:
    assert alarm(together(odds, unsure)) < alarm(together(odds, unsure + 0.01))


@given(SHARES)
def test_a_reader_who_cannot_tell_changes_nothing(odds: tuple[float, ...]) -> None:
    assert together(odds, 0.5) == pytest.approx(odds)


def test_both_are_heard_and_both_are_named() -> None:
    a, b = claims(says("The ferry is ours", "Boat"), says("paid the ferryman his fare", "Diary"))
    alone = judge(a, b, (0.5, 0.1, 0.1, 0.2, 0.1))
    doubted = judge(a, b, (0.5, 0.1, 0.1, 0.2, 0.1), 0.1)
    assert alone.label == "conflict" and doubted.label == "compatible"
    assert doubted.alarm < 0.5 < alone.alarm
    (said,) = (reason for reason in doubted.stages if reason.stage == "judge")
    assert "conflict 0.50" in said.detail and "unsure 0.10" in said.detail
