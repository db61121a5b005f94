"""`belie mirror`: outside the vault unless asked, the same every time, and no note to the reader."""

from __future__ import annotations

from pathlib import Path

import pytest

from app import places
from app.store.store import Store
from tests.cli.running import Run, runner
from tests.robust.building import DISPUTED, contents, write


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(monkeypatch, capsys)


@pytest.fixture
def vault(tmp_path: Path, run: Run) -> Path:
    root = write(
        tmp_path / "vault",
        {**DISPUTED, "Boat.md": "---\nproject: boat\n---\nThe boat is moored at the north quay.\n"},
    )
    run("check", root)
    return root


def test_it_writes_outside_the_vault_and_only_once(run: Run, vault: Path) -> None:
    before = contents(vault)
    answer = run("mirror", "--vault", vault)
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.splitlines()[1] == "3 written, 0 unchanged, 0 removed"
    folder = places.state_dir() / "mirror" / places.store_path(vault).stem
    assert {path.name for path in folder.iterdir()} == {"index.md", "boat.md", "Notes in no folder.md"}
    page = (folder / "Notes in no folder.md").read_text()
    assert page.count("⚠ disputed, c-") == 2
    assert f"{vault.as_uri()}/Garage.md" in page
    assert run("mirror", "--vault", vault).out.splitlines()[1] == "0 written, 3 unchanged, 0 removed"
    assert contents(vault) == before


def test_what_lost_is_left_out(run: Run, vault: Path) -> None:
    with Store.open(places.store_path(vault)) as store:
        (conflict,) = store.conflicts.open()
        store.conflicts.keep(
            conflict.id, next(c.id for c in store.claims.active() if c.statement.path == "House.md")
        )
    run("mirror", "--vault", vault)
    page = (
        places.state_dir() / "mirror" / places.store_path(vault).stem / "Notes in no folder.md"
    ).read_text()
    assert "0087" in page and "4411" not in page and "⚠" not in page


def test_a_snoozed_conflict_is_disputed_all_the_same(run: Run, vault: Path) -> None:
    with Store.open(places.store_path(vault)) as store:
        (conflict,) = store.conflicts.open()
        store.conflicts.snooze(conflict.id, "2999-01-01")
    run("mirror", "--vault", vault)
    page = (
        places.state_dir() / "mirror" / places.store_path(vault).stem / "Notes in no folder.md"
    ).read_text()
    assert page.count("⚠") == 2


def test_inside_the_vault_on_request_and_then_ignored(run: Run, vault: Path) -> None:
    report = run("check", vault, "--json").json
    assert run("mirror", "--vault", vault, "--out", vault / "mirror").code == 0
    assert "(../Garage.md)" in (vault / "mirror" / "Notes in no folder.md").read_text()
    again = run("check", vault, "--json").json
    assert again["conflicts"] == report["conflicts"]
    assert again["stats"]["claims"] == report["stats"]["claims"]
    assert run("mirror", "--vault", vault, "--out", vault / "mirror").out.endswith("3 unchanged, 0 removed\n")


def test_a_vault_that_was_never_read_is_read_first(run: Run, tmp_path: Path) -> None:
    root = write(tmp_path / "new", DISPUTED)
    assert run("mirror", "--vault", root, "--out", tmp_path / "out").code == 0
    assert "⚠" in (tmp_path / "out" / "Notes in no folder.md").read_text()


def test_an_empty_vault_has_an_index_that_says_so(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert run("mirror", "--vault", tmp_path / "empty", "--out", tmp_path / "out").code == 0
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["index.md"]
    assert "Nothing" in (tmp_path / "out" / "index.md").read_text()


def test_a_note_in_the_way_is_left_alone(run: Run, vault: Path, tmp_path: Path) -> None:
    write(tmp_path / "out", {"index.md": "My own.\n"})
    answer = run("mirror", "--vault", vault, "--out", tmp_path / "out")
    assert answer.code == 2 and "choose another folder" in answer.err
    assert (tmp_path / "out" / "index.md").read_text() == "My own.\n"
