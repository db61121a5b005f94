"""Does the latest statement settle the question?"""

from __future__ import annotations

import pytest

from app.detective.arc_settlement import Station, settled

OLD, NEW = "old", "new"


def at(day: int | None, side: str, in_words: bool = False) -> Station:
    return Station(f"2026-01-{day:02}" if day else None, side, in_words)


@pytest.mark.parametrize(
    ("story", "answer"),
    [
        pytest.param([], True, id="nothing said"),
        pytest.param([at(1, OLD), at(2, OLD)], True, id="all say the same"),
        pytest.param([at(1, OLD), at(2, NEW)], False, id="a newer date alone settles nothing"),
        pytest.param([at(1, OLD), at(2, NEW, True)], True, id="the newest says that it replaces the other"),
        pytest.param([at(1, OLD), at(2, NEW, True), at(3, NEW)], True, id="the newest agrees with it"),
        pytest.param([at(1, OLD), at(2, NEW, True), at(3, OLD)], False, id="back again without a word"),
        pytest.param([at(1, OLD), at(2, NEW, True), at(3, OLD, True)], True, id="back again, and says so"),
        pytest.param(
            [at(1, OLD), at(2, NEW, True), at(3, OLD), at(4, NEW)], True, id="the last word is the change's"
        ),
        pytest.param(
            [at(1, NEW, True), at(2, OLD, True), at(3, NEW)], False, id="the last change was the other way"
        ),
        pytest.param([at(2, OLD), at(2, NEW)], False, id="two answers on one day"),
        pytest.param([at(2, OLD), at(2, NEW, True)], True, id="on one day, who speaks of a change decides"),
        pytest.param([at(None, OLD), at(None, NEW)], False, id="undated, nobody is newer"),
        pytest.param([at(1, NEW, True), at(None, OLD)], True, id="an undated one is never the newest"),
    ],
)
def test_settled(story: list[Station], answer: bool) -> None:
    assert settled(story) is answer
    assert settled(reversed(story)) is answer
