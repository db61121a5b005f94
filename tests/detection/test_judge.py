"""What the judge is asked of a pair, and what is made of its answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

import pytest

from app.detection.judge import Opinions, judged
from app.models.host import ModelHost
from app.models.requests import Judged, Priority
from app.models.setup import Setup
from app.words import Opinion
from tests.support.claims_of_notes import claims, says

ALARMED = Opinion(0.6, 0.1, 0.1, 0.1, 0.1)
CALM = Opinion(0.0, 0.01, 0.0, 0.09, 0.9)


@dataclass
class JudgeOfWords:
    """Alarmed at whatever has "pump" in its first statement, mute before a fan; keeps what it was asked."""

    asked: list[tuple[str, str]] = field(default_factory=list)
    setup: Setup = field(default_factory=Setup)

    def judge(self, pairs: Sequence[tuple[str, str]], *, priority: Priority) -> Judged:
        self.asked += pairs
        rows = (None if "fan" in a else ALARMED if "pump" in a else CALM for a, _ in pairs)
        return Judged("words", tuple(rows))


def opinions(host: JudgeOfWords, *texts: str) -> list[Opinion | None]:
    a, b = claims(*texts)
    made = judged(cast(ModelHost, host), [(a, b)])
    assert isinstance(made, Opinions) and made.judge == "words"
    return made.of_pairs


def test_a_pair_that_alarms_is_read_in_four_ways_with_and_without_surroundings() -> None:
    host = JudgeOfWords()
    (told,) = opinions(host, "A pump is in the cellar.", "No such machine is there.")
    assert len(host.asked) == 4 and len(set(host.asked)) == 4
    mean = (ALARMED.alarm + CALM.alarm) / 2
    assert told is not None
    assert told.alarm == told.bare_alarm == told.steady_alarm == pytest.approx(mean)


def test_the_mean_alarm_leaves_the_first_opinion_its_proportions() -> None:
    (told,) = opinions(JudgeOfWords(), "A pump is in the cellar.", "No such machine is there.")
    assert told is not None and sum(told[:5]) == pytest.approx(1.0)
    assert told.conflict / told.outdated == pytest.approx(ALARMED.conflict / ALARMED.outdated)
    assert told.settled == told.compatible == told.unrelated


def test_who_was_read_once_is_as_alarming_without_surroundings() -> None:
    assert CALM.bare is None and CALM.bare_alarm == CALM.alarm == CALM.steady_alarm


def test_the_surroundings_are_left_out_in_two_of_the_four() -> None:
    host = JudgeOfWords()
    opinions(host, says("A pump is here.", "Cellar"), says("It is gone.", "Diary"))
    assert sum("Cellar" in a + b for a, b in host.asked) == 2


def test_a_pair_that_does_not_alarm_is_read_once() -> None:
    host = JudgeOfWords()
    assert opinions(host, "The hedge is high.", "Soup on Fridays.") == [CALM]
    assert len(host.asked) == 1


def test_a_pair_that_cannot_be_read_has_no_opinion() -> None:
    assert opinions(JudgeOfWords(), "A fan is here.", "The fan is gone.") == [None]


def test_swapping_two_undated_statements_changes_nothing() -> None:
    one, other = "A pump is in the cellar.", "The cellar is dry."
    assert opinions(JudgeOfWords(), one, other) == opinions(JudgeOfWords(), other, one)


def test_dated_statements_are_read_older_first_to_begin_with() -> None:
    host = JudgeOfWords()
    a, b = claims(says("A pump is here.", date="2026-01-02"), says("A fan is here.", date="2026-03-04"))
    judged(cast(ModelHost, host), [(a, b)])
    first, second = host.asked[0]
    assert "pump" in first and "fan" in second and "later" in second


def test_an_opinion_has_a_label_and_an_alarm() -> None:
    opinion = Opinion(0.2, 0.5, 0.1, 0.1, 0.1)
    assert opinion.label == "outdated" and opinion.finds_outdated
    assert opinion.alarm == 0.7
