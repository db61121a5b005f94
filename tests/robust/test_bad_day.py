"""A full disk and a signal: what is said, what goes on, and the terminal one is left with."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import signal
import sqlite3
import subprocess
import termios
from collections.abc import Sequence
from pathlib import Path

import pytest

from app.store import stored_notes
from app.store.changes import NoteChange
from app.store.errors import DiskFull
from tests.cli.running import Run, runner
from tests.robust.building import COMMAND, DISPUTED, PROJECT, write

_DEADLINE = 120


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(monkeypatch, capsys)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return write(tmp_path / "vault", DISPUTED)


@pytest.fixture
def full_disk(run: Run, vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The vault was read and has changed since; from now on no store takes anything more."""
    assert run("check", vault).code == 1
    write(vault, {"House.md": "The garage door code is 4411.\n"})
    real = stored_notes.apply_notes

    def refuse(sql: sqlite3.Connection, changes: Sequence[NoteChange], at: str, extractor: str) -> None:
        _, _, file = sql.execute("PRAGMA database_list").fetchone()
        if file:
            raise DiskFull("The disk is full.")
        real(sql, changes, at, extractor)

    monkeypatch.setattr(stored_notes, "apply_notes", refuse)


def test_a_check_on_a_full_disk_reports_what_it_finds_and_keeps_nothing(
    run: Run, vault: Path, full_disk: None
) -> None:
    done = run("check", vault)
    assert done.code == 0 and "the disk is full, so what was found is not kept" in done.err


def test_reading_goes_on_with_what_was_last_read(run: Run, vault: Path, full_disk: None) -> None:
    done = run("conflicts", "--vault", vault, "--json")
    assert len(done.json["conflicts"]) == 1
    assert "the disk is full, so this is what was last read" in done.err


def test_a_terminated_workspace_gives_the_terminal_back(vault: Path, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)
    environment = {**os.environ, "PYTHONPATH": str(PROJECT), "BELIE_HOME": str(tmp_path / "home")}
    environment |= {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
    process = subprocess.Popen(
        [*COMMAND, str(vault)], stdin=theirs, stdout=theirs, stderr=theirs, env=environment,
        start_new_session=True,
    )  # fmt: skip
    try:
        said = b""
        while b"open" not in said:  # the status line counts the conflicts
            said += _more(ours)
        process.send_signal(signal.SIGTERM)
        while b"\x1b[?1049l" not in said:
            said += _more(ours)
        while process.poll() is None:
            with contextlib.suppress(AssertionError):
                _more(ours, 1)
        assert process.returncode == 128 + signal.SIGTERM
        assert termios.tcgetattr(theirs)[3] == before[3]
        assert said.rfind(b"\x1b[?25h") > said.rfind(b"\x1b[?25l")
    finally:
        process.kill()
        process.wait()
        os.close(ours)
        os.close(theirs)


def _more(handle: int, deadline: float = _DEADLINE) -> bytes:
    ready, _, _ = select.select([handle], [], [], deadline)
    assert ready, "the workspace says nothing more"
    return os.read(handle, 65536)
