"""A model's word about notes counts only as far as its answers about known threads allow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from app.detection.judge_input import Said
from app.detective.exam import MIN_SURENESS, OPEN, SETTLED, Exams, Skill, examine, skill_from
from app.models.requests import Failed


class Model:
    """Answers by a function of the thread; counts what it is asked."""

    def __init__(self, answer: Callable[[Sequence[Said]], float | Failed | None], reader: str = "m") -> None:
        self.answer, self.reader, self.asked = answer, reader, 0

    def odds(self, thread: Sequence[Said], stopping: Callable[[], bool]) -> float | Failed | None:
        self.asked += 1
        return self.answer(thread)


def knows(thread: Sequence[Said]) -> float:
    return 0.9 if tuple(thread) in OPEN else 0.2


def test_who_tells_them_apart_may_find_and_dismiss() -> None:
    assert examine(Model(knows)) == Skill(MIN_SURENESS, 0.2)
    assert skill_from([0.95, 0.9, 0.85], [0.8, 0.3]) == Skill(0.8, 0.8)


def test_who_cannot_has_no_say() -> None:
    assert examine(Model(lambda _: 0.5)) is None
    assert examine(Model(lambda thread: 1 - knows(thread))) is None
    assert examine(Model(lambda _: None)) is None
    assert skill_from([0.9] * 4 + [0.1] * 6, [0.5] * 5) is None
    assert skill_from([], []) is None


def test_one_coherent_thread_that_outweighs_most_leaves_nothing_to_find() -> None:
    assert skill_from([0.8] * 10, [0.9] + [0.1] * 11) is None


def test_a_model_that_fails_is_examined_later(tmp_path: Path) -> None:
    gone = Failed("crashed", "it crashed")
    exams = Exams(tmp_path / "exams")
    assert exams.skill(Model(lambda _: gone)) == gone
    assert exams.skill(Model(knows)) == Skill(MIN_SURENESS, 0.2)


def test_nobody_sits_it_twice(tmp_path: Path) -> None:
    exams = Exams(tmp_path / "exams")
    for answer in (knows, lambda _: 0.5):
        first = Model(answer, reader=repr(answer))
        skill = exams.skill(first)
        assert first.asked == len(OPEN) + len(SETTLED)
        again = Model(answer, reader=repr(answer))
        assert exams.skill(again) == skill and again.asked == 0
    for file in (tmp_path / "exams").iterdir():
        file.write_text("{")
    third = Model(knows, reader=repr(knows))
    assert exams.skill(third) == Skill(MIN_SURENESS, 0.2) and third.asked


def test_it_stands_back_when_something_else_comes_first() -> None:
    model = Model(knows)
    answer = examine(model, lambda: model.asked >= 3)
    assert isinstance(answer, Failed) and answer.why == "cancelled" and model.asked == 3
