"""Several processes on one store, and processes that die in the middle of writing."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from app.store.errors import Refused, UndoRefused
from app.store.store import Store
from tests.store.building import note, open_conflict, save, says

SPAWN = multiprocessing.get_context("spawn")
NOTES = 12


def write_notes(path: Path, name: str, rounds: int) -> None:
    """Index notes of one's own, and one note that the other process indexes too."""
    with Store.open(path) as store:
        for n in range(rounds):
            save(store, note(f"{name}/{n}.md", f"{name} says {n}.", "Everyone says this."))
            save(store, note("both.md", f"{name} was here at {n}.", "This line stays."))


def test_two_processes_writing_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    workers = [SPAWN.Process(target=write_notes, args=(path, name, NOTES)) for name in ("left", "right")]
    for worker in workers:
        worker.start()  # both also find no store there, and make it
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0]
    with Store.open(path) as store:
        said = {c.statement.text for c in store.claims.all()}
        assert {f"{name} says {n}." for name in ("left", "right") for n in range(NOTES)} <= said
        assert {f"{name} was here at {n}." for name in ("left", "right") for n in range(NOTES)} <= said
        assert store.verify() == []


def test_threads_share_one_store(tmp_path: Path) -> None:
    def work(name: str) -> int:
        for n in range(NOTES):
            save(store, note(f"{name}/{n}.md", f"{name} says {n}."))
            assert len(store.story.ids()) >= n
        return len(store.claims.by_path([f"{name}/{n}.md" for n in range(NOTES)], status=("active",)))

    with Store.open(tmp_path / "store.db") as store, ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, "abcd")) == [NOTES] * 4
        assert store.verify() == []


def decide(path: Path, ids: list[str]) -> None:
    with Store.open(path) as store:
        for id in ids:
            try:
                store.conflicts.dismiss(id)
                store.ledger.undo()
                store.conflicts.dismiss(id)
            except (Refused, UndoRefused):
                continue  # the other process was there first, which is what it is told


def test_two_processes_deciding_at_once_agree(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with Store.open(path) as store:
        save(store, note("a.md", *(f"Code {n}." for n in range(40))))
        ids = [open_conflict(store, f"Code {n}.", f"Code {n + 1}.", slot=str(n)) for n in range(0, 40, 2)]
    workers = [SPAWN.Process(target=decide, args=(path, order)) for order in (ids, ids[::-1])]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0]
    with Store.open(path) as store:
        assert store.verify() == []
        for id in ids:
            # opened, then decisions and undos in turn
            assert [e.action for e in store.ledger.history(id)][:2] == ["opened", "dismissed"]


def write_forever(path: Path, ready: int) -> None:
    with Store.open(path) as store:
        n = 0
        while True:
            save(
                store,
                *(
                    note(f"{k}.md", *(f"Line {line} of {k} as of {n // 3}." for line in range(30)))
                    for k in range(20)
                ),
            )
            if n % 2:
                id = open_conflict(
                    store, f"Line 1 of 1 as of {n // 3}.", f"Line 1 of 2 as of {n // 3}.", slot=str(n)
                )
                # A kill between the decision and its undo leaves it decided.
                if (found := store.conflicts.get(id)) is not None and found.status == "open":
                    store.conflicts.keep(id, says(store, f"Line 1 of 1 as of {n // 3}.").id)
                    store.ledger.undo()
            n += 1
            os.write(ready, b".")


def test_kill_in_the_middle_of_writing(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    chance = random.Random(7)
    for _ in range(10):
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read)
            try:
                write_forever(path, write)
            finally:
                os._exit(1)
        os.close(write)
        # Wait until it is well under way, then strike at a random moment of the next round.
        os.read(read, 1)
        moment = time.monotonic_ns() + chance.randrange(80_000_000)
        while time.monotonic_ns() < moment:
            pass
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        assert os.WTERMSIG(status) == signal.SIGKILL
        os.close(read)
        with Store.open(path) as store:
            assert store.verify() == []
            assert store.counts().claims == 600
