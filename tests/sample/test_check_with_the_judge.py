"""The judge that ships, over the sample vault: it adds what only meaning shows, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from app.detection.judge_stage import JudgeStage
from app.models.host import ModelHost
from app.models.setup import Setup
from app.pipeline.stage_list import Models
from app.store.store import Store
from app.words import Conflict
from tests.sample.table import PLAIN, TABLE, Found, found_in, places


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Found]:
    setup = Setup(cache=str(tmp_path_factory.mktemp("models")), threads=1)
    with ModelHost(setup) as host, Store.open(":memory:") as store:
        made, run = found_in(store, Models(JudgeStage(host, store)))
        assert run.judge_failed is None and run.pairs > 200
        yield made


def shown(row: dict[str, Any], found: Found) -> list[Conflict]:
    return [conflict for conflict, lines in found if len(places(row) & lines) >= 2]


def test_it_sees_a_conflict_told_in_different_words(found: Found) -> None:
    seen = [c for row in TABLE["conflicts"] if row.get("hard") for c in shown(row, found)]
    assert seen
    assert all("judge" in {reason.stage for reason in conflict.reasons} for conflict in seen)


def test_what_the_rules_see_is_there_as_before(found: Found) -> None:
    for row in PLAIN:
        assert [conflict.kind for conflict in shown(row, found)] == [row["kind"]]


def test_no_look_alike_is_flagged_and_nothing_else_reported(found: Found) -> None:
    silent = [
        row["id"] for row in TABLE["silent"] if any(len(places(row) & lines) >= 2 for _, lines in found)
    ]
    assert silent == []
    named = [places(row) for row in TABLE["conflicts"]]
    assert [c.question for c, lines in found if not any(len(p & lines) >= 2 for p in named)] == []
