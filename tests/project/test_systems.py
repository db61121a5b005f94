"""What stands in where a system lacks something: waiting for pipes, handles of folders, alarms."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from app import in_folder, pipes
from app.models.host import ModelHost
from app.models.requests import Failed
from app.models.setup import Setup
from app.private_files import write_whole
from app.time_budget import OutOfTime, time_budget
from app.vault.files import alone_with, create_in, folder_of, read_in, replace_in
from tests.models import tiny

DEADLINE = 60.0
"""Only a hang takes this long."""
SHOUT = "import sys\nfor line in sys.stdin: print(line.strip().upper(), flush=True)"


@pytest.fixture(params=[True, False], ids=["waiting for pipes", "threads"])
def by_select(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    monkeypatch.setattr(pipes, "BY_SELECT", request.param)
    return bool(request.param)


@pytest.fixture(params=[True, False], ids=["by handle", "by path"])
def by_handle(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    monkeypatch.setattr(in_folder, "BY_HANDLE", request.param)
    return bool(request.param)


class Child:
    """A process at the other end of two pipes."""

    def __init__(self, code: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0
        )
        assert self.process.stdin is not None and self.process.stdout is not None
        self.waker = pipes.make_waker()
        self.pipes = pipes.connect(self.process.stdin.fileno(), self.process.stdout.fileno(), self.waker)

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self.pipes.close()
        self.waker.close()
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()


@pytest.fixture
def started() -> Iterator[list[Child]]:
    children: list[Child] = []
    yield children
    for child in children:
        child.end()


def test_a_child_is_spoken_with(by_select: bool, started: list[Child]) -> None:
    started.append(child := Child(SHOUT))
    for word in (b"one", b"two"):
        child.pipes.send(word + b"\n", DEADLINE)
        heard = b""
        while not heard.endswith(b"\n"):
            heard += child.pipes.receive(DEADLINE) or b""
        assert heard == word.upper() + b"\n"
    assert child.pipes.receive(0.0) is None


def test_a_child_that_ends_is_told_again_and_again(by_select: bool, started: list[Child]) -> None:
    started.append(child := Child("print('bye')"))
    heard = b""
    while data := child.pipes.receive(DEADLINE):
        heard += data
    assert heard == b"bye\n"
    assert data == b"" and child.pipes.receive(DEADLINE) == b""
    child.process.wait()
    with pytest.raises(OSError):
        for _ in range(2):
            child.pipes.send(b"is anyone there?\n", DEADLINE)


def test_a_child_that_takes_nothing_in_is_not_waited_for(by_select: bool, started: list[Child]) -> None:
    started.append(child := Child("import time; time.sleep(600)"))
    with pytest.raises(pipes.Deaf):
        child.pipes.send(bytes(1 << 22), 0.2)


def test_waiting_can_be_ended_by_another_thread(by_select: bool, started: list[Child]) -> None:
    started.append(child := Child(SHOUT))
    threading.Timer(0.05, child.waker.wake).start()
    assert child.pipes.receive(DEADLINE) is None
    assert child.process.poll() is None


def test_models_answer_and_come_back_after_a_kill(by_select: bool, tmp_path: Path) -> None:
    setup = Setup(
        embedder=str(tiny.sentence_folder(tmp_path / "embedder")), cache=str(tmp_path / "cache"), threads=1
    )
    with ModelHost(setup) as host:
        first = host.embed(["the door"], timeout=DEADLINE)
        assert not isinstance(first, Failed)
        assert host.pid is not None
        os.kill(host.pid, signal.SIGKILL)
        again = host.embed(["the door"], timeout=DEADLINE)
        assert not isinstance(again, Failed) and again.matrix().tolist() == first.matrix().tolist()


def test_files_of_a_folder_are_read_made_and_replaced(by_handle: bool, tmp_path: Path) -> None:
    with alone_with(tmp_path, "a/b/note.md", make=True) as folder:
        create_in(folder, "note.md", b"one\r\ntwo\n")
        with pytest.raises(FileExistsError):
            create_in(folder, "note.md", b"another")
        found, seen = read_in(folder, "note.md")
        assert found == b"one\r\ntwo\n"
        replace_in(folder, "note.md", b"three\n", like=seen)
        assert in_folder.may_write(folder, "note.md") and in_folder.status(folder, "note.md").st_size == 6
    assert [file.name for file in (tmp_path / "a" / "b").iterdir()] == ["note.md"]
    assert (tmp_path / "a" / "b" / "note.md").read_bytes() == b"three\n"


def test_no_link_is_followed(by_handle: bool, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.md").write_text("x")
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "folder").symlink_to(tmp_path / "outside")
    (vault / "note.md").symlink_to(tmp_path / "outside" / "secret.md")
    with pytest.raises(OSError), folder_of(vault, "folder/secret.md"):
        pass
    with folder_of(vault, "note.md") as folder, pytest.raises(OSError):
        read_in(folder, "note.md")


def test_a_file_of_our_own_is_written_whole(by_handle: bool, tmp_path: Path) -> None:
    write_whole(tmp_path / "file", b"old")
    write_whole(tmp_path / "file", b"new\r\n")
    assert (tmp_path / "file").read_bytes() == b"new\r\n"
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


def test_without_an_alarm_work_that_takes_too_long_ends_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(signal, "setitimer")
    with pytest.raises(OutOfTime), time_budget(0.1):
        while True:
            pass
    with time_budget(DEADLINE):
        done = sum(range(1000))
    assert done == 499_500
