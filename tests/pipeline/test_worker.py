"""The index worker as a process: what it says, what it notices, how it ends."""

from __future__ import annotations

import contextlib
import os
import queue
import select
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.pipeline import worker as worker_module
from app.pipeline.handle import PATIENCE, Worker, decode, encode
from app.pipeline.index_vault import Pipeline
from app.pipeline.messages import Indexed, Message, Progress, Trouble, Watching
from app.store.store import Store
from tests.robust.building import DISPUTED, DISPUTED_MEMBERS, PROJECT, contents, open_sets, write

DEADLINE = 60.0
"""Only a hang takes this long; nothing waits for it otherwise."""


class Listening:
    """A worker and everything it said."""

    def __init__(self, root: Path, store: Path, patience: float = PATIENCE) -> None:
        self.worker = Worker(root, store, patience=patience)
        self.said: queue.Queue[Message] = queue.Queue()
        self.heard: list[Message] = []

    def start(self) -> None:
        self.worker.start(self.said.put)

    def until(self, wanted: Callable[[Message], bool]) -> Message:
        while True:
            message = self.said.get(timeout=DEADLINE)
            self.heard.append(message)
            if wanted(message):
                return message

    def indexed(self) -> Indexed:
        message = self.until(lambda m: isinstance(m, Indexed))
        assert isinstance(message, Indexed)
        return message

    def pid(self) -> int:
        process = self.worker._process
        assert process is not None
        return process.pid


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "vault", DISPUTED)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "store.db"


@pytest.fixture
def listening(root: Path, path: Path) -> Iterator[Listening]:
    one = Listening(root, path)
    yield one
    one.worker.stop()


def wait_for_end(pid: int) -> None:
    """Until no such process is left; pidfds wait without polling."""
    with contextlib.suppress(ProcessLookupError):
        handle = os.pidfd_open(pid)
        try:
            ready, _, _ = select.select([handle], [], [], DEADLINE)
            assert ready, "the process is still there"
        finally:
            os.close(handle)


@pytest.mark.parametrize(
    "message",
    [
        Progress("reading", 3, 10),
        Watching("polling"),
        Indexed(1, 2, 3, 4),
        Trouble("a “quoted”\nline", fatal=True),
    ],
)
def test_messages_survive_the_pipe(message: Message) -> None:
    line = encode(message)
    assert "\n" not in line
    assert decode(line) == message


def test_it_indexes_and_then_watches(listening: Listening, root: Path, path: Path) -> None:
    before = contents(root)
    listening.start()
    assert listening.indexed() == Indexed(2, 2, 1, 2)
    stages = [m.stage for m in listening.heard if isinstance(m, Progress)]
    assert stages[0] == "looking" and stages[-1] == "done" and "reading" in stages and "comparing" in stages
    assert any(isinstance(m, Watching) for m in listening.heard)
    with Store.open(path, read_only=True) as store:
        assert open_sets(store) == {DISPUTED_MEMBERS}
    assert contents(root) == before


def test_a_save_by_another_program_is_noticed_once(listening: Listening, root: Path, path: Path) -> None:
    listening.start()
    listening.indexed()
    # As editors save: a new file put in the old one's place.
    command = 'printf "# Doors\\n\\nThe garage door code is 4411.\\n" > .t && mv .t House.md'
    subprocess.run(["sh", "-c", command], cwd=root, check=True)
    assert listening.indexed() == Indexed(2, 2, 0, 1)
    with Store.open(path, read_only=True) as store:
        assert store.conflicts.open() == []
    listening.worker.rescan()
    listening.indexed()
    listening.worker.stop()
    # Nothing more came of that save: the first index, the save, the rescan.
    later = [listening.said.get_nowait() for _ in range(listening.said.qsize())]
    assert len([m for m in (*listening.heard, *later) if isinstance(m, Indexed)]) == 3


def test_rescan_looks_at_everything(listening: Listening, root: Path) -> None:
    listening.start()
    listening.indexed()
    listening.worker.rescan()
    assert listening.indexed() == Indexed(2, 2, 1, 0)


def test_decisions_of_the_workspace_are_seen_by_the_next_run(
    listening: Listening, root: Path, path: Path
) -> None:
    listening.start()
    listening.indexed()
    with Store.open(path) as store:
        (conflict,) = store.conflicts.open()
        store.conflicts.dismiss(conflict.id)
        write(root, {"Boat.md": "The boat is moored at the north quay.\n"})
        assert listening.until(lambda m: isinstance(m, Indexed) and m.changed_notes == 1) == Indexed(
            3, 3, 0, 1
        )
        assert store.verify() == []


def test_an_unmounted_vault_is_waited_for(listening: Listening, root: Path, path: Path) -> None:
    listening.start()
    listening.indexed()
    away = root.with_name("unmounted")
    root.rename(away)
    assert listening.indexed() == Indexed(2, 2, 1, 0)
    away.rename(root)
    write(root, {"House.md": "# Doors\n\nThe garage door code is 4411.\n"})
    # What comes back is read again: the changed note with the other one, or after it in a run of its own.
    listening.until(lambda m: m in (Indexed(2, 2, 0, 1), Indexed(2, 2, 0, 2)))


