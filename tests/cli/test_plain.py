"""`belie --plain`: the queue in lines and typed answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app import places
from app.cli.plain import run_plain
from app.store.store import Store
from tests.cli.running import Run
from tests.robust.building import write


def work(vault: Path, *answers: str) -> tuple[int, list[str]]:
    """Type these answers; after them, the end of input."""
    said: list[str] = []
    given: Iterator[str] = iter(answers)
    code = run_plain(str(vault), lambda: next(given, None), said.append)
    return code, said


def statuses(vault: Path) -> list[str]:
    with Store.open(places.store_path(vault), read_only=True) as store:
        return [conflict.status for conflict in store.conflicts.all()]


@pytest.mark.parametrize(
    ("answer", "status", "code"),
    [
        ("1", "resolved", 0),
        ("2", "resolved", 0),
        ("b", "dismissed", 0),
        ("x", "dismissed", 0),
        ("Z", "open", 0),
    ],
)
def test_one_answer_settles_one_conflict(vault: Path, answer: str, status: str, code: int) -> None:
    ended, said = work(vault, answer)
    assert (ended, statuses(vault)) == (code, [status])
    assert said[-1] == "Nothing is left to settle."


def test_a_decision_is_taken_back(vault: Path) -> None:
    work(vault, "x")
    (vault / "More.md").write_text("The well is 12 metres deep.\n")
    (vault / "Even more.md").write_text("The well is 14 metres deep.\n")
    code, said = work(vault, "u")
    assert code == 1
    assert "Undone." in said
    assert statuses(vault).count("open") == 2


def test_what_is_no_answer_is_said_and_nothing_happens(vault: Path) -> None:
    code, said = work(vault, "9", "keep", "?", "", "q")
    assert (code, statuses(vault)) == (1, ["open"])
    assert said.count("That is no answer here. A question mark lists them.") == 2


def test_skipping_leaves_it_open(vault: Path) -> None:
    code, said = work(vault, "s")
    assert (code, statuses(vault)) == (1, ["open"])
    assert said[-1] == "1 open conflict left."


def test_every_line_is_plain_text_that_stands_for_itself(vault: Path) -> None:
    (vault / "Loud.md").write_text("The \x1b[31mgate\x1b[0m code is 1.\n\nThe gate code is 2.\n")
    _, said = work(vault)
    for line in said:
        assert not [c for c in line if ord(c) < 32 or 0x2500 <= ord(c) < 0x25A0]
    assert any(line.startswith("1: ") for line in said)
    assert any("line " in line for line in said)


def test_a_coherent_vault_needs_no_answer(coherent: Path) -> None:
    assert work(coherent)[0] == 0


def test_the_command_reads_answers_from_its_input(
    run: Run, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = iter(["1"])
    monkeypatch.setattr("builtins.input", lambda _: next(typed))
    answer = run("--plain", vault)
    assert (answer.code, answer.err) == (0, "")
    assert "Kept: " in answer.out


@pytest.mark.parametrize("models", ["rules", "embedded"])
def test_the_conflicts_are_those_that_check_reports(
    models: str, run: Run, vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rules see the two door codes; of the allergy only the judge is sure."""
    allergy = {
        "Finlay.md": "Finlay is allergic to penicillin.\n",
        "Log.md": "Finlay has no drug allergies.\n",
    }
    write(vault, allergy)
    monkeypatch.setenv("BELIE_MODELS", models)
    monkeypatch.setenv("BELIE_HOME", str(tmp_path / "check"))
    reported = run("check", vault, "--json").json["conflicts"]
    assert len(reported) == (1 if models == "rules" else 2)
    monkeypatch.setenv("BELIE_HOME", str(tmp_path / "plain"))
    code, said = work(vault)
    assert code == 1
    assert said[1].endswith(f", {len(reported)} open conflict{'' if len(reported) == 1 else 's'}.")
    with Store.open(places.store_path(vault), read_only=True) as store:
        assert [conflict.id for conflict in store.conflicts.open()] == [one["id"] for one in reported]
