"""A model reads whole stories only if it sees what is wrong in known ones, and nothing where nothing is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from app.detective.exam import Exams
from app.detective.story_exam import COHERENT, INCOHERENT, ExamStory, examine, is_right
from app.detective.thread_answer import NamedLines, ThreadAnswer, finding
from app.models.requests import Failed
from tests.support.claims_of_notes import claims, says

Answer = list[NamedLines] | Failed


def named(*lines: int) -> NamedLines:
    return NamedLines("stale", tuple(line - 1 for line in lines), "")


def knows(story: ExamStory) -> list[NamedLines]:
    return [named(*sorted(story.one | story.other))] if story.one else []


class Model:
    """Answers by a function of the story; counts what it is asked."""

    def __init__(self, answer: Callable[[ExamStory], Answer], reader: str = "m") -> None:
        self.answer, self.reader, self.asked = answer, reader, 0

    def found(self, lines: Sequence[str], stopping: Callable[[], bool]) -> Answer:
        if stopping():
            return Failed("cancelled", "nobody waits")
        self.asked += 1
        return self.answer(next(s for s in (*COHERENT, *INCOHERENT) if s.texts == list(lines)))


def test_who_sees_what_is_wrong_and_nothing_else_passes() -> None:
    assert examine(Model(knows)) is True
    half = INCOHERENT[: len(INCOHERENT) // 2]
    assert examine(Model(lambda story: knows(story) if story in half else [])) is True
    fewer = half[1:]
    assert examine(Model(lambda story: knows(story) if story in fewer else [])) is False


def test_who_sees_nothing_fails_as_soon_as_that_is_plain() -> None:
    model = Model(lambda _: [])
    assert examine(model) is False
    assert model.asked == len(COHERENT) + len(INCOHERENT) // 2 + 1


def test_one_word_about_a_coherent_story_is_enough_to_fail() -> None:
    model = Model(lambda story: [named(1, 2)] if story == COHERENT[1] else knows(story))
    assert examine(model) is False
    assert model.asked == 2, "what comes after cannot help it any more"


@pytest.mark.parametrize(
    ("lines", "counts"),
    [
        ((3, 7), True),
        ((1, 3, 7), True),
        ((1, 7), False),
        ((3, 5), False),
        ((3, 7, 8), False),
        ((2, 4), False),
    ],
)
def test_the_right_lines_say_one_thing_and_the_other_and_no_third(
    lines: tuple[int, ...], counts: bool
) -> None:
    assert is_right([named(*lines)], INCOHERENT[0]) is counts


def test_a_right_finding_beside_a_wrong_one_is_not_right() -> None:
    assert not is_right([named(3, 7), named(2, 6)], INCOHERENT[0])


def test_what_failed_or_was_stopped_is_sat_later_and_the_rest_only_once(tmp_path: Path) -> None:
    exams = Exams(tmp_path / "exams")

    def sit(model: Model, stop: bool = False) -> bool | Failed:
        return exams.result_of(model.reader, bool, lambda: examine(model, lambda: stop))

    gone = Failed("crashed", "it crashed")
    assert sit(Model(lambda _: gone)) == gone
    stopped = sit(Model(knows), stop=True)
    assert isinstance(stopped, Failed) and stopped.why == "cancelled"
    assert sit(Model(knows)) is True
    again = Model(lambda _: [])
    assert sit(again) is True and again.asked == 0
    assert sit(Model(lambda _: [], reader="other")) is False


@pytest.mark.parametrize("story", [*COHERENT, *INCOHERENT], ids=lambda story: story.lines[0].text[:30])
def test_a_story_is_short_and_its_lines_in_order(story: ExamStory) -> None:
    assert 8 <= len(story.lines) <= 14
    dates = [line.date or "" for line in story.lines]
    assert dates == sorted(dates)
    assert bool(story.one) == bool(story.other)
    assert all(0 < line <= len(story.lines) for line in story.one | story.other | story.besides)


@pytest.mark.parametrize("story", INCOHERENT, ids=lambda story: story.lines[0].text[:30])
def test_what_is_wrong_in_a_story_would_be_let_stand_in_a_vault(story: ExamStory) -> None:
    told = [claims(says(line.text, line.note, line.date))[0] for line in story.lines]
    lines = sorted(story.one | story.other | story.besides)
    assert (
        finding(ThreadAnswer("stale", tuple(told[line - 1].id for line in lines), None), told, 0.9)
        is not None
    )
