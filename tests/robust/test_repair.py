"""A store that is lost or damaged is never taken for a new one, and comes back with what was decided."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from app import places
from app.store.decision_copy import copy_path, read_copy
from app.store.errors import StoreLost
from app.store.store import Store
from tests.cli.running import Run, runner
from tests.robust.building import DISPUTED, write


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(monkeypatch, capsys)


@pytest.fixture
def vault(run: Run, tmp_path: Path) -> Path:
    """With one conflict dismissed."""
    root = write(tmp_path / "vault", DISPUTED)
    (conflict,) = run("conflicts", "--vault", root, "--json").json["conflicts"]
    assert run("conflicts", "dismiss", conflict["id"], "--reason", "two doors", "--vault", root).code == 0
    return root


@pytest.fixture
def path(vault: Path) -> Path:
    return places.store_path(vault)


def _without_side_files(path: Path) -> None:
    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)


def _deleted(path: Path) -> None:
    _without_side_files(path)
    path.unlink()


def _emptied(path: Path) -> None:
    _without_side_files(path)
    path.write_bytes(b"")


def _truncated(path: Path) -> None:
    _without_side_files(path)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])


def _overwritten(path: Path) -> None:
    _without_side_files(path)
    path.write_bytes(b"x" * 50_000)


def _replaced(path: Path) -> None:
    _deleted(path)
    with Store.open(path, anew=True) as other:
        other.progress.mark_swept("2026-01-01T00:00:00+00:00")


LOSSES = pytest.mark.parametrize("lose", [_deleted, _emptied, _truncated, _overwritten, _replaced])


@LOSSES
def test_it_is_not_taken_for_a_new_one(
    lose: Callable[[Path], None], run: Run, vault: Path, path: Path
) -> None:
    lose(path)
    if lose is not _truncated:  # half a file may still open; what is read of it says that it is damaged
        with pytest.raises(StoreLost, match="This vault was known: 1 decision stands"):
            Store.open(path)
    answer = run("doctor", vault, "--json")
    assert answer.code == 1 and answer.json["store"]["problems"]
    assert run("check", vault).code == 2


@LOSSES
def test_repair_brings_the_decisions_back(
    lose: Callable[[Path], None], run: Run, vault: Path, path: Path
) -> None:
    lose(path)
    answer = run("repair", vault, "--json").json
    assert (answer["repaired"], answer["saved"], answer["lost"]) == (True, 1, [])
    assert (answer["damaged"] is None) == (lose is _deleted)
    assert run("check", vault).code == 0
    (settled,) = run("conflicts", "--status", "dismissed", "--vault", vault, "--json").json["conflicts"]
    assert run("doctor", vault).code == 0
    told = run("conflicts", "show", settled["id"], "--vault", vault).out
    assert "two doors" in told
    assert run("repair", vault, "--json").json["repaired"] is False


def test_what_cannot_be_decided_again_is_told(run: Run, vault: Path, path: Path) -> None:
    (vault / "Garage.md").write_text("The garage has no door.\n")
    _deleted(path)
    done = run("repair", vault)
    assert done.code == 1 and "Not saved: dismissed" in done.out


def test_a_vault_about_which_nothing_was_decided_is_simply_read_again(run: Run, tmp_path: Path) -> None:
    root = write(tmp_path / "other", DISPUTED)
    assert run("check", root).code == 1
    _deleted(places.store_path(root))
    assert run("check", root).code == 1


def test_the_copy_follows_each_decision_and_is_private(run: Run, vault: Path, path: Path) -> None:
    copy = read_copy(path)
    assert copy is not None
    assert [(one.action, one.why) for one in copy.decisions] == [("dismissed", "two doors")]
    assert copy_path(path).stat().st_mode & 0o777 == 0o600
    assert run("undo", "--vault", vault).code == 0
    copy = read_copy(path)
    assert copy is not None and copy.decisions == ()


def test_a_damaged_copy_gives_way_to_an_earlier_one(vault: Path, path: Path) -> None:
    place = copy_path(path)
    whole = place.read_text()
    place.with_name(f"{place.name}.1").write_text(whole)
    place.write_text(whole.replace("two doors", "one door"))
    copy = read_copy(path)
    assert copy is not None and copy.decisions[0].why == "two doors"
    place.with_name(f"{place.name}.1").write_text(json.dumps({"decisions": []}))
    assert read_copy(path) is None


def test_a_redaction_leaves_no_copy_that_says_it(run: Run, vault: Path, path: Path) -> None:
    place = copy_path(path)
    place.with_name(f"{place.name}.1").write_text(place.read_text())
    told = run("story", "--vault", vault, "--json").json["claims"]
    (secret,) = [row["claim"] for row in told if "4411" in row["text"]]
    assert run("redact", secret, "--reason", "a secret", "--vault", vault).code == 0
    for file in path.parent.iterdir():
        assert b"4411" not in file.read_bytes(), file


def test_one_that_was_stopped_halfway_leaves_none_once_the_store_is_opened(vault: Path, path: Path) -> None:
    place = copy_path(path)
    place.with_name(f"{place.name}.1").write_text(place.read_text())

    def stop(forgets: bool) -> None:
        raise KeyboardInterrupt

    with Store.open(path) as store:
        (secret,) = [claim.id for claim in store.claims.all() if "4411" in claim.statement.text]
        store.connection.after_decision = stop
        with pytest.raises(KeyboardInterrupt):
            store.claims.redact(secret, "a secret")
    assert b"4411" in place.read_bytes()
    Store.open(path).close()
    for file in path.parent.iterdir():
        assert b"4411" not in file.read_bytes(), file
