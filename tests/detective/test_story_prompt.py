"""What the language model may answer about a story, and what is made of it."""

from __future__ import annotations

import pytest

from app.detective.story_prompt import CONSTANT, MOST_FINDINGS, numbered, read_found
from app.detective.thread_answer import NamedLines
from app.detective.thread_prompt import END, NO, YES


def test_lines_are_numbered_and_what_never_changes_comes_first() -> None:
    assert numbered(["2025-01-01 a", "2025-01-02 b"]) == "1. 2025-01-01 a\n2. 2025-01-02 b\n"
    assert "2025-01-01 a" not in CONSTANT


def test_the_examples_are_answered_as_answers_are_read() -> None:
    shots = CONSTANT.split("\n\n")[1:-1]
    for shot in shots:
        lines, _, answer = shot.partition(END)
        assert answer.startswith((YES, NO))
        asked = answer.removeprefix(YES).strip().splitlines() if answer.startswith(YES) else []
        assert len(read_found("\n".join(asked), lines.count("\n"))) == len(asked)
    assert {shot.partition(END)[2].count("|") // 2 for shot in shots} == {0, 1, 2}


def test_each_line_of_an_answer_is_one_finding() -> None:
    answer = "- reversal | 1 3 7 | Does it hold again?\n- stale | 2 5 | Is it still so?\n\n"
    assert read_found(answer, 8) == [
        NamedLines("reversal", (0, 2, 6), "Does it hold again?"),
        NamedLines("stale", (1, 4), "Is it still so?"),
    ]


@pytest.mark.parametrize(
    "answer",
    ["", "\n\n", "garbage " * 80, "- stale | 1 9 | Is it?", "- stale | 0 1 | Is it?", "- stale | 3 | Is it?",
     "- stale | 3 3 | Is it?", "- odd | 1 2 | Is it?", "- stale", "- stale | 1 2 3 4 5 6 7 8 | Is it?",
     "- stale | -1 2 | Is it?", "| | |", "- stale | one two | Is it?"],
)  # fmt: skip
def test_of_what_cannot_be_used_nothing_is_taken(answer: str) -> None:
    assert read_found(answer, 8) == []
    assert len(read_found(f"{answer}\n- stale | 1 2 | Is it?", 8)) == 1


def test_an_answer_without_end_is_cut() -> None:
    assert len(read_found("- stale | 1 2 | Is it?\n" * 50, 8)) == MOST_FINDINGS
