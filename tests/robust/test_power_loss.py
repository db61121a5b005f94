"""The power fails at any moment while somebody decides: what was acknowledged stands, the store is whole."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from app.store.decision_copy import read_copy
from app.store.store import Store
from tests.robust.building import pipeline
from tests.robust.lost_power import Call, Disk, traced
from tests.robust.settling import ROOMS, SETTINGS, generate

STATES = 25 if os.environ.get("BELIE_CAMPAIGN") == "full" else 1
"""How many of the states that the disk may be in are looked at, for each moment."""

_DECIDES = """
import json, os, sys
from pathlib import Path
from app.store.store import Store

with Store.open(Path(sys.argv[1])) as store:
    def told():
        rows = [[one.action, one.target, one.why] for one in store.standing_decisions()]
        os.write(2, json.dumps(sorted(rows)).encode() + b"\\n")

    told()
    for number, conflict in enumerate(store.conflicts.open()):
        match number % 4:
            case 0:
                store.conflicts.keep(conflict.id, conflict.members[0], f"reason {number}")
            case 1:
                store.conflicts.dismiss(conflict.id, f"reason {number}")
                told()
                store.ledger.undo()
            case 2:
                store.progress.mark_swept(f"2026-01-0{number}T00:00:00+00:00")  # may be lost
                store.conflicts.snooze(conflict.id, "2030-01-01", f"reason {number}")
            case 3:
                store.claims.redact(conflict.members[0], f"reason {number}")
        told()
"""

Standing = list[list[str]]


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Call]]:
    """The folder of a store before somebody decides, and everything that is then done to its files."""
    if shutil.which("strace") is None or subprocess.run(["strace", "true"], capture_output=True).returncode:
        pytest.skip("strace is not there or may not trace")
    folder = tmp_path_factory.mktemp("power")
    root, state = generate(folder / "vault"), folder / "state"
    with Store.open(state / "store.db") as store:
        pipeline(root, store, SETTINGS).run()
        assert len(store.conflicts.open()) == len(ROOMS)
    before = folder / "before"
    shutil.copytree(state, before)
    found = traced(_DECIDES, str(state / "store.db"), log=folder / "trace")
    assert sum(call.kind == "sync" for call in found) > len(ROOMS)
    return before, [_moved(call, state, before) for call in found]


def _moved(call: Call, old: Path, new: Path) -> Call:
    return Call(
        call.kind,
        call.path.replace(str(old), str(new)),
        call.data,
        call.at,
        call.to.replace(str(old), str(new)),
    )


@pytest.mark.campaign
def test_what_was_acknowledged_stands_when_the_power_is_back(
    calls: tuple[Path, list[Call]], tmp_path: Path
) -> None:
    before, done = calls
    chance = random.Random(STATES)
    told = [(place, json.loads(call.data)) for place, call in enumerate(done) if call.kind == "say"]
    disk = Disk(before)
    for place, call in enumerate(done):
        disk.take(call)
        may_stand = _may_stand(place, told)
        for _ in range(STATES if call.kind != "say" else 0):
            assert _standing(disk.after_power_loss(chance), tmp_path) in may_stand, (
                place,
                call.kind,
                call.path,
            )


def _may_stand(place: int, told: list[tuple[int, Standing]]) -> list[Standing]:
    """What was acknowledged last, or what is being decided."""
    number = sum(at <= place for at, _ in told)
    return [standing for _, standing in told[max(0, number - 1) : number + 1]]


def _standing(files: dict[str, bytes], folder: Path) -> Standing:
    """What somebody finds decided who opens a store with these files."""
    shutil.rmtree(folder)
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    path = folder / "store.db"
    with Store.open(path) as store:
        assert store.verify() == []
        found = sorted([one.action, one.target, one.why] for one in store.standing_decisions())
    copy = read_copy(path)
    assert copy is None or len(copy.decisions) >= len(found) - 1, "the copy has fallen behind"
    return found
