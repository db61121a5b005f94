"""Killed without warning while settling: the store holds together, every note is old or new as a whole."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

import pytest

from app.store.store import Store
from app.writeback.conflict_edits import WRITTEN
from tests.robust.building import pipeline
from tests.robust.settling import ROOMS, SETTINGS, STEPS, Step, generate, secret, settle, versions

KILLS = 200 if os.environ.get("BELIE_CAMPAIGN") == "full" else 10
LONGEST_NS = 40_000_000
"""A step takes less than this, so that most kills come in the middle of one."""


def test_undisturbed_it_goes_to_the_end(tmp_path: Path) -> None:
    root, state = generate(tmp_path / "vault"), tmp_path / "state"
    allowed = versions(root)
    with Store.open(state / "store.db") as store:
        settle(root, store, state / "backups", lambda step, room: None)
        assert store.verify() == []
        assert store.counts().redacted == len(ROOMS)
    for path, bytes_ in allowed.items():
        assert (root / path).read_bytes() in bytes_
        assert b"44" not in (root / path).read_bytes()
    assert traces(state) == []


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(KILLS))
def test_killed_at_any_moment(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    root, state = generate(tmp_path / "vault"), tmp_path / "state"
    allowed = versions(root)
    step, room = STEPS[seed % len(STEPS)], chance.choice(ROOMS)
    child, said = started(root, state, step, room)
    os.read(said, 1)
    moment = time.monotonic_ns() + chance.randrange(LONGEST_NS)
    while time.monotonic_ns() < moment:
        pass
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    os.close(said)
    assert os.WTERMSIG(status) == signal.SIGKILL, "it ended before it was killed"

    for path, bytes_ in allowed.items():
        assert (root / path).read_bytes() in bytes_
    with Store.open(state / "store.db") as store:
        assert store.verify() == []
        redacted = [claim.statement.path for claim in store.claims.with_status("redacted")]
        assert traces(state, redacted) == []
        struck = {path for path in allowed if b"~~" in (root / path).read_bytes()}
        standing = {e.target_id for e in store.ledger.events(10_000) if e.action == WRITTEN and not e.undone}
        assert struck <= standing, "a note was written that the ledger does not know of"
        pipeline(root, store, SETTINGS).run()
        assert store.verify() == []
        assert traces(state, redacted) == []


def started(root: Path, state: Path, step: Step, room: str) -> tuple[int, int]:
    """A process that settles everything, and a pipe on which it tells when it comes to a step."""
    said, say = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(said)

        def begin(now: Step, where: str) -> None:
            if (now, where) == (step, room):
                os.write(say, b".")

        try:
            with Store.open(state / "store.db") as store:
                settle(root, store, state / "backups", begin)
            signal.pause()  # until it is killed
        finally:
            os._exit(1)
    os.close(say)
    return child, said


def traces(state: Path, paths: list[str] | None = None) -> list[str]:
    """Files that still hold the text of one of these notes (default: of any)."""
    texts = [secret(room).encode() for room in ROOMS if paths is None or f"old/{room}.md" in paths]
    files = [file for file in sorted(state.rglob("*")) if file.is_file()]
    return [file.name for file in files if any(text in file.read_bytes() for text in texts)]
