"""A pair beside the pairs it shares a line with."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.detection import decide
from app.detection.decide import learnt
from app.detection.rivals import Rivals, Suspect

JUDGES = sorted(learnt().judges)


def suspect(pair: str, probability: float, alarm: float = 0.9) -> Suspect:
    """Of two lines named by a letter, or by words."""
    return Suspect(frozenset(pair.split() if " " in pair else pair), probability, alarm)


def beside(rivals: Rivals, one: Suspect, judge: str, lines: int = 10_000) -> float:
    return decide.decide_among_rivals(rivals, one, judge, lines=lines).probability


@pytest.mark.parametrize("judge", JUDGES)
def test_a_line_that_contradicts_everybody_contradicts_nobody(judge: str) -> None:
    pair = suspect("ab", 0.7)
    by_itself = beside(Rivals([pair]), pair, judge)
    crowded = beside(Rivals([pair, *(suspect(f"a{other}", 0.8) for other in "cdefg")]), pair, judge)
    assert crowded < by_itself


@pytest.mark.parametrize("judge", JUDGES)
def test_of_two_pairs_with_a_line_in_common_the_likelier_one_stays_likelier(judge: str) -> None:
    more, less = suspect("ab", 0.9), suspect("ac", 0.5)
    rivals = Rivals([more, less])
    assert beside(rivals, more, judge) > beside(rivals, less, judge)


@pytest.mark.parametrize("judge", JUDGES)
def test_unlikely_and_silenced_pairs_are_nobodys_rivals(judge: str) -> None:
    pair = suspect("ab", 0.7)
    around = Rivals([pair, suspect("cd", 0.04), suspect("ac", 0.01), suspect("bd", -1.0)])
    assert beside(around, pair, judge) == beside(Rivals([pair]), pair, judge)


@pytest.mark.parametrize("judge", JUDGES)
def test_a_vault_that_hardly_ever_contradicts_itself_needs_more(judge: str) -> None:
    pair = suspect("ab", 0.8)
    elsewhere = [suspect(f"{n} {n + 1}", 0.9) for n in range(10, 70, 2)]
    troubled = beside(Rivals([pair, *elsewhere]), pair, judge, lines=600)
    quiet = beside(Rivals([pair, *elsewhere]), pair, judge, lines=20_000)
    assert quiet < troubled


def test_discord_is_the_share_of_lines_that_contradict_another() -> None:
    many = Rivals(suspect(f"{n} {n + 1}", 0.9) for n in range(10, 90, 2))
    assert Rivals().discord(10_000) < many.discord(10_000) < many.discord(2_000)
    assert many.discord(2_000) == many.discord(2_010), "a few more lines change nothing"


def test_a_judge_nothing_was_learnt_of_has_no_rivals() -> None:
    pair = suspect("ab", 0.7)
    assert beside(Rivals([pair, suspect("ac", 0.9)]), pair, "somebody's own") == 0.7


def test_who_loses_a_rival_is_named() -> None:
    rivals = Rivals([suspect("ab", 0.7), suspect("bc", 0.8), suspect("cd", 0.9)])
    assert rivals.drop("b") == {"a", "c"}
    assert rivals.touching("abc") == [suspect("cd", 0.9)]
    assert rivals.drop("b") == set()


pairs = st.sets(st.sampled_from("abcdef"), min_size=2, max_size=2).map(lambda two: "".join(sorted(two)))


@given(st.dictionaries(pairs, st.floats(0, 1), min_size=1), st.sampled_from("abcdef"))
def test_what_is_put_in_and_dropped_again_leaves_no_trace(told: dict[str, float], gone: str) -> None:
    one = Rivals(suspect(pair, p) for pair, p in told.items())
    one.drop(gone)
    other = Rivals(suspect(pair, p) for pair, p in told.items() if gone not in pair)
    assert one.touching("abcdef") == other.touching("abcdef") == one.all()
    for left in other.touching("abcdef"):
        assert one.numbers(left, 50) == other.numbers(left, 50)
