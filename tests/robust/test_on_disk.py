"""What a person decides is on the disk when it is acknowledged, also while others hold the store open."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from app.store.store import Store
from tests.robust.building import DISPUTED, PROJECT, pipeline, write

_DECIDES = """
import os, sys
from pathlib import Path
from app.store.store import Store
with Store.open(Path(sys.argv[1])) as store:
    (conflict,) = store.conflicts.open()
    os.write(2, b"begin.")
    {what}
    os.write(2, b"done.")
"""
DECISIONS = {
    "keep": "store.conflicts.keep(conflict.id, conflict.members[0])",
    "dismiss": "store.conflicts.dismiss(conflict.id)",
    "snooze": "store.conflicts.snooze(conflict.id, '2030-01-01')",
    "resolve and undo": "store.conflicts.resolve(conflict.id); store.ledger.undo()",
}


def _trace(store: Path, log: Path, what: str) -> str:
    """What was written and synchronised between the two words of the script."""
    script = _DECIDES.replace("{what}", what)
    calls = "trace=write,pwrite64,fsync,fdatasync"
    traced = ["strace", "-f", "-qq", "-y", "-e", calls, "-o", str(log)]
    command = [*traced, sys.executable, "-c", script, str(store)]
    subprocess.run(command, check=True, capture_output=True, cwd=PROJECT)
    between = re.search(r'"begin."(.*?)"done."', log.read_text(), re.DOTALL)
    assert between is not None
    return between.group(1)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    if shutil.which("strace") is None or subprocess.run(["strace", "true"], capture_output=True).returncode:
        pytest.skip("strace is not there or may not trace")
    path = tmp_path / "store.db"
    with Store.open(path) as made:
        pipeline(write(tmp_path / "vault", DISPUTED), made).run()
    return path


@pytest.mark.parametrize("what", DECISIONS.values(), ids=DECISIONS)
def test_a_decision_is_synchronised_before_it_returns(what: str, store: Path, tmp_path: Path) -> None:
    with Store.open(store) as workspace:  # keeps SQLite from synchronising when the decider closes
        assert workspace.counts().open == 1
        done = _trace(store, tmp_path / "trace", what)
    about_it = [line for line in done.splitlines() if "store.db-wal" in line]
    assert any("write" in line for line in about_it)
    assert "sync(" in about_it[-1]


def test_what_can_be_read_again_waits_for_no_disk(store: Path, tmp_path: Path) -> None:
    with Store.open(store) as workspace:
        workspace.progress.mark_swept("2025-01-01T00:00:00+00:00")  # a new log is synchronised once as such
        done = _trace(store, tmp_path / "trace", "store.progress.mark_swept('2026-01-01T00:00:00+00:00')")
    assert "store.db-wal" in done and "sync(" not in done
