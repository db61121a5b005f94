"""Why a conflict is shown, in plain words."""

from __future__ import annotations

from app.tui.trace import trace
from app.words import Conflict, Reason, Slot


def conflict(*reasons: Reason) -> Conflict:
    slot = Slot("memory_slot", "door code")
    return Conflict("c-1", "disagreement", ("a", "b"), slot, "warn", 0.9, "?", ("guard",), reasons)


def test_comparing_judging_and_what_is_trusted_more() -> None:
    steps = trace(
        conflict(
            Reason("structural", "contradiction (value)", "HIGH", "4411 ≠ 0087"),
            Reason("slot", "memory_slot", "HIGH", "door code"),
            Reason("structural", "contradiction", "MED", "must against must not"),
            Reason("structural", "contradiction (value)", "HIGH", "north quay ≠ slip 2"),
            Reason("aligned", "contradiction (amount)", "MED", "same subject, other amount: 2 ≠ 3"),
            Reason("judge", "conflict", "HIGH", "96% sure that both cannot hold"),
            Reason("decide", "shown", "HIGH", "97% likely to be worth a look"),
            Reason("slot", "cross_layer", "HIGH", "door code"),
        )
    )
    assert [tuple(step) for step in steps] == [
        ("compared", "same subject, other number: 4411 ≠ 0087", "sure"),
        ("compared", "same subject, the opposite: “must” against “must not”", "fairly sure"),
        ("compared", "same subject, other value: north quay ≠ slip 2", "sure"),
        ("compared", "same subject, other amount: 2 ≠ 3", "fairly sure"),
        ("judged", "the judge is 96% sure that both cannot hold", ""),
        ("trust", "you trust one of these notes more than the other", ""),
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
        "same subject, the opposite",
        "yes: it said so",
    ]
    assert [step.looked_at for step in steps] == ["in order", "compared", "oracle"]


def test_what_a_stage_quotes_from_a_note_is_made_safe() -> None:
    (step,) = trace(conflict(Reason("structural", "contradiction (value)", "HIGH", "\x1b[2J {} [b] ≠ 1")))
    assert step.found == "same subject, other number: ␛[2J {} [b] ≠ 1"
