"""Which rule holds for a conflict, and what the configuration may say."""

from __future__ import annotations

from pathlib import Path

import pytest

from app import settings
from app.strategies.rules import MANUAL, Rule, parse, rule_for

JOURNAL = Rule("last_write_wins", "Journal/**")
FARM = Rule("highest_trust", "Farm")
ALL = Rule("highest_trust")


@pytest.mark.parametrize(
    ("paths", "rule"),
    [
        (["Journal/a.md", "Journal/2026/b.md"], JOURNAL),
        (["Farm/a.md", "Farm/Log/b.md"], FARM),
        (["Farm.md"], MANUAL),
        (["Farmhouse/a.md"], MANUAL),
    ],
)
def test_a_folder_holds_for_what_lies_in_it(paths: list[str], rule: Rule) -> None:
    assert rule_for([JOURNAL, FARM], paths) == rule


def test_a_member_outside_the_folder_is_another_matter() -> None:
    paths = ["Journal/a.md", "Farm/b.md"]
    assert rule_for([JOURNAL, FARM], paths) == MANUAL
    assert rule_for([JOURNAL, FARM, ALL], paths) == ALL


def test_the_first_that_fits_is_the_one() -> None:
    assert rule_for([ALL, JOURNAL], ["Journal/a.md"]) == ALL


def test_everything_a_rule_can_say() -> None:
    problems: list[str] = []
    given = [
        {"folder": "Journal/**", "use": "last_write_wins", "apply": True},
        {"folder": "Farm", "resolver": "mine.py:farm", "seconds": 2, "options": {"mode": "strict"}},
        {"use": "manual", "callback": "mine.py:ask"},
    ]
    assert parse(given, problems) == (
        Rule("last_write_wins", "Journal/**", True),
        Rule("custom", "Farm", False, "mine.py:farm", 2.0, {"mode": "strict"}),
        Rule("manual", None, False, "mine.py:ask"),
    )
    assert problems == []


@pytest.mark.parametrize(
    "entry",
    [
        "last_write_wins",
        {"use": "random"},
        {"use": ["manual"]},
        {"use": "custom"},
        {"use": "highest_trust", "resolver": "a.py:f"},
        {"use": "custom", "resolver": "a.py"},
        {"use": "custom", "resolver": "a:f"},
        {"use": "custom", "resolver": 3},
        {"use": "last_write_wins", "callback": "a.py:f"},
        {"use": "manual", "apply": True},
        {"use": "last_write_wins", "apply": "yes"},
        {"use": "last_write_wins", "seconds": 0},
        {"use": "last_write_wins", "seconds": float("nan")},
        {"use": "last_write_wins", "seconds": True},
        {"use": "last_write_wins", "aply": True},
    ],
)
def test_a_rule_that_cannot_be_used_is_left_out_and_named(entry: object) -> None:
    problems: list[str] = []
    assert parse([entry, {"use": "highest_trust"}], problems) == (ALL,)
    assert len(problems) == 1 and "rule 1" in problems[0]


def test_a_vault_s_own_rules_come_before_the_common_ones(tmp_path: Path) -> None:
    vault = tmp_path / "notes"
    vault.mkdir()
    file = tmp_path / "config.yaml"
    file.write_text(
        f"strategies:\n  - use: highest_trust\nvaults:\n  {vault}:\n    strategies:\n"
        "      - {folder: Journal/**, use: last_write_wins, options: {since: 2026-01-01}}\n",
        encoding="utf-8",
    )
    found = settings.load(file)
    assert found.problems == ()
    own = Rule("last_write_wins", "Journal/**", options={"since": "2026-01-01"})
    assert found.rules(vault) == (own, ALL)
    assert found.rules(tmp_path) == (ALL,)
