"""Killed without warning while indexing: nothing is lost, nothing is read twice, no note is touched."""

from __future__ import annotations

import contextlib
import os
import queue
import random
import signal
import sqlite3
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.pipeline.handle import Worker
from app.pipeline.messages import Indexed, Message, Progress
from app.store.store import Store
from tests.robust.building import COMMAND, PROJECT, belie, contents, pipeline, write

KILLS = 50 if os.environ.get("BELIE_CAMPAIGN") == "full" else 5
NOTES = 480
LONG_AGO = 1_500_000_000_000_000_000
DEADLINE = 120.0

ROOMS = ("attic", "cellar", "kitchen", "hall", "study", "larder", "porch", "nursery")
THINGS = ("radiator", "window", "lamp", "shelf", "carpet", "door", "socket", "blind")


@dataclass(frozen=True)
class Ground:
    """A vault, and what an undisturbed reading of it finds."""

    root: Path
    files: dict[str, tuple[int, bytes]]
    conflicts: dict[str, frozenset[str]]
    claims: frozenset[str]


def generate(root: Path) -> Path:
    """Notes about the things of a house; one in eight contradicts the note before it."""
    chance = random.Random(11)
    notes: dict[str, str | bytes] = {}
    for n in range(NOTES):
        room, thing, house = ROOMS[n % 8], THINGS[n // 8 % 8], n // 64
        about = f"{room} {thing} of house {'ABCDEFGHIJ'[house]}"
        width = chance.randrange(20, 90)
        notes[f"{house}/{n:03}.md"] = f"The {about} is {width} cm wide.\n\n- Nothing to add on day {n}.\n"
        if n % 8 == 0:
            notes[f"{house}/{n:03} again.md"] = f"# Measured\n\nThe {about} is {width + 7} cm wide.\n"
    write(root, notes)
    for path in root.rglob("*.md"):
        # Times long past, so that only a reading changes what the store notes about a file.
        os.utime(path, ns=(LONG_AGO, LONG_AGO))
    return root


def found(store: Store) -> dict[str, frozenset[str]]:
    return {conflict.id: frozenset(conflict.members) for conflict in store.conflicts.open()}


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Ground:
    root = generate(tmp_path_factory.mktemp("kills") / "vault")
    with Store.open(":memory:") as store:
        pipeline(root, store).run()
        conflicts, claims = found(store), frozenset(claim.id for claim in store.claims.active())
    assert len(conflicts) > NOTES // 16
    return Ground(root, contents(root), conflicts, claims)


def read_times(path: Path) -> dict[str, int]:
    """When each note in the store was read."""
    try:
        with contextlib.closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True, timeout=10)) as raw:
            return dict(raw.execute("SELECT path, indexed_ns FROM notes"))
    except sqlite3.OperationalError:  # no file or no tables yet
        return {}


def check_after_a_kill(path: Path) -> dict[str, int]:
    with Store.open(path) as store:
        assert store.verify() == []
    return read_times(path)


def check_at_the_end(path: Path, known: dict[str, int], ground: Ground) -> None:
    with Store.open(path) as store:
        assert store.verify() == []
        assert found(store) == ground.conflicts
        assert {claim.id for claim in store.claims.all()} == ground.claims
        added = Counter(
            event.target_id for event in store.ledger.events(limit=100_000) if event.action == "added"
        )
    assert set(added) == ground.claims and set(added.values()) == {1}
    now = read_times(path)
    assert len(now) == len(ground.files)
    assert {note: now[note] for note in known} == known, "a note that was known was read again"
    assert contents(ground.root) == ground.files


def struck(process: subprocess.Popen[bytes], path: Path, wanted: int, chance: random.Random) -> bool:
    """Kill once the store knows that many notes, and a little later; False when it ended before that."""
    moment = chance.random() * 0.05
    while process.poll() is None:
        if len(read_times(path)) >= wanted:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(moment)
            process.kill()
            break
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.002)
    return process.wait() == -signal.SIGKILL


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(KILLS))
def test_a_killed_check_is_taken_up_where_it_was(seed: int, ground: Ground, tmp_path: Path) -> None:
    chance = random.Random(seed)
    path = tmp_path / "store.db"
    command = [*COMMAND, "check", str(ground.root), "--store", str(path)]
    known: dict[str, int] = {}
    hits = 0
    for wanted in sorted(chance.sample(range(0, len(ground.files) + 1), 2)):
        process = subprocess.Popen(
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": str(PROJECT)},
        )
        hits += struck(process, path, wanted, chance)
        now = check_after_a_kill(path)
        assert {note: now[note] for note in known} == known
        known = now
    assert hits, "no kill came in time"
    assert belie("check", ground.root, "--store", path).code == 1
    check_at_the_end(path, known, ground)


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(KILLS))
def test_a_killed_worker_is_taken_up_where_it_was(seed: int, ground: Ground, tmp_path: Path) -> None:
    chance = random.Random(1000 + seed)
    path = tmp_path / "store.db"
    said: queue.Queue[Message] = queue.Queue()
    worker = Worker(ground.root, path)
    worker.start(said.put)
    process = worker._process
    assert process is not None
    # Somewhere among the words it says: looking, a few times reading, comparing.
    words = chance.randrange(1, 8)
    while words:
        message = said.get(timeout=DEADLINE)
        words -= isinstance(message, Progress)
        if isinstance(message, Indexed):
            break
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(chance.random() * 0.05)
    process.kill()
    process.wait()
    worker.stop()
    known = check_after_a_kill(path)
    said = queue.Queue()
    worker = Worker(ground.root, path)
    worker.start(said.put)
    try:
        while not isinstance(message := said.get(timeout=DEADLINE), Indexed):
            continue
    finally:
        worker.stop()
    assert message.changed_notes == len(ground.files) - len(known)
    assert message.open_conflicts == len(ground.conflicts)
    check_at_the_end(path, known, ground)
