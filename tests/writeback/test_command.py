"""`belie writeback`: the diff first, nothing without a yes, and the way back."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest

from app import places
from app.store.store import Store
from tests.cli.running import Run, runner
from tests.robust.building import DISPUTED, contents, write

MARKED = "The garage door code is 4411. ⟶ superseded by [[House#Doors|House]]\n"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(monkeypatch, capsys)


@pytest.fixture
def vault(tmp_path: Path, run: Run) -> Path:
    root = write(tmp_path / "vault", DISPUTED)
    run("check", root)
    return root


@pytest.fixture
def conflict(vault: Path) -> str:
    with Store.open(places.store_path(vault)) as store:
        (found,) = store.conflicts.open()
        winner = next(c.id for c in store.claims.active() if c.statement.path == "House.md")
        store.conflicts.keep(found.id, winner)
    return found.id


def test_a_dry_run_shows_the_diff_and_writes_nothing(run: Run, vault: Path, conflict: str) -> None:
    before = contents(vault)
    answer = run("writeback", conflict, "--vault", vault, "--dry-run")
    assert (answer.code, answer.err) == (0, "")
    assert "-The garage door code is 4411.\n" in answer.out
    assert f"+{MARKED}" in answer.out
    assert contents(vault) == before


def test_yes_writes_and_undo_takes_back(run: Run, vault: Path, conflict: str) -> None:
    answer = run("writeback", conflict, "--vault", vault, "--yes")
    assert answer.code == 0
    assert (vault / "Garage.md").read_text() == MARKED
    with Store.open(places.store_path(vault)) as store:
        assert [c.statement.struck for c in store.claims.with_status("superseded")] == [True]
    found = re.search(r"--undo (\d+)", answer.out)
    assert found is not None
    back = run("writeback", "--undo", found.group(1), "--vault", vault)
    assert (back.code, back.out) == (0, "Garage.md is as it was before.\n")
    assert (vault / "Garage.md").read_text() == DISPUTED["Garage.md"]
    assert run("writeback", "--undo", found.group(1), "--vault", vault).code == 2
    assert not any(places.state_dir().joinpath("backups").is_relative_to(p) for p in [vault])


@pytest.mark.parametrize("style", ["strike", "replace", "frontmatter"])
def test_every_style(run: Run, vault: Path, conflict: str, style: str) -> None:
    assert run("writeback", conflict, "--vault", vault, "--yes", "--style", style).code == 0
    assert (vault / "Garage.md").read_text() == {
        "strike": "~~The garage door code is 4411.~~\n",
        "replace": "The garage door code is 0087.\n",
        "frontmatter": '---\nsuperseded_by: "[[House#Doors|House]]"\n---\nThe garage door code is 4411.\n',
    }[style]


def test_without_a_terminal_nothing_is_written_unasked(run: Run, vault: Path, conflict: str) -> None:
    before = contents(vault)
    answer = run("writeback", conflict, "--vault", vault)
    assert answer.code == 2
    assert "--yes" in answer.err and "+The garage" in answer.out
    assert contents(vault) == before


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("answer", "written"), [("y", True), ("n", False), ("", False)])
def test_on_a_terminal_it_asks(
    run: Run, vault: Path, conflict: str, monkeypatch: pytest.MonkeyPatch, answer: str, written: bool
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(f"{answer}\n"))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    assert run("writeback", conflict, "--vault", vault).code == 0
    assert ("⟶" in (vault / "Garage.md").read_text()) is written


def test_several_notes_are_listed_first(run: Run, tmp_path: Path) -> None:
    root = write(
        tmp_path / "three",
        {**DISPUTED, "Third.md": "# Old\n\nThe garage door code is 5522.\n"},
    )
    run("check", root)
    with Store.open(places.store_path(root)) as store:
        (found,) = store.conflicts.open()
        store.conflicts.keep(
            found.id, next(c.id for c in store.claims.active() if c.statement.path == "House.md")
        )
    answer = run("writeback", found.id, "--vault", root, "--dry-run")
    assert answer.out.splitlines()[:3] == ["2 notes:", "  Garage.md:1", "  Third.md:3"]
    assert answer.out.count("@@ -") == 2


@pytest.mark.parametrize(
    "arguments", [("c-nowhere",), ("--undo", "99999"), ("--undo", "x"), (), ("c-1", "--style", "x")]
)
def test_what_cannot_be_meant(run: Run, vault: Path, arguments: tuple[str, ...]) -> None:
    answer = run("writeback", *arguments, "--vault", vault)
    assert answer.code == 2 and answer.err.strip()


def test_an_open_conflict_has_no_winner(run: Run, vault: Path) -> None:
    with Store.open(places.store_path(vault)) as store:
        (found,) = store.conflicts.open()
    answer = run("writeback", found.id, "--vault", vault, "--yes")
    assert answer.code == 2 and "keep one first" in answer.err


def test_undo_by_its_number_takes_the_edit_back_too(run: Run, vault: Path, conflict: str) -> None:
    run("writeback", conflict, "--vault", vault, "--yes")
    with Store.open(places.store_path(vault)) as store:
        seq = next(event.seq for event in store.ledger.events() if event.action == "written")
    done = run("undo", str(seq), "--vault", vault, "--json").json
    assert done == {"undone": seq, "action": "written", "note": "Garage.md"}
    assert (vault / "Garage.md").read_text() == DISPUTED["Garage.md"]
    assert "already" in run("undo", str(seq), "--vault", vault).err
