"""`belie judge`: the shape of an answer, batches in order, and rows that are wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import Run
from tests.models import tiny_gguf

LABELS = {"conflict", "outdated", "settled", "compatible", "unrelated"}
A, B = "The garage door code is 4411.", "The garage door code is 0087."


def check_shape(answer: dict[str, Any]) -> None:
    assert list(answer) == ["label", "tier", "alarm", "stages"]
    assert answer["label"] in LABELS
    assert answer["tier"] in {"clean", "warn", "block"}
    assert 0 <= answer["alarm"] <= 1
    assert answer["stages"]
    for stage in answer["stages"]:
        assert set(stage) == {"stage", "verdict", "confidence", "detail"}
        assert all(isinstance(value, str) for value in stage.values())


@pytest.mark.parametrize(
    ("options", "label"),
    [
        ((), {"conflict"}),
        (("--date-a", "2023-01-01", "--date-b", "2026-05-01"), {"outdated"}),
        (("--note-a", "House", "--note-b", "Garage"), {"conflict"}),
    ],
)
def test_one_pair(run: Run, options: tuple[str, ...], label: set[str]) -> None:
    answer = run("judge", A, B, "--json", *options)
    assert (answer.code, answer.err) == (1, "")
    check_shape(answer.json)
    assert answer.json["label"] in label
    assert answer.json["alarm"] > 0.5
    words = run("judge", A, B, *options)
    assert words.out.startswith(answer.json["label"])


def test_the_older_one_may_be_named_last(run: Run) -> None:
    """The model is told who is older by the dates, whichever way round the two are given."""
    old, new = "Backups go to the tape in the cellar", "since the flood every backup lands in the cloud"
    dates = ("2024-02-01", "2026-02-01")
    forth = run(
        "judge", old, new, "--date-a", dates[0], "--date-b", dates[1], "--json", "--models", "embedded"
    )
    back = run(
        "judge", new, old, "--date-a", dates[1], "--date-b", dates[0], "--json", "--models", "embedded"
    )
    assert any(stage["stage"] == "judge" for stage in forth.json["stages"])
    assert forth.json == back.json


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (A, A),
        (A, "The milk is in the fridge."),
        ("", ""),
        ("???", "---"),
        ("🦆", "\u202e"),
        ("x" * 20_000, A),
    ],
)
def test_pairs_that_are_no_alarm(run: Run, a: str, b: str) -> None:
    answer = run("judge", "--json", "--", a, b)
    assert answer.code == 0
    check_shape(answer.json)
    assert answer.json["label"] in {"compatible", "unrelated"}
    assert answer.json["alarm"] < 0.5


def test_a_batch_is_answered_line_by_line_in_order(run: Run, tmp_path: Path) -> None:
    rows = [
        {
            "a": {"text": A, "note": "Garage", "date": "2026-01-01"},
            "b": {"text": B, "note": None, "date": None},
        },
        {"a": {"text": A}, "b": {"text": A}},
        {"a": {"text": A, "date": ""}, "b": {"text": "The cat sleeps."}, "id": 7, "gold": "unrelated"},
        {"a": {"text": "\ud800 is \u0000"}, "b": {"text": ""}},
    ]
    batch = tmp_path / "rows.jsonl"
    batch.write_text("\n\n".join(json.dumps(row) for row in rows) + "\n")
    answer = run("judge", "--batch", batch, "--json")
    assert (answer.code, answer.err) == (0, "")
    answers = [json.loads(line) for line in answer.out.splitlines()]
    assert len(answers) == len(rows)
    for one in answers:
        check_shape(one)
    assert answers[0]["label"] == "conflict"
    assert [one["label"] == "conflict" for one in answers[1:]] == [False, False, False]
    singly = run("judge", A, B, "--note-a", "Garage", "--date-a", "2026-01-01", "--json")
    assert singly.json == answers[0]
    assert run("judge", "--batch", batch).out == answer.out


GOOD = json.dumps({"a": {"text": A}, "b": {"text": B}})


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "line 2: not JSON"),
        ("[]", "line 2: an object is expected"),
        ('{"a": {"text": "x"}}', "Line 2: “b” needs a text"),
        ('{"a": "x", "b": "y"}', "Line 2: “a” needs a text"),
        ('{"a": {"text": 5}, "b": {"text": "y"}}', "Line 2: “text” should be text"),
        ('{"a": {"text": "x", "note": 5}, "b": {"text": "y"}}', "Line 2: “note” should be text"),
        ('{"a": {"text": "x", "date": 20260101}, "b": {"text": "y"}}', "Line 2: “date” should be text"),
        ('{"a": {"text": "x", "date": "soon"}, "b": {"text": "y"}}', "“soon” is not a date"),
        pytest.param("[" * 100_000, "line 2: not JSON", id="deep"),
    ],
)
def test_a_bad_row_ends_the_batch_with_its_line(run: Run, tmp_path: Path, line: str, says: str) -> None:
    batch = tmp_path / "rows.jsonl"
    batch.write_text(f"{GOOD}\n{line}\n{GOOD}\n")
    answer = run("judge", "--batch", batch, "--json")
    assert answer.code == 2
    assert says in answer.err
    assert len(answer.out.splitlines()) == 1


def test_files_that_cannot_be_read(run: Run, tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    for path in (tmp_path / "missing", tmp_path, tmp_path / "binary"):
        answer = run("judge", "--batch", path)
        assert (answer.code, answer.out) == (2, "")
        assert "cannot be read" in answer.err


@pytest.mark.parametrize(
    "arguments",
    [(), ("only one",), ("a", "b", "c"), ("a", "b", "--date-a", "never"), ("a", "b", "--nonsense")],
)
def test_what_cannot_be_judged(run: Run, arguments: tuple[str, ...]) -> None:
    answer = run("judge", *arguments)
    assert (answer.code, answer.out) == (2, "")
    assert answer.err


def test_a_file_that_is_no_model_is_not_taken_for_one(run: Run, tmp_path: Path) -> None:
    model, adapter = tiny_gguf.model(tmp_path / "own.gguf", width=64), tiny_gguf.adapter(tmp_path / "a.gguf")
    garbage = tmp_path / "garbage.gguf"
    garbage.write_text("no model at all")
    assert run("judge", A, B, "--models", model).code == 1
    for file, why in (
        (garbage, "not a GGUF file"),
        (adapter, "adapter"),
        (tmp_path / "none.gguf", "No such"),
    ):
        answer = run("judge", A, B, "--models", file)
        assert (answer.code, answer.out) == (2, "") and str(file) in answer.err and why in answer.err
