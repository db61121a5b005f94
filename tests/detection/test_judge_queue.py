"""Whose turn it is to be judged."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.detection.evidence import Meeting
from app.detection.judge_queue import JudgeQueue, Waiting

MET = Meeting(rank_a=1, rank_b=1)


def waiting(pair: str, likely: float, day: str = "", *, urgent: bool = False) -> Waiting:
    return Waiting(frozenset(pair), likely, day, urgent, MET)


def queue(*some: Waiting) -> JudgeQueue:
    made = JudgeQueue()
    for one in some:
        made.put(one)
    return made


def order(some: list[Waiting]) -> list[str]:
    return ["".join(sorted(one.both)) for one in some]


def test_what_was_just_saved_comes_first_then_the_likeliest() -> None:
    held = queue(waiting("ab", 0.01), waiting("cd", 0.8), waiting("ef", 0.002, urgent=True))
    assert order(held.first(9)) == ["ef", "cd", "ab"]
    assert order(held.first(1)) == ["ef"]


def test_of_pairs_about_as_likely_the_newest_comes_first() -> None:
    held = queue(waiting("ab", 0.60, "2024-01-02"), waiting("cd", 0.55, "2026-05-01"), waiting("ef", 0.61))
    assert order(held.first(9)) == ["cd", "ab", "ef"]


def test_only_urgent_or_likely_ones_can_be_asked_for() -> None:
    held = queue(waiting("ab", 0.01, urgent=True), waiting("cd", 0.8), waiting("ef", 0.05))
    assert order(held.first(9, urgent=True)) == ["ab"]
    held.remove([frozenset("ab")])
    assert order(held.first(9, least=0.1)) == ["cd"]


def test_a_pair_that_waits_is_put_in_once_and_keeps_its_urgency() -> None:
    held = queue(waiting("ab", 0.2, urgent=True), waiting("ab", 0.3))
    assert len(held) == 1 and held.first(9) == [waiting("ab", 0.3, urgent=True)]


def test_what_does_not_fit_is_the_least_likely() -> None:
    held = queue(*(waiting(pair, likely) for pair, likely in (("ab", 0.9), ("cd", 0.01), ("ef", 0.3))))
    assert held.cut(2) == 1
    assert order(held.first(9)) == ["ab", "ef"] and not held.waits("c")


@given(
    st.lists(
        st.builds(
            waiting,
            st.sampled_from(("ab", "ac", "bc", "cd", "ad")),
            st.floats(0.001, 1),
            st.sampled_from(("", "2025-01-01", "2026-01-01")),
            urgent=st.booleans(),
        )
    ),
    st.sampled_from("abcd"),
)
def test_each_pair_has_one_turn_and_claims_that_are_gone_have_none(some: list[Waiting], gone: str) -> None:
    held = queue(*some)
    held.drop([gone])
    first = held.first(99)
    assert len({one.both for one in first}) == len(first) == len(held)
    assert first == sorted(first, key=lambda one: one.turn)
    assert {id for one in first for id in one.both} == {
        id for id in "abcd" if held.waits(id)
    } and not held.waits(gone)
