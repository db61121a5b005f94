"""When the models read: at once for somebody who looks, after quiet time for somebody who writes."""

from __future__ import annotations

import io
import os
import queue
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from app.detective.schedule import FAST_KEYS, QUIET_SECONDS
from app.pipeline.handle import decode
from app.pipeline.index_vault import Pipeline
from app.pipeline.messages import Message, Progress, Trouble
from app.pipeline.reading_schedule import ReadingSchedule
from app.pipeline.run import Run
from app.pipeline.worker import IndexWorker
from app.store.store import Store
from tests.robust.building import DISPUTED, write

DEADLINE = 60.0
"""Only a hang takes this long; nothing waits for it otherwise."""


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def readings(clock: Clock) -> ReadingSchedule:
    """One whose first reading is done."""
    made = ReadingSchedule(clock)
    assert made.begin() is not None
    made.ended(done=True)
    return made


def test_a_save_is_read_after_quiet_time(readings: ReadingSchedule, clock: Clock) -> None:
    assert (readings.begin(), readings.state) == (None, "idle")
    readings.saved(["a"])
    assert (readings.begin(), readings.state, readings.wait) == (None, "waiting", QUIET_SECONDS)
    clock.now += QUIET_SECONDS
    job = readings.begin()
    assert job is not None and job.triggers == {"a"}


def test_who_asks_does_not_wait(readings: ReadingSchedule) -> None:
    readings.saved(["a"])
    readings.ask()
    assert readings.begin() is not None


def test_a_pause_is_taken_back_by_the_same_wish(readings: ReadingSchedule) -> None:
    readings.ask()
    readings.begin()
    readings.wish("pause")
    assert readings.must_stop
    readings.ended(done=False)
    assert (readings.begin(), readings.state) == (None, "paused")
    readings.wish("pause")
    assert readings.begin() is not None


def test_what_was_stopped_waits_for_a_save_or_a_question(readings: ReadingSchedule, clock: Clock) -> None:
    readings.ask()
    readings.begin()
    readings.wish("stop")
    readings.ended(done=False)
    assert (readings.begin(), readings.state) == (None, "idle")
    readings.saved(["a"])
    clock.now += QUIET_SECONDS
    assert readings.begin() is not None


def test_fast_keys_hold_it_up(readings: ReadingSchedule) -> None:
    readings.ask()
    for _ in range(FAST_KEYS):
        readings.wish("typed")
    assert readings.begin() is None and readings.wait is not None


def test_after_a_sweep_everything_is_read(readings: ReadingSchedule) -> None:
    readings.swept()
    job = readings.begin()
    assert job is not None and job.whole


def test_what_failed_is_read_again_unless_the_person_stopped_it(readings: ReadingSchedule) -> None:
    readings.try_again()
    job = readings.begin()
    assert job is not None and job.whole
    readings.wish("stop")
    readings.ended(done=False)
    readings.try_again()
    assert (readings.begin(), readings.state) == (None, "idle")


class Scripted(Pipeline):
    """The real pipeline, with models that read until they are told to stop."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.calls: queue.Queue[str] = queue.Queue()
        self.go_on = threading.Event()
        self.fails = False

    def run(self, *given: Any, **how: Any) -> Run:
        assert how["models"] is False, "the rules do not wait for the models"
        self.calls.put("look")
        return super().run(*given, **how)

    def read_on(self, after: Run) -> Run:
        self.calls.put("read")
        if self.fails:
            raise RuntimeError("a mistake of ours")
        while not self.go_on.wait(0.01) and not self._around.must_end:
            pass
        return super().read_on(after)


class Child(IndexWorker):
    def new_pipeline(self) -> Pipeline:
        return Scripted(self._root, self._store, self._settings, around=self._around)

    @property
    def scripted(self) -> Scripted:
        assert isinstance(self._pipeline, Scripted)
        return self._pipeline


class Well:
    """A host whose models never fail; the pipeline above asks it nothing else."""

    def another_chance(self) -> bool:
        return False


class Running:
    """A worker's inside in a thread, with its commands and what it says."""

    def __init__(self, root: Path, store: Store) -> None:
        commands, self._tell = os.pipe()
        said, out = os.pipe()
        self._said = os.fdopen(said, encoding="utf-8")
        host: Any = Well()
        self.child = Child(root, store, {}, os.fdopen(out, "w", encoding="utf-8"), host)
        self.heard: queue.Queue[Message] = queue.Queue()
        jobs: list[Callable[[], object]] = [
            lambda: self.child.follow_commands(io.TextIOWrapper(os.fdopen(commands, "rb"))),
            self._listen,
        ]
        for job in jobs:
            threading.Thread(target=job, daemon=True).start()
        self._runs = threading.Thread(target=self.child.run, daemon=True)
        self._runs.start()

    def _listen(self) -> None:
        for line in self._said:
            self.heard.put(decode(line))

    def next(self) -> str:
        return self.child.scripted.calls.get(timeout=DEADLINE)

    def tell(self, word: str) -> None:
        os.write(self._tell, f"{word}\n".encode())

    def until(self, stage: str) -> None:
        while True:
            message = self.heard.get(timeout=DEADLINE)
            if isinstance(message, Progress) and message.stage == stage:
                return

    def end(self) -> None:
        self.child.scripted.go_on.set()
        os.close(self._tell)
        self._runs.join(DEADLINE)
        assert not self._runs.is_alive()


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    root = write(tmp_path / "vault", DISPUTED)
    with Store.open(tmp_path / "state" / "store.db") as store:
        made = Running(root, store)
        yield made
        made.end()


def test_the_rules_come_first_and_then_the_models(running: Running) -> None:
    assert [running.next(), running.next()] == ["look", "read"]


def test_a_save_interrupts_the_models_and_they_wait_for_quiet(running: Running) -> None:
    assert [running.next(), running.next()] == ["look", "read"]
    write(running.child._root, {"Boat.md": "The boat is moored at the north quay.\n"})
    assert running.next() == "look"
    running.until("waiting")
    assert running.child.scripted.calls.empty()
    # Whoever presses r does not wait.
    running.tell("rescan")
    assert [running.next(), running.next()] == ["look", "read"]


def test_pause_stops_them_and_says_so_until_they_may_go_on(running: Running) -> None:
    assert [running.next(), running.next()] == ["look", "read"]
    running.tell("pause")
    running.until("paused")
    running.tell("pause")
    assert running.next() == "read"


def test_stopped_models_are_taken_up_on_demand(running: Running) -> None:
    assert [running.next(), running.next()] == ["look", "read"]
    running.tell("stop")
    running.until("done")
    assert running.child.scripted.calls.empty()
    running.tell("rescan")
    assert [running.next(), running.next()] == ["look", "read"]


def test_models_that_fail_are_told_of_once(running: Running) -> None:
    assert [running.next(), running.next()] == ["look", "read"]
    running.child.scripted.fails = True
    running.tell("rescan")
    assert [running.next(), running.next()] == ["look", "read"]
    while not isinstance(message := running.heard.get(timeout=DEADLINE), Trouble):
        pass
    assert "a mistake of ours" in message.text
    running.child.scripted.fails = False
    running.tell("rescan")  # the next thing that happens, not a second try in between
    assert [running.next(), running.next()] == ["look", "read"]
