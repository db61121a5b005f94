"""What two readers make of a thread together: the one of the whole, the other of its pairs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.detection.decide import hopeless, rule_numbers, thread_odds
from app.detective.combined_odds import LinePair, combine, line_pairs
from app.models.requests import Failed

GONE = Failed("broken", "it went away")


class Doubts:
    """What the language model says of two lines alone, and what it was asked."""

    def __init__(self, of: dict[LinePair, float] | None = None, other: float | Failed | None = 0.5) -> None:
        self._of, self._other = of or {}, other
        self.asked: list[LinePair] = []

    def __call__(self, two: LinePair) -> float | Failed | None:
        self.asked.append(two)
        return self._of.get(two, self._other)


def alarms(lines: int, **at: float) -> dict[LinePair, float]:
    """Of every pair; `_0_2=0.9` names the one of the first and third line."""
    named = {(int(key[1]), int(key[3])): value for key, value in at.items()}
    return {pair: named.get(pair, 0.1) for pair in line_pairs(range(lines))}


def test_the_pair_that_both_doubt_most_is_shown_though_the_judge_prefers_another() -> None:
    doubt = Doubts({(0, 1): 0.05, (1, 3): 0.95, (0, 2): 0.2})
    seen = combine(4, 0.9, alarms(4, _0_1=0.9, _1_3=0.8, _0_2=0.7), doubt)
    assert seen is not None and not isinstance(seen, Failed)
    assert seen.pair == (1, 3) and set(seen.pair) < set(seen.places)


def test_the_third_line_is_the_one_that_goes_least_with_both() -> None:
    links = {(0, 3): 0.95, (0, 1): 0.1, (1, 3): 0.1, (0, 2): 0.6, (2, 3): 0.9}
    seen = combine(4, 0.9, alarms(4, _0_3=0.9), Doubts(links))
    assert seen is not None and not isinstance(seen, Failed)
    assert (seen.pair, seen.places) == ((0, 3), (0, 2, 3))


def test_of_two_lines_the_whole_is_the_pair_and_is_not_asked_about_again() -> None:
    doubt = Doubts(other=0.001)
    seen = combine(2, 0.7, {(0, 1): 0.7}, doubt)
    assert seen is not None and not isinstance(seen, Failed) and doubt.asked == []
    assert seen.places == seen.pair == (0, 1)
    assert thread_odds(seen.sure) == pytest.approx(2 * thread_odds(0.7))


def test_two_lines_alone_need_more_than_a_longer_thread() -> None:
    assert combine(2, 0.68, {(0, 1): 0.68}, Doubts()) is None
    assert combine(3, 0.68, alarms(3, _0_1=0.68), Doubts(other=0.68)) is not None


def test_two_that_are_near_in_meaning_are_preferred_to_two_that_are_not() -> None:
    raised = alarms(4, _0_1=0.8, _2_3=0.8)
    for near in ((0, 1), (2, 3)):
        seen = combine(4, 0.9, raised, Doubts(), {near: 0.9})
        assert seen is not None and not isinstance(seen, Failed) and seen.pair == near


def test_nearness_chooses_lines_and_makes_nobody_surer() -> None:
    raised = alarms(3, _0_1=0.8)
    far, near = (combine(3, 0.9, raised, Doubts(), {(0, 1): cosine}) for cosine in (0.1, 0.9))
    assert far == near and far is not None
    assert combine(3, 0.2, raised, Doubts(), dict.fromkeys(raised, 1.0)) is None


def test_a_thread_that_neither_is_unsure_about_is_none() -> None:
    assert combine(3, 0.2, alarms(3, _0_1=0.3), Doubts(other=0.3)) is None


def test_one_that_both_doubt_is_shown_and_says_how_sure_they_are() -> None:
    seen = combine(3, 0.6, alarms(3, _0_2=0.8), Doubts({(0, 2): 0.7}, other=0.2))
    assert seen is not None and not isinstance(seen, Failed)
    assert thread_odds(seen.sure) == pytest.approx(
        thread_odds(0.6) + 0.5 * (thread_odds(0.8) + thread_odds(0.7)), abs=1e-6
    )
    assert seen.places == (0, 1, 2)


def test_a_pair_of_which_it_says_neither_yes_nor_no_is_no_doubt() -> None:
    assert combine(3, 0.9, alarms(3, _0_1=0.9), Doubts(other=None)) is None


def test_without_a_word_of_the_judge_there_is_nothing() -> None:
    doubt = Doubts(other=0.99)
    assert combine(3, 0.99, {}, doubt) is None and doubt.asked == []


@pytest.mark.parametrize("failing", [(0, 1), (0, 2), (1, 2)])
def test_a_failure_passes_through_wherever_it_comes(failing: LinePair) -> None:
    def doubt(two: LinePair) -> float | Failed:
        return GONE if two == failing else 0.9

    assert combine(3, 0.9, alarms(3), doubt) == GONE


def test_a_failure_over_the_third_line_passes_through_too() -> None:
    known = {(0, 1): 0.9, (0, 2): 0.9, (0, 3): 0.9}
    assert combine(4, 0.9, alarms(4, _0_1=0.9, _0_2=0.8, _0_3=0.7), Doubts(known, GONE)) == GONE


def test_a_whole_that_is_hardly_unsure_is_hopeless() -> None:
    assert hopeless(0.0) and hopeless(0.049) and not hopeless(0.05) and not hopeless(1.0)


SHARE = st.floats(0, 1)


@given(st.integers(2, 6), SHARE, st.data())
def test_few_are_asked_none_twice_and_what_is_shown_holds_together(
    lines: int, whole: float, data: st.DataObject
) -> None:
    known = line_pairs(range(lines))
    said = data.draw(st.fixed_dictionaries(dict.fromkeys(known, SHARE)))
    raised = data.draw(st.fixed_dictionaries({}, optional=dict.fromkeys(known, SHARE)))
    near = data.draw(st.fixed_dictionaries({}, optional={pair: st.floats(-1, 1) for pair in known}))
    doubt = Doubts(said)
    seen = combine(lines, whole, raised, doubt, near)
    assert len(doubt.asked) == len(set(doubt.asked)) <= 3 + 2 * (lines - 2)
    assert set(doubt.asked) <= set(known)
    if seen is None:
        return
    assert not isinstance(seen, Failed)
    numbers = rule_numbers()["threads"]
    least = numbers["shown"] if lines > 2 else numbers["shown_alone"]
    assert thread_odds(seen.sure) >= least - 1e-9
    assert seen.pair in raised and set(seen.pair) <= set(seen.places)
    assert list(seen.places) == sorted(set(seen.places)) and len(seen.places) == min(3, lines)


@given(st.integers(2, 5), SHARE, SHARE, st.data())
def test_a_whole_that_is_more_unsure_never_hides_what_a_surer_one_shows(
    lines: int, one: float, other: float, data: st.DataObject
) -> None:
    low, high = sorted((one, other))
    known = line_pairs(range(lines))
    said = data.draw(st.fixed_dictionaries(dict.fromkeys(known, SHARE)))
    raised = data.draw(st.fixed_dictionaries(dict.fromkeys(known, SHARE)))
    less, more = combine(lines, low, raised, Doubts(said)), combine(lines, high, raised, Doubts(said))
    assert not isinstance(less, Failed) and not isinstance(more, Failed)
    if less is not None:
        assert more is not None and more.places == less.places and more.sure >= less.sure
