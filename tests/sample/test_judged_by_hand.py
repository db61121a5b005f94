"""Every pair of the sample table, judged by hand and as a vault of two notes: the same tier and label."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from app.cli.judge import judge_pairs
from app.cli.statements import read_claims
from app.detection.judge_stage import JudgeStage
from app.models.host import ModelHost
from app.models.setup import Setup
from app.pipeline.index_vault import Pipeline
from app.pipeline.stage_list import Models
from app.places import sample_vault
from app.store.store import Store
from app.vault.settings import vault_settings
from app.words import TIER_WEIGHT, Claim, Tier
from tests.models.real import needs_embedder, needs_judge
from tests.sample.table import TABLE

Side = tuple[str, str, str]
"""The title of a note, its date, and what it says."""
LABELS = {"disagreement": "conflict", "stale": "outdated", "reversal": "conflict"}
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def date_of(note: str) -> str:
    path = sample_vault() / note
    found = _DAY.search(path.stem) or re.search(
        rf"^(?:date|updated|created): ({_DAY.pattern})", path.read_text(encoding="utf-8"), re.MULTILINE
    )
    return found[0][-10:] if found else ""


def pairs() -> Iterator[tuple[str, Side, Side]]:
    for row in (*TABLE["conflicts"], *TABLE["silent"]):
        # What a vault leaves unread for the name of its file is no matter of the pair.
        sides = [
            (Path(m["note"]).stem.partition(".sync-conflict")[0], date_of(m["note"]), m["quote"])
            for m in row["members"]
        ]
        for number, (a, b) in enumerate(combinations(sides, 2)):
            yield f"{row['id']}-{number}", a, b


PAIRS = [pytest.param(a, b, id=name) for name, a, b in pairs()]


def by_hand(a: Side, b: Side, host: ModelHost | None) -> tuple[str, Tier]:
    def claim(side: Side, id: str) -> Claim:
        title, date, text = side
        return read_claims(text, id, title=title, date=date or None)

    (judged,) = judge_pairs([(claim(a, "a"), claim(b, "b"))], host)
    return (judged.label, judged.tier) if judged.tier != "clean" else ("", "clean")


def in_a_vault(a: Side, b: Side, folder: Path, host: ModelHost | None) -> tuple[str, Tier]:
    for name, (title, date, text) in (("a", a), ("b", b)):
        (folder / name).mkdir()
        front = f"---\ndate: {date}\n---\n" if date else ""
        (folder / name / f"{title}.md").write_text(f"{front}{text}\n", encoding="utf-8")
    with Store.open(":memory:") as store:
        models = Models(JudgeStage(host, store)) if host is not None else Models()
        Pipeline(folder, store, vault_settings(folder), models=models).run()
        found = store.conflicts.open()
    worst = max(found, key=lambda one: TIER_WEIGHT[one.tier], default=None)
    return (LABELS[worst.kind], worst.tier) if worst is not None else ("", "clean")


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_by_the_rules(a: Side, b: Side, tmp_path: Path) -> None:
    assert in_a_vault(a, b, tmp_path, None) == by_hand(a, b, None)


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModelHost]:
    with ModelHost(Setup(cache=str(tmp_path_factory.mktemp("models")), threads=1)) as host:
        yield host


@needs_embedder
@needs_judge
@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_with_the_judge(a: Side, b: Side, tmp_path: Path, host: ModelHost) -> None:
    assert in_a_vault(a, b, tmp_path, host) == by_hand(a, b, host)