def test_stop_ends_the_process_without_a_word_of_trouble(listening: Listening) -> None:
    listening.start()
    listening.indexed()
    pid = listening.pid()
    listening.worker.stop()
    wait_for_end(pid)
    assert not listening.worker.alive
    listening.worker.stop()  # twice is once
    while not listening.said.empty():
        assert not isinstance(listening.said.get_nowait(), Trouble)


def test_stop_in_the_middle_of_a_first_index_loses_nothing(tmp_path: Path, root: Path, path: Path) -> None:
    write(root, {f"{n}.md": f"Lamp {n} is {n} cm high.\n" for n in range(900)})
    first = Listening(root, path)
    first.start()
    first.until(lambda m: isinstance(m, Progress) and m.stage == "reading")
    first.worker.stop()
    with Store.open(path) as store:
        done = store.counts().notes
        assert 0 < done < 902
        assert store.verify() == []
    second = Listening(root, path)
    second.start()
    try:
        indexed = second.indexed()
        assert (indexed.notes, indexed.changed_notes, indexed.open_conflicts) == (902, 902 - done, 1)
    finally:
        second.worker.stop()


def test_the_worker_ends_with_its_parent(root: Path, path: Path) -> None:
    script = (
        "import sys, threading; from pathlib import Path; from app.pipeline.handle import Worker\n"
        "from app.pipeline.messages import Indexed\n"
        "done = threading.Event()\n"
        "worker = Worker(Path(sys.argv[1]), Path(sys.argv[2]))\n"
        "worker.start(lambda m: done.set() if isinstance(m, Indexed) else None)\n"
        "assert done.wait(60)\n"
        "print(worker._process.pid, flush=True); sys.stdin.read()\n"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", script, str(root), str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
    )
    assert parent.stdout is not None and parent.stdin is not None
    child = int(parent.stdout.readline())
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    wait_for_end(child)
    parent.stdin.close()
    parent.stdout.close()


def test_a_killed_worker_is_reported_and_a_new_one_goes_on(
    listening: Listening, root: Path, path: Path
) -> None:
    listening.start()
    listening.indexed()
    os.kill(listening.pid(), signal.SIGKILL)
    trouble = listening.until(lambda m: isinstance(m, Trouble))
    assert isinstance(trouble, Trouble) and trouble.fatal
    assert not listening.worker.alive
    listening.start()
    assert listening.indexed() == Indexed(2, 2, 1, 0)


@pytest.mark.parametrize("what", ["text", "folder", "another database"])
def test_a_store_that_cannot_be_opened_is_told_in_words(listening: Listening, path: Path, what: str) -> None:
    path.parent.mkdir()
    if what == "text":
        path.write_text("these are shopping notes, long enough to be taken for a header of a database " * 20)
    elif what == "folder":
        path.mkdir()
    else:
        with contextlib.closing(sqlite3.connect(path)) as other:
            other.execute("CREATE TABLE recipes (name)")
    listening.start()
    trouble = listening.until(lambda m: isinstance(m, Trouble))
    assert isinstance(trouble, Trouble)
    assert trouble.fatal and str(path) in trouble.text


def test_a_missing_vault_is_no_reason_to_end(listening: Listening, root: Path, path: Path) -> None:
    away = root.with_name("elsewhere")
    root.rename(away)
    listening.start()
    assert listening.indexed() == Indexed(0, 0, 0, 0)
    away.rename(root)
    assert listening.until(lambda m: isinstance(m, Indexed) and m.notes > 0) == Indexed(2, 2, 1, 2)


def test_a_mistake_of_ours_is_told_and_the_worker_goes_on(
    root: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, wrote = os.pipe()
    with os.fdopen(read) as heard, os.fdopen(wrote, "w") as out, Store.open(path) as store:
        child = worker_module.IndexWorker(root, store, {}, out, None)

        def trip(*_: object, **__: object) -> None:
            raise IndexError("list index out of range")

        monkeypatch.setattr(Pipeline, "run", trip)
        child.run_and_report(lambda: child.look(frozenset()))
        message = decode(heard.readline())
    assert isinstance(message, Trouble) and not message.fatal
    assert "IndexError" in message.text


def test_words_on_the_pipe_that_are_no_messages_are_passed_over(root: Path, path: Path) -> None:
    heard: list[Message] = []
    process = subprocess.Popen(
        ["printf", "%s\\n", "[]", "{}", "not json", '{"kind": "Nonsense"}', encode(Watching("polling"))],
        stdout=subprocess.PIPE,
        text=True,
    )
    Worker(root, path).listen(process, heard.append)
    assert process.stdout is not None
    process.stdout.close()
    assert heard == [Watching("polling")]


def test_a_stuck_process_is_replaced_when_a_new_look_is_asked_for(root: Path, tmp_path: Path) -> None:
    listening = Listening(root, tmp_path / "stuck.sqlite", patience=0.0)
    listening.start()
    try:
        listening.indexed()
        stuck = listening.pid()
        os.kill(stuck, signal.SIGSTOP)
        while listening.pid() == stuck:  # what it said before it was stopped may still be on its way
            listening.worker.rescan()
        assert listening.until(lambda m: isinstance(m, Trouble))
        write(root, {"Later.md": "The boat is green.\n"})
        listening.until(lambda m: isinstance(m, Indexed) and m.notes == len(DISPUTED) + 1)
        with pytest.raises(ProcessLookupError):
            os.kill(stuck, 0)
    finally:
        listening.worker.stop()
