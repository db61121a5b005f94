"""`belie normalize`: the shape of a norm, and texts of every kind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import pytest

from app.words import Modality, Object, Standing, SubjectKind
from tests.cli.running import Run

SCOPES = {"env", "team", "tenant", "person", "place", "project", "version"}


def check_shape(answer: dict[str, Any]) -> None:
    assert list(answer) == ["norms", "by"]
    assert answer["by"] in {"rules", "llama"}
    for norm in answer["norms"]:
        assert set(norm) == {
            "standing", "modality", "subject", "subject_kind", "object", "value", "scope",
            "valid_from", "valid_until", "change",
        }  # fmt: skip
        assert norm["standing"] in get_args(Standing)
        assert norm["modality"] in get_args(Modality)
        assert norm["object"] in get_args(Object)
        assert norm["subject_kind"] in get_args(SubjectKind)
        assert isinstance(norm["subject"], str)
        assert norm["value"] is None or isinstance(norm["value"], str)
        assert set(norm["scope"]) <= SCOPES
        assert norm["change"] is None or set(norm["change"]) == {"from", "to"}


def test_one_text(run: Run) -> None:
    answer = run("normalize", "The garage door code is 4411.", "--json")
    assert (answer.code, answer.err) == (0, "")
    check_shape(answer.json)
    (norm,) = answer.json["norms"]
    assert (norm["subject"], norm["value"], norm["modality"]) == ("garage door code", "4411", "is")
    words = run("normalize", "The garage door code is 4411.")
    assert "garage door code" in words.out and "4411" in words.out


def test_title_heading_and_date_are_heard(run: Run) -> None:
    options = ("--title", "Boat", "--heading", "Engine", "--date", "2026-03-01", "--json")
    answer = run("normalize", "Oil was changed from 10W-40 to 15W-40.", *options)
    check_shape(answer.json)
    assert answer.json["norms"][0]["change"] == {"from": "10W-40", "to": "15W-40"}


@pytest.mark.parametrize(
    "text",
    ["", "\n", "🦆", "---", "# ", "```\ncode is 5\n```", "\x1b[31m", "x" * 50_000, "(" * 20_000, "a\0b is c"],
)
def test_texts_without_sense(run: Run, text: str) -> None:
    answer = run("normalize", "--json", "--", text)
    assert (answer.code, answer.err) == (0, "")
    check_shape(answer.json)
    assert run("normalize", "--", text).code == 0


def test_a_batch_is_answered_line_by_line(run: Run, tmp_path: Path) -> None:
    rows = [
        {"text": "The garage door code is 4411.", "title": "House", "heading": "Doors", "date": "2026-01-01"},
        {"text": ""},
        {"text": "\ud83d is \ud800", "title": None, "heading": None, "date": None},
        {"text": "Never deploy on Fridays.", "title": "../../etc/passwd", "heading": "a\nb"},
    ]
    batch = tmp_path / "rows.jsonl"
    batch.write_text("".join(json.dumps(row) + "\r\n" for row in rows))
    answer = run("normalize", "--batch", batch, "--json")
    assert (answer.code, answer.err) == (0, "")
    answers = [json.loads(line) for line in answer.out.splitlines()]
    assert len(answers) == len(rows)
    for one in answers:
        check_shape(one)
    assert answers[0]["norms"][0]["value"] == "4411"
    assert answers[3]["norms"][0]["modality"] == "must_not"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("nonsense", "line 1: not JSON"),
        ("7", "line 1: an object is expected"),
        ("{}", "Line 1: a text is expected"),
        ('{"text": ["x"]}', "Line 1: “text” should be text"),
        ('{"text": "x", "title": 1}', "Line 1: “title” should be text"),
        ('{"text": "x", "heading": {}}', "Line 1: “heading” should be text"),
        ('{"text": "x", "date": "whenever"}', "“whenever” is not a date"),
    ],
)
def test_a_bad_row_is_named(run: Run, tmp_path: Path, line: str, says: str) -> None:
    batch = tmp_path / "rows.jsonl"
    batch.write_text(line)
    answer = run("normalize", "--batch", batch, "--json")
    assert (answer.code, answer.out) == (2, "")
    assert says in answer.err


def test_nothing_to_read(run: Run) -> None:
    answer = run("normalize")
    assert (answer.code, answer.out) == (2, "")
    assert "--batch" in answer.err
