"""What Belie leaves on a machine and says to a terminal: private files, no leftovers, nothing that acts."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from app import places
from app.plain import safe_json
from app.private_files import make_private, write_private
from app.store.store import Store
from tests.cli.running import Run, runner
from tests.robust.building import DISPUTED, pipeline, write

ACTING = "\x1b[2J\x9b31m\u202eevil\u2066\x7f\u200f\U000e0041"
_ACTS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(monkeypatch, capsys)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return write(tmp_path / "vault", {**DISPUTED, f"Bad {ACTING[9:14]}.md": f"The {ACTING} boat is green.\n"})


@pytest.fixture(params=[0o000, 0o077, 0o777], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


@pytest.mark.parametrize(
    "command",
    [
        ("check", "--json"),
        ("story", "--json"),
        ("story",),
        ("export",),
        ("export", "--csv"),
        ("conflicts", "--json"),
        ("doctor", "--json"),
    ],
    ids=" ".join,
)
def test_no_command_prints_what_acts_on_a_terminal(run: Run, vault: Path, command: tuple[str, ...]) -> None:
    name, *options = command
    where = (vault,) if name in ("check", "doctor") else ("--vault", vault)
    run("check", vault)
    done = run(name, *where, *options)
    assert "boat" in done.out or name in ("check", "conflicts", "doctor", "export")
    assert _ACTS.findall(done.out) == []


def test_escaped_json_says_the_same() -> None:
    value = {"a": [ACTING, "plain\nlines"]}
    text = safe_json(json.dumps(value, ensure_ascii=False, indent=1))
    assert json.loads(text) == value
    assert _ACTS.findall(text) == []


@pytest.mark.usefixtures("umask")
def test_files_and_folders_are_private_whatever_the_umask(tmp_path: Path) -> None:
    write_private(tmp_path / "a" / "b" / "file", b"text")
    make_private(tmp_path / "c" / "d")
    with Store.open(tmp_path / "e" / "f" / "store.db"):
        modes = {
            path.relative_to(tmp_path).as_posix(): path.stat().st_mode & 0o777 for path in tmp_path.rglob("*")
        }
    assert {mode for path, mode in modes.items() if (tmp_path / path).is_dir()} == {0o700}
    assert {mode for path, mode in modes.items() if (tmp_path / path).is_file()} == {0o600}


@pytest.mark.usefixtures("umask")
def test_all_that_a_command_leaves_is_private(run: Run, vault: Path) -> None:
    assert run("check", vault).code == 1
    assert run("mirror", "--vault", vault).code == 0
    left = list(places.state_dir().rglob("*"))
    assert left
    assert {oct(path.stat().st_mode & 0o777) for path in left} <= {"0o600", "0o700"}


def test_what_an_interrupted_write_left_goes_at_the_next_look(tmp_path: Path) -> None:
    root = write(tmp_path / "vault", {**DISPUTED, "Deep/Note.md": "The mast is white.\n"})
    left = [root / ".belie-0123456789abcdef.tmp", root / "Deep" / ".belie-fedcba9876543210.tmp"]
    kept = [root / ".belie-notes", root / "Deep" / ".other.tmp"]
    for path in (*left, *kept):
        path.write_text("half")
    with Store.open(tmp_path / "store.db") as store:
        pipeline(root, store).run()
    assert [path.exists() for path in (*left, *kept)] == [False, False, True, True]


def test_what_the_copy_of_a_decision_left_goes_when_the_store_is_next_opened(tmp_path: Path) -> None:
    path, left = tmp_path / "store.db", tmp_path / ".belie-0123456789abcdef.tmp"
    with Store.open(path):
        left.write_text("half")
    with Store.open(path, read_only=True):
        assert left.exists()
    with Store.open(path):
        assert not left.exists()


def test_the_mirror_follows_no_link_out_of_the_vault(run: Run, vault: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (vault / "Pages").symlink_to(outside)
    done = run("mirror", "--vault", vault, "--out", vault / "Pages" / "deep")
    assert done.code == 2 and "link out of the vault" in done.err
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize(
    "wrong", ["1970-01-01T00:00:00+00:00", "2039-01-01T00:00:00+00:00"], ids=["behind", "ahead"]
)
def test_a_clock_that_was_wrong_for_a_while_does_not_change_what_was_known(
    tmp_path: Path, wrong: str
) -> None:
    now = ["2026-01-01T00:00:00+00:00"]
    with Store.open(tmp_path / "store.db", clock=lambda: now[0]) as store:
        seqs = []
        for at in ("2026-01-01", "2026-02-01", wrong[:10], "2026-03-01", "2026-04-01"):
            now[0] = f"{at}T00:00:00+00:00"
            seqs.append(store.ledger.record("said", "note.md", {}))
        assert store.ledger.last_until("1980-01-01T00:00:00+00:00") == 0
        assert store.ledger.last_until("2026-01-15T00:00:00+00:00") == seqs[0]
        assert store.ledger.last_until("2026-02-15T00:00:00+00:00") == seqs[2]
        assert store.ledger.last_until("2026-03-15T00:00:00+00:00") == seqs[3]
        assert store.ledger.last_until("2050-01-01T00:00:00+00:00") == seqs[4]
