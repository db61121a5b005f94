"""Two processes that detect at once: every conflict is there once, and every slot has one open."""

from __future__ import annotations

import multiprocessing
import os
from collections import Counter
from multiprocessing.synchronize import Barrier
from pathlib import Path

from app.store.store import Store
from tests.robust.building import found_afresh, open_sets, pipeline, write

SPAWN = multiprocessing.get_context("spawn")
ROUNDS = 40 if os.environ.get("BELIE_CAMPAIGN") == "full" else 6
ROOMS = ("attic", "cellar", "shed")


def detect(root: Path, path: Path, name: str, together: Barrier) -> None:
    """Save a note of one's own that contradicts the other's, both in the same moment, and read the vault."""
    with Store.open(path) as store:
        live = pipeline(root, store)
        for number in range(ROUNDS):
            said = [
                f"The {room} door code is {2000 + n * 100 + number if name == 'left' else 7000 + n}."
                for n, room in enumerate(ROOMS)
            ]
            write(root, {f"{name}.md": "\n\n".join(said) + "\n"})
            together.wait(120)
            (live if number % 2 else pipeline(root, store)).run()
            together.wait(120)


def test_concurrent_detection_makes_no_duplicates(tmp_path: Path) -> None:
    root, path = write(tmp_path / "vault", {"Boat.md": "The boat is at the north quay.\n"}), tmp_path / "s.db"
    together = SPAWN.Barrier(2)
    both = [SPAWN.Process(target=detect, args=(root, path, name, together)) for name in ("left", "right")]
    for process in both:
        process.start()
    for process in both:
        process.join()
    assert [process.exitcode for process in both] == [0, 0]
    with Store.open(path) as store:
        pipeline(root, store).run()
        assert open_sets(store) == found_afresh(root)
        assert len(store.conflicts.open()) == len(ROOMS)
        everything = store.conflicts.all()
        by_members = Counter(frozenset(c.members) for c in everything)
        assert set(by_members.values()) == {1}, "one conflict was opened twice"
        slots = Counter((c.slot.kind, c.slot.key) for c in everything if c.status == "open")
        assert set(slots.values()) == {1}
        assert store.verify() == []
