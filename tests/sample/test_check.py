"""A check of the sample vault finds what its table says, and leaves the rest alone."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from app.store.store import Store
from tests.sample.table import PLAIN, TABLE, Found, found_in, places


@cache
def found() -> Found:
    with Store.open(":memory:") as store:
        return found_in(store)[0]


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
