"""The table of the sample vault is true to its notes and misses no variety of the design."""

from __future__ import annotations

from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

HERE = Path(__file__).parent
VAULT = HERE.parents[1] / "sample_vault"
TABLE: dict[str, Any] = yaml.safe_load((HERE / "expected.yaml").read_text(encoding="utf-8"))
CONFLICTS: list[dict[str, Any]] = TABLE["conflicts"]
SILENT: list[dict[str, Any]] = TABLE["silent"]
ENTRIES = CONFLICTS + SILENT

DISAGREEMENTS = {
    "code", "number with unit", "date", "time", "owner", "place", "polarity",
    "modality: must, must not", "modality: never, fine",
    "table row against prose", "inline field against prose", "frontmatter property against prose",
    "three-way", "within one note", "canon against memory",
}  # fmt: skip
LOOK_ALIKES = {
    "progression", "correction", "retirement",
    "scope: environment", "scope: team", "scope: tenant", "scope: person", "scope: place",
    "scope: project", "scope: version", "time windows",
    "same meaning", "coexisting values", "rule plus exception", "whole and part", "more detail",
    "plan", "block quote", "reported opinion", "question", "options", "hypothetical", "example",
    "template", "code block", "series", "two events", "struck through",
    "status: draft", "status: superseded", "status: archived", "archive folder", "sync-conflict copy",
    "quick evolution", "different things", "not in English",
}  # fmt: skip


def line_of(member: dict[str, str]) -> int:
    """The number of the one line that holds the member's quote."""
    lines = (VAULT / member["note"]).read_text(encoding="utf-8").splitlines()
    found = [number for number, line in enumerate(lines, 1) if member["quote"] in line]
    assert len(found) == 1, f"{member['note']}: {member['quote']!r} is on lines {found}"
    return found[0]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["id"])
def test_members_stand_on_one_line_each(entry: dict[str, Any]) -> None:
    places = {(member["note"], line_of(member)) for member in entry["members"]}
    assert len(places) == len(entry["members"]) >= 2
    assert entry["why"].strip()


def test_ids_are_unique() -> None:
    counts = Counter(entry["id"] for entry in ENTRIES)
    assert [entry_id for entry_id, count in counts.items() if count > 1] == []


def test_every_kind_of_conflict_is_there_often_enough() -> None:
    kinds = Counter(conflict["kind"] for conflict in CONFLICTS)
    assert set(kinds) == {"disagreement", "reversal", "stale"}
    assert kinds["disagreement"] >= 10
    assert kinds["reversal"] >= 4
    assert kinds["stale"] >= 4


def test_every_variety_of_disagreement_is_there() -> None:
    shown = {variety for c in CONFLICTS if c["kind"] == "disagreement" for variety in c["shows"]}
    assert shown == DISAGREEMENTS


def test_every_look_alike_of_the_silent_list_is_there() -> None:
    assert {entry["shows"] for entry in SILENT} == LOOK_ALIKES
    assert len(SILENT) >= 25


def test_a_few_conflicts_are_hard_and_most_are_plain() -> None:
    assert 3 <= sum(conflict["hard"] for conflict in CONFLICTS) <= 4


def test_reversals_have_three_stations() -> None:
    short = [c["id"] for c in CONFLICTS if c["kind"] == "reversal" and len(c["members"]) < 3]
    assert short == []


def test_the_vault_has_the_size_of_a_sample() -> None:
    assert 35 <= len(list(VAULT.rglob("*.md"))) <= 45


def test_the_table_names_its_day() -> None:
    assert TABLE["today"] == date(2026, 6, 30)
