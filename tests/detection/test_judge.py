"""The judge's word on pairs: what it is asked, and what is made of its answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import cast

from app.detection.judge import Opinions, judged
from app.models.host import ModelHost
from app.models.requests import Judged, Priority
from tests.support.claims_of_notes import claims, says

ALARMED = (0.6, 0.1, 0.1, 0.1, 0.1)
CALM = (0.0, 0.01, 0.0, 0.09, 0.9)


@dataclass
class JudgeOfWords:
    """Alarmed at whatever has "pump" in its first statement, and keeps what it was asked."""

    asked: list[tuple[str, str]] = field(default_factory=list)

    def judge(self, pairs: Sequence[tuple[str, str]], *, priority: Priority) -> Judged:
        self.asked += pairs
        return Judged("words", tuple(ALARMED if "pump" in first else CALM for first, _ in pairs))


def opinions(host: JudgeOfWords, *texts: str) -> Opinions:
    a, b = claims(*texts)
    made = judged(cast(ModelHost, host), [(a, b)])
    assert isinstance(made, Opinions)
    return made


def test_an_undated_pair_that_alarms_is_read_both_ways_round() -> None:
    host = JudgeOfWords()
    (odds,) = opinions(host, "A pump is in the cellar.", "No such machine is there.").odds
    assert len(host.asked) == 2 and host.asked[0] == host.asked[1][::-1]
    assert odds == tuple((p + q) / 2 for p, q in zip(ALARMED, CALM, strict=True))


def test_a_pair_that_does_not_alarm_is_read_once() -> None:
    host = JudgeOfWords()
    assert opinions(host, "The hedge is high.", "Soup on Fridays.").odds == [CALM]
    assert len(host.asked) == 1


def test_swapping_two_undated_statements_changes_nothing() -> None:
    one, other = "A pump is in the cellar.", "The cellar is dry."
    assert opinions(JudgeOfWords(), one, other) == opinions(JudgeOfWords(), other, one)


def test_dated_statements_are_read_older_first() -> None:
    host = JudgeOfWords()
    a, b = claims(says("A pump is here.", date="2026-01-02"), says("A fan is here.", date="2026-03-04"))
    judged(cast(ModelHost, host), [(a, b)])
    assert [("pump" in first, "fan" in second) for first, second in host.asked] == [(True, True)]
