"""Models that failed are tried again: when the person asks, with a sweep, a while after want of memory."""

from __future__ import annotations

import io
import os
import queue
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.models.files import judge_id
from app.models.host import ModelHost
from app.models.requests import Failed, Status
from app.models.setup import Setup
from app.pipeline import retry
from app.pipeline.handle import decode
from app.pipeline.messages import Indexed, Message, Trouble
from app.pipeline.retry import MEMORY_SECONDS, ModelRetry
from app.pipeline.worker import IndexWorker
from app.store.store import Store
from tests.detection.test_judge_stage import HIDDEN, NOTES
from tests.models import tiny
from tests.models.faults import poison
from tests.models.real import needs_embedder
from tests.pipeline.test_reading_schedule import Clock
from tests.robust.building import DISPUTED_MEMBERS, open_sets, write

DEADLINE = 60.0
"""Only a hang takes this long; nothing waits for it otherwise."""
STARVED = Failed("memory", "the models may use 24 MB of memory, which was not enough")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def made(clock: Clock) -> ModelRetry:
    return ModelRetry(clock)


def test_who_asks_has_one_and_only_one(made: ModelRetry) -> None:
    assert not made.consume()
    made.request()
    assert made.consume() and not made.consume()


def test_after_want_of_memory_one_comes_by_itself(made: ModelRetry, clock: Clock) -> None:
    made.note_failures(None, STARVED)
    assert (made.become_due(), made.wait) == (False, MEMORY_SECONDS)
    clock.now += MEMORY_SECONDS - 1
    made.note_failures(STARVED, None)  # a save meanwhile does not put it off
    assert (made.become_due(), made.wait) == (False, 1.0)
    clock.now += 1
    assert made.become_due()
    # Once: nobody waits for the next moment, however long the person holds the reading up.
    assert (made.become_due(), made.wait) == (False, None)
    assert made.consume() and not made.consume()


@pytest.mark.parametrize("failed", [None, Failed("broken", "damaged"), Failed("crashed", "set aside")])
def test_anything_else_waits_for_the_person(made: ModelRetry, failed: Failed | None) -> None:
    made.note_failures(STARVED, None)
    made.note_failures(failed, None)
    assert (made.become_due(), made.consume(), made.wait) == (False, False, None)


# in the worker


@pytest.fixture
def full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The embedder finds no memory to be loaded as long as this file is there."""
    poison(monkeypatch)
    file = tmp_path / "full"
    file.touch()
    monkeypatch.setenv("STARVED_WHILE", str(file))
    return file


class Running:
    """A worker's inside in a thread, with real models, its commands and what it says."""

    def __init__(self, root: Path, path: Path, setup: Setup) -> None:
        commands, self._tell = os.pipe()
        said, out = os.pipe()
        self._path, self._root, self._setup = path, root, setup
        self._commands, self._said = os.fdopen(commands), os.fdopen(said, encoding="utf-8")
        self._out = os.fdopen(out, "w", encoding="utf-8")
        self.heard: queue.Queue[Message] = queue.Queue()
        self._threads = [threading.Thread(target=job, daemon=True) for job in (self._run, self._listen)]
        for thread in self._threads:
            thread.start()

    def _run(self) -> None:
        log = self._path.with_name("models.log")

        def told(status: Status) -> None:
            child.tell_reads(status)

        with (
            self._out,
            Store.open(self._path) as store,
            ModelHost(self._setup, log=log, on_status=told) as host,
        ):
            child = IndexWorker(self._root, store, {}, self._out, host)
            threading.Thread(target=child.follow_commands, args=(self._commands,), daemon=True).start()
            child.run()

    def _listen(self) -> None:
        for line in self._said:
            self.heard.put(decode(line))

    def rescan(self) -> None:
        os.write(self._tell, b"rescan\n")

    def trouble(self) -> str:
        while not isinstance(message := self.heard.get(timeout=DEADLINE), Trouble):
            pass
        return message.text

    def until_open(self, count: int) -> None:
        while not (
            isinstance(message := self.heard.get(timeout=DEADLINE), Indexed)
            and message.open_conflicts == count
        ):
            pass

    def end(self) -> None:
        os.close(self._tell)
        for thread in self._threads:
            thread.join(DEADLINE)
            assert not thread.is_alive()


@pytest.fixture
def setup(tmp_path: Path) -> Setup:
    judge = tiny.judge_folder(tmp_path / "judge", suspects="conflict")
    return Setup(judge=str(judge), cache=str(tmp_path / "cache"), threads=1)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "vault", NOTES)


@pytest.fixture
def running(root: Path, tmp_path: Path, setup: Setup, full: Path) -> Iterator[Running]:
    made = Running(root, tmp_path / "store.db", setup)
    yield made
    made.end()
    with Store.open(tmp_path / "store.db") as store:
        assert open_sets(store) == {DISPUTED_MEMBERS, HIDDEN}


@needs_embedder
def test_a_model_that_failed_works_after_a_rescan(running: Running, full: Path) -> None:
    assert "not judged" in running.trouble()
    full.unlink()
    running.rescan()
    running.until_open(2)


@needs_embedder
def test_one_that_had_no_memory_works_by_itself_later(
    running: Running, full: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retry, "MEMORY_SECONDS", 0.2)
    assert "memory" in running.trouble()
    full.unlink()
    running.until_open(2)


@needs_embedder
def test_a_sweep_tries_it_again(root: Path, tmp_path: Path, setup: Setup, full: Path) -> None:
    with (
        Store.open(tmp_path / "store.db") as store,
        ModelHost(setup, log=tmp_path / "models.log") as host,
        io.StringIO() as out,
    ):
        child = IndexWorker(root, store, {}, out, host)
        child.run_and_report(lambda: child.look(frozenset()))
        child.run_and_report(child.read_on)
        assert "not judged" in out.getvalue() and open_sets(store) == {DISPUTED_MEMBERS}
        full.unlink()
        child.run_and_report(child.read_on)
        assert open_sets(store) == {DISPUTED_MEMBERS}  # given up is given up
        child.run_and_report(child.sweep_vault)
        child.run_and_report(child.read_on)
        assert open_sets(store) == {DISPUTED_MEMBERS, HIDDEN}


@needs_embedder
def test_a_judge_repaired_on_disk_judges_after_a_rescan(root: Path, tmp_path: Path, setup: Setup) -> None:
    weights = tmp_path / "judge" / "judge.onnx"
    whole = weights.read_bytes()
    weights.write_bytes(whole[:1000])
    running = Running(root, tmp_path / "store.db", setup)
    assert "judge.onnx cannot be loaded" in running.trouble()
    weights.write_bytes(whole)
    running.rescan()
    with Store.open(tmp_path / "store.db", read_only=True) as store:
        while not store.caches.judgements.complete_by.startswith(judge_id(setup)):
            running.heard.get(timeout=DEADLINE)
        assert len(store.caches.judgements.alarms(store.caches.judgements.complete_by)) > 0
    running.end()
