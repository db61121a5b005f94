"""What the judge said of a pair: both ways round count where no date tells which is older."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.detection.judge import Opinions, judged
from app.models.requests import Judged
from app.words import Opinion
from tests.support.claims_of_notes import claims, says

CONFLICT, UNRELATED = Opinion(1.0, 0.0, 0.0, 0.0, 0.0), Opinion(0.0, 0.0, 0.0, 0.0, 1.0)


class Host:
    """Answers these rows in turn."""

    def __init__(self, *rows: Opinion | None) -> None:
        self.rows = rows

    def judge(self, asked: Sequence[tuple[str, str]], **_: Any) -> Judged:
        assert len(asked) == len(self.rows)
        return Judged("judge", self.rows)


def of_pair(host: Any, *dates: str) -> list[Opinion | None]:
    texts = ("The code is 4411.", "The code is 0087.")
    a, b = claims(
        *(says(text, "Door", date) for text, date in zip(texts, dates or (None, None), strict=True))
    )
    answer = judged(host, [(a, b)])
    assert isinstance(answer, Opinions) and answer.judge == "judge"
    return answer.of_pairs


def test_both_ways_count_where_no_date_tells_the_order() -> None:
    assert of_pair(Host(CONFLICT, UNRELATED)) == [Opinion(0.5, 0.0, 0.0, 0.0, 0.5)]
    assert of_pair(Host(None, UNRELATED)) == [None]


def test_where_dates_tell_only_the_older_comes_first() -> None:
    assert of_pair(Host(CONFLICT), "2025-01-10", "2025-02-10") == [CONFLICT]


def test_an_opinion_has_a_label_and_an_alarm() -> None:
    opinion = Opinion(0.2, 0.5, 0.1, 0.1, 0.1)
    assert opinion.label == "outdated" and opinion.finds_outdated
    assert opinion.alarm == 0.7
