"""A check of the sample vault finds what its table says, and leaves the rest alone."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from app.index.pipeline import Pipeline
from app.places import sample_vault
from app.store.store import Store
from app.vault.settings import vault_settings
from app.words import Conflict

Place = tuple[str, int]
TABLE: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("expected.yaml").read_text(encoding="utf-8"))
PLAIN = [row for row in TABLE["conflicts"] if not row.get("hard")]


@cache
def found() -> list[tuple[Conflict, frozenset[Place]]]:
    """Every open conflict with the lines its members stand on."""
    root = sample_vault()
    with Store.open(":memory:") as store:
        Pipeline(root, store, vault_settings(root)).run()
        claims = {claim.id: claim.statement for claim in store.claims(status=None)}
        return [
            (
                conflict,
                frozenset(
                    (claims[m].path, line)
                    for m in conflict.members
                    for line in range(claims[m].line, claims[m].end_line + 1)
                ),
            )
            for conflict in store.conflicts("open")
        ]


@cache
def place(note: str, quote: str) -> Place:
    lines = (sample_vault() / note).read_text(encoding="utf-8").splitlines()
    return note, next(n for n, line in enumerate(lines, 1) if quote in line)


def places(row: dict[str, Any]) -> set[Place]:
    return {place(m["note"], m["quote"]) for m in row["members"]}


@pytest.mark.parametrize("row", PLAIN, ids=lambda row: str(row["id"]))
def test_a_plain_conflict_is_found_once_and_called_by_its_kind(row: dict[str, Any]) -> None:
    hits = [conflict for conflict, lines in found() if len(places(row) & lines) >= 2]
    assert [conflict.kind for conflict in hits] == [row["kind"]]


def test_every_member_of_a_plain_conflict_is_in_it() -> None:
    missing = {}
    for row in PLAIN:
        lines = next(lines for _, lines in found() if len(places(row) & lines) >= 2)
        if row["kind"] == "disagreement" and not places(row) <= lines:
            missing[row["id"]] = places(row) - lines
    assert missing == {}


def test_nothing_is_reported_that_the_table_does_not_name() -> None:
    named = [places(row) for row in TABLE["conflicts"]]
    assert [c.question for c, lines in found() if not any(len(p & lines) >= 2 for p in named)] == []


@pytest.mark.parametrize("row", TABLE["silent"], ids=lambda row: str(row["id"]))
def test_a_look_alike_is_left_alone(row: dict[str, Any]) -> None:
    assert [c.question for c, lines in found() if len(places(row) & lines) >= 2] == []


def test_every_question_can_be_answered_with_yes_or_no() -> None:
    for conflict, _ in found():
        assert conflict.question.endswith("?")
        assert conflict.question.split()[0] in ("Is", "Are", "Does")
