"""Killed without warning while writing back: the note is the old or the new one, and can be taken back."""

from __future__ import annotations

import contextlib
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from app.store.store import Store
from app.writeback.apply import apply, undo
from app.writeback.conflict_edits import WRITTEN, take_back
from tests.robust.building import PROJECT
from tests.writeback.killed_child import proposal

KILLS = 100 if os.environ.get("BELIE_CAMPAIGN") == "full" else 5
OLD = b"The garage door code is 4411.\r\n" + b"Nothing to add here.\r\n" * 4_000


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(KILLS))
def test_a_note_is_old_or_new_as_a_whole(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    root, path, backups = tmp_path / "vault", tmp_path / "state" / "store.db", tmp_path / "backups"
    root.mkdir()
    note = root / "Garage.md"
    note.write_bytes(OLD)
    new = proposal(OLD).edits[0].after
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "tests.writeback.killed_child", root, path, backups],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
    )
    assert process.stdout is not None
    for _ in range(chance.randrange(1, 6)):
        assert process.stdout.readline()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(chance.random() * 0.05)
    process.kill()
    process.communicate()
    assert note.read_bytes() in (OLD, new)
    with Store.open(path) as store:
        assert store.verify() == []
        standing = [
            event
            for event in store.ledger.events(limit=10_000)
            if event.action == WRITTEN and not event.undone
        ]
        if note.read_bytes() == new:
            assert len(standing) == 1
        for event in standing:
            take_back(store, root, event.seq, backups)
        assert store.verify() == []
    assert note.read_bytes() == OLD
    assert len(list(root.iterdir())) <= 2
    applied = apply(root, proposal(OLD).edits[0], backups)
    assert list(root.iterdir()) == [note], "what was left halfway goes with the next edit"
    undo(root, applied)
