"""Folders, notes and stores that may not be read or written. Root may do everything, so as root these
commands run as nobody."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from app import places
from app.store.store import Store
from tests.robust.building import DISPUTED, DISPUTED_MEMBERS, PROJECT, Answer, open_sets, write

NOBODY = 65534

# Everything is imported and tried once before the rights go: the interpreter's own files may be root's alone.
SCRIPT = """
import contextlib, io, os, sys
from app.cli.main import entry, main
with contextlib.redirect_stdout(io.StringIO()):
    main(["check", sys.argv[1], "--models", "rules"])
    main(["doctor", sys.argv[1]])
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid({nobody})
    os.setuid({nobody})
sys.argv = ["belie", *sys.argv[2:]]
entry()
"""


@pytest.fixture
def place(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder another user can reach; pytest's own are private."""
    folder = Path(tempfile.mkdtemp(prefix="belie-rights-"))
    folder.chmod(0o755)
    (folder / "home").mkdir()
    give(folder / "home")
    monkeypatch.setenv("BELIE_HOME", str(folder / "home"))
    yield folder
    for path in [folder, *folder.rglob("*")]:
        with contextlib.suppress(OSError):
            path.chmod(0o755)
    shutil.rmtree(folder)


@pytest.fixture
def vault(place: Path) -> Path:
    return write(place / "vault", {**DISPUTED, "Private/Safe.md": "The safe is red.\n"})


def give(path: Path) -> None:
    if os.geteuid() == 0:
        for each in [path, *path.rglob("*")]:
            os.chown(each, NOBODY, NOBODY)


@contextlib.contextmanager
def closed(path: Path, mode: int = 0) -> Iterator[None]:
    before = path.stat().st_mode
    path.chmod(mode)
    try:
        yield
    finally:
        path.chmod(before)


def belie(*arguments: str | Path) -> Answer:
    with tempfile.TemporaryDirectory() as warm:
        write(Path(warm), {**DISPUTED, "Front.md": "---\na: b\n---\n| a | b |\n|---|---|\n| c | 4 kg |\n"})
        done = subprocess.run(
            [sys.executable, "-P", "-c", SCRIPT.format(nobody=NOBODY), warm, *map(str, arguments)],
            env={**os.environ, "PYTHONPATH": str(PROJECT), "PYTHONDONTWRITEBYTECODE": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
    assert "Traceback" not in done.stderr, done.stderr
    return Answer(done.returncode, done.stdout, done.stderr)


def test_a_vault_that_may_not_be_read(vault: Path) -> None:
    with closed(vault):
        for command in ("check", "doctor"):
            answer = belie(command, vault)
            assert (answer.code, answer.out) == (2, "")
            assert "permission denied" in answer.err


def test_a_vault_below_a_closed_folder(place: Path, vault: Path) -> None:
    with closed(place, 0o600):
        answer = belie("check", vault, "--models", "rules")
    assert (answer.code, answer.out) == (2, "")
    assert "ermission denied" in answer.err


@pytest.mark.parametrize("what", ["Private", "Private/Safe.md"])
def test_what_may_not_be_read_is_told_and_the_rest_is_checked(vault: Path, what: str) -> None:
    with closed(vault / what):
        answer = belie("check", vault, "--json")
        assert (answer.code, answer.err) == (1, "")
        assert {m["path"] for c in answer.json["conflicts"] for m in c["members"]} == set(DISPUTED)
        assert answer.json["stats"]["unreadable"] == 1
        assert "1 could not be read" in belie("check", vault).out
        doctor = belie("doctor", vault, "--json").json
    told = doctor["unreadable"] + [
        {"path": row["path"], "reason": row["problem"]} for row in doctor["store"]["notes_with_problems"]
    ]
    assert [(row["path"], row["reason"].lower()) for row in told] == [(what, "permission denied")]


@pytest.mark.parametrize("what", ["Garage.md", "."])
def test_closing_what_was_read_takes_nothing_back(place: Path, vault: Path, what: str) -> None:
    write(vault, {"Inner/Garage.md": DISPUTED["Garage.md"]})
    (vault / "Garage.md").unlink()
    assert belie("check", vault).code == 1
    with closed(vault / "Inner" / what):
        assert belie("check", vault).code == 1
    with Store.open(places.store_path(vault)) as store:
        assert {claim.status for claim in store.claims.all()} == {"active"}
        assert len(open_sets(store)) == 1
        assert store.verify() == []


def test_a_vault_that_may_not_be_written_is_read_all_the_same(vault: Path) -> None:
    with closed(vault, 0o555):
        assert belie("check", vault).code == 1


def test_a_state_folder_that_may_not_be_written(place: Path, vault: Path) -> None:
    with closed(place / "home", 0o555):
        answer = belie("check", vault)
        assert (answer.code, answer.out) == (2, "")
        assert "cannot be written" in answer.err
        assert belie("check", vault, "--store", ":memory:").code == 1
        assert belie("check", vault, "--models", "rules").code == 1
        assert belie("doctor", vault).code == 0
        assert belie("health", "--vault", vault).code == 0
        assert belie(vault).code == 2


def test_a_store_that_may_not_be_written(place: Path, vault: Path) -> None:
    for path in vault.rglob("*.md"):
        os.utime(path, ns=(10**18, 10**18))
    assert belie("check", vault).code == 1
    store = places.store_path(vault)
    with closed(store, 0o444), closed(store.parent, 0o555):
        assert belie("health", "--vault", vault, "--json").json["open_conflicts_count"] == 1
        assert belie("doctor", vault, "--json").json["store"]["read_only"] is True
        # Nothing changed, so there is nothing to write.
        assert belie("check", vault).code == 1
        write(vault, {"House.md": "The garage door code is 4411.\n"})
        answer = belie("check", vault)
        assert answer.code == 0 and "what was found is not kept" in answer.err
        assert belie("health", "--vault", vault, "--json").json["open_conflicts_count"] == 1
    assert belie("check", vault).code == 0


def test_a_store_that_may_not_be_read(vault: Path) -> None:
    assert belie("check", vault).code == 1
    with closed(places.store_path(vault)):
        answer = belie("check", vault)
        assert (answer.code, answer.out) == (2, "")
        assert str(places.store_path(vault)) in answer.err
        assert belie("doctor", vault).code == 1
    with Store.open(places.store_path(vault)) as store:
        assert open_sets(store) == {DISPUTED_MEMBERS}


def test_a_configuration_that_may_not_be_read(place: Path, vault: Path) -> None:
    write(place / "home", {"config/config.yaml": "ignore: [House.md]\n"})
    with closed(place / "home" / "config" / "config.yaml"):
        assert belie("check", vault).code == 1
        (problem,) = belie("doctor", vault, "--json").json["config"]["problems"]
    assert "cannot be read" in problem
