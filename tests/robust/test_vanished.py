"""A vault that goes away, in part or whole, takes nothing back by itself, and is whole when it returns."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.store.store import Store
from tests.cli.running import Run, runner
from tests.robust.building import DISPUTED, DISPUTED_MEMBERS, open_sets, pipeline, write

NOTES = {f"Note {n}.md": f"Boat {n} is moored at quay {n}.\n" for n in range(20)}


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(monkeypatch, capsys)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "vault", {**DISPUTED, **NOTES})


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store.db") as one:
        yield one


def _statuses(store: Store) -> set[str]:
    return {claim.status for claim in store.claims.all()}


def test_notes_are_readable_again_when_the_vault_returns(root: Path, store: Store) -> None:
    line = pipeline(root, store)
    line.run()
    away = root.rename(root.with_name("away"))
    line.run()
    assert len(store.notes.problems()) == len(DISPUTED) + len(NOTES)
    away.rename(root)
    line.run()
    assert store.notes.problems() == []
    assert store.notes.unreadable() == set()
    assert _statuses(store) == {"active"}


def test_a_stray_note_in_an_empty_mount_point_retracts_nothing(root: Path, store: Store) -> None:
    line = pipeline(root, store)
    line.run()
    away = root.rename(root.with_name("away"))
    write(root, {"Stray.md": "The lamp is lit.\n"})
    done = line.run()
    assert len(done.held_back) == len(DISPUTED) + len(NOTES)
    assert _statuses(store) == {"active"}
    assert open_sets(store) == {DISPUTED_MEMBERS}
    shutil.rmtree(root)
    away.rename(root)
    line.run()
    assert store.notes.problems() == []
    assert open_sets(store) == {DISPUTED_MEMBERS}


def test_most_of_a_vault_going_at_once_asks_first(run: Run, root: Path) -> None:
    assert run("check", root).code == 1
    for name in NOTES:
        (root / name).unlink()
    asked = run("check", root)
    assert "20 notes are gone at once" in asked.err and "--accept-deletions" in asked.err
    assert run("doctor", root, "--json").json["store"]["notes_with_problems"][0]["problem"].startswith("gone")
    accepted = run("check", root, "--accept-deletions", "--json")
    assert accepted.json["stats"]["notes"] == len(DISPUTED)
    assert run("check", root).err == ""


def test_a_few_notes_go_without_a_question(root: Path, store: Store) -> None:
    line = pipeline(root, store)
    line.run()
    for n in range(9):
        (root / f"Note {n}.md").unlink()
    assert line.run().held_back == ()
    assert _statuses(store) == {"active", "retracted"}
