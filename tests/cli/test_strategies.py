"""`belie strategies` and `belie trust`, and strategies at work while other commands run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import Run
from tests.robust.building import write

NOTES = {
    "Log/May.md": "---\ndate: 2026-05-01\n---\nThe garage door code is 0087.\n",
    "Log/March.md": "---\ndate: 2026-03-01\n---\nThe garage door code is 4411.\n",
}


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return write(tmp_path / "vault", NOTES)


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BELIE_HOME", str(tmp_path / "home"))
    folder = tmp_path / "home" / "config"
    folder.mkdir(parents=True)
    return folder


def rules(config: Path, text: str, code: str = "") -> None:
    (config / "config.yaml").write_text(f"strategies:\n{text}", encoding="utf-8")
    (config / "mine.py").write_text(code, encoding="utf-8")


def test_proposals_are_listed_and_applied_on_request(run: Run, log: Path, config: Path) -> None:
    rules(config, "  - {folder: Log, use: last_write_wins}\n")
    told = run("strategies", "--vault", log, "--json").json
    assert [(r["folder"], r["use"], r["problem"]) for r in told["rules"]] == [
        ("Log", "last_write_wins", None),
        (None, "manual", None),
    ]
    (row,) = told["conflicts"]
    assert row["why"] == "newest, 2026-05-01"
    assert row["claim"] in run("strategies", "--vault", log).out
    assert run("check", log).code == 1

    assert "1 settled, 0 left to you." in run("strategies", "apply", "--vault", log).out
    assert run("check", log).code == 0
    shown = run("conflicts", "show", row["conflict"], "--vault", log)
    assert "strategy last_write_wins  kept  newest, 2026-05-01" in shown.out


def test_switched_on_they_decide_by_themselves_and_undo_holds(run: Run, log: Path, config: Path) -> None:
    rules(config, "  - {use: last_write_wins, apply: true}\n")
    first = run("check", log)
    assert first.code == 0 and "was settled by a strategy; belie undo" in first.err
    event = first.err.split("belie undo ")[1].split()[0]
    assert run("undo", event, "--vault", log).code == 0
    assert run("check", log).code == 1


def test_a_question_in_memory_decides_nothing(run: Run, log: Path, config: Path) -> None:
    rules(config, "  - {use: last_write_wins, apply: true}\n")
    assert run("check", log, "--now", "2026-06-30").code == 1


def test_a_broken_resolver_is_shown_and_the_person_decides(run: Run, log: Path, config: Path) -> None:
    rules(config, "  - {resolver: 'mine.py:f', apply: true}\n", "def f(c, ctx): return 1 / 0\n")
    first = run("check", log)
    assert first.code == 1 and "mine.py:f: ZeroDivisionError" in first.err
    assert "ZeroDivisionError" in run("strategies", "--vault", log).out
    rules(config, "  - {resolver: 'mine.py:f', apply: true}\n", "import nowhere\n")
    doctor = run("doctor", log)
    assert "ModuleNotFoundError" in doctor.out


def test_naming_a_conflict_that_is_not_open(run: Run, log: Path, config: Path) -> None:
    assert "no open conflict c-00000000" in run("strategies", "apply", "c-00000000", "--vault", log).err


def test_trust_is_shown_and_reset(run: Run, log: Path, config: Path) -> None:
    assert "Nothing is learned yet" in run("trust", "--vault", log).out
    (conflict,) = run("conflicts", "--vault", log, "--json").json["conflicts"]
    run("conflicts", "resolve", conflict["id"], "--winner", "newest", "--vault", log)
    rows = {r["source"]: r for r in run("trust", "--vault", log, "--json").json["trust"]}
    assert rows["note:Log/May.md"]["score"] == 0.6
    assert rows["note:Log/March.md"]["score"] == 0.4
    assert rows["folder:Log"]["score"] == 0.5
    assert rows["note:Log/May.md"]["topics"][0]["topic"] == "garage door code"
    assert "note:Log/May.md" in run("trust", "--vault", log).out

    assert "starts anew, event" in run("trust", "reset", "note:Log/May.md", "--vault", log).out
    left = {r["source"] for r in run("trust", "--vault", log, "--json").json["trust"]}
    assert left == rows.keys() - {"note:Log/May.md"}
    assert run("trust", "reset", "note:Log/May.md", "--vault", log).code == 2
    assert run("doctor", log).code == 0
