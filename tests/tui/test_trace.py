"""Why a conflict is shown, in plain words."""

from __future__ import annotations

from app.tui.trace import trace
from app.words import Conflict, Reason, Slot


def conflict(*reasons: Reason) -> Conflict:
    slot = Slot("memory_slot", "door code")
    return Conflict("c-1", "disagreement", ("a", "b"), slot, "warn", 0.9, "?", ("guard",), reasons)


def test_the_subject_comes_first_and_once() -> None:
    steps = trace(
        conflict(
            Reason("structural", "contradiction (value)", "HIGH", "4411 ≠ 0087"),
            Reason("slot", "memory_slot", "HIGH", "door code"),
            Reason("structural", "contradiction", "MED", "must against must not"),
            Reason("slot", "cross_layer", "HIGH", "door code"),
        )
    )
    assert [tuple(step) for step in steps] == [
        ("the subject", "all of them are about “door code”", ""),
        ("what they say", "they give different values: 4411 ≠ 0087", "sure"),
        ("what they say", "one says the opposite: must against must not", "fairly sure"),
    ]


def test_an_arc_a_detail_that_is_missing_and_a_stage_of_the_future() -> None:
    steps = trace(
        conflict(
            Reason("arc", "reversal", "HIGH", "Monday again after the change to Wednesday"),
            Reason("structural", "contradiction", "LOW", ""),
            Reason("oracle", "yes", "MED", "it said so"),
        )
    )
    assert [step.found for step in steps] == [
        "it went back without a word: Monday again after the change to Wednesday",
        "one says the opposite",
        "yes: it said so",
    ]
    assert [step.looked_at for step in steps] == ["in order", "what they say", "oracle"]


def test_what_a_stage_quotes_from_a_note_is_made_safe() -> None:
    (step,) = trace(conflict(Reason("structural", "contradiction (value)", "HIGH", "\x1b[2J {} [b] ≠ 1")))
    assert step.found == "they give different values: ␛[2J {} [b] ≠ 1"
