"""Statements with their gold norms, as the model reads and writes them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from app.cli.statements import read_statement
from app.reading.norm_answer import spelled
from app.reading.norm_prompt import Asked, asked
from app.words import Change, Norm, Note, Statement

OWN = Path(__file__).resolve().parent / "own.jsonl"
HELD_OUT = "n5"
"""Its author's domains are seen by nobody before measuring."""


class Row(NamedTuple):
    statement: Statement
    note: Note
    norms: tuple[Norm, ...]
    asked: Asked | None

    @property
    def answer(self) -> str:
        return spelled(self.norms)


def rows(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8") as file:
        for line in file:
            stored = json.loads(line)
            statement, note = read_statement(
                stored["text"], title=stored["title"], heading=stored["heading"], date=stored["date"]
            )
            gold = tuple(_norm(n) for n in stored["norms"])
            yield Row(statement, note, gold, asked(statement, note.title))


def training_rows(train: Path) -> list[Row]:
    """All but the held-out file, and our own; a value the statement does not have as written is no lesson."""
    files = sorted(f for f in (train / "norms").glob("n*.jsonl") if f.stem != HELD_OUT)
    return [row for file in (*files, OWN) for row in rows(file) if row.asked and _grounded(row)]


def _grounded(row: Row) -> bool:
    text = row.statement.text.casefold()
    return all(norm.value is None or norm.value.casefold() in text for norm in row.norms)


def _norm(stored: dict[str, Any]) -> Norm:
    change = stored["change"]
    return Norm(
        stored["subject"].lower(),
        stored["subject_kind"],
        stored["standing"],
        stored["modality"],
        stored["object"],
        stored["value"],
        tuple(stored["scope"].items()),
        stored["valid_from"],
        stored["valid_until"],
        Change(change["from"], change["to"]) if change else None,
    )
