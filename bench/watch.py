"""How long after a save the watcher's hint comes, beside a bare watchdog observer in the same run.

    python -m bench.watch [--rounds N]

Times run from the first step of the save. The bare observer has a trivial handler and is done at the last
event of the note; the watcher then waits for quiet on top, so that one save is one hint. Both see the same
save, and the last column says how many hints it led to.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import NamedTuple

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer

from app.vault.settings import VaultSettings
from app.vault.watch import Watcher
from tests.vault.editors import WAYS, Save

LIMIT = 2.0
PATIENCE = 20.0
QUIET = 0.15
BEFORE = "The garage code is 4411.\n"
AFTER = BEFORE + "It was changed to 0087.\n"


class Record:
    """When which path was reported."""

    def __init__(self) -> None:
        self._news = threading.Condition()
        self._times: dict[str, list[float]] = {}

    def add(self, *names: str) -> None:
        with self._news:
            for name in names:
                self._times.setdefault(name, []).append(time.perf_counter())
            self._news.notify_all()

    def wait(self, name: str) -> list[float]:
        with self._news:
            if not self._news.wait_for(lambda: name in self._times, PATIENCE):
                raise SystemExit(f"{name} was not noticed")
            return self._times[name]

    def clear(self) -> None:
        with self._news:
            self._times.clear()


class Bare(FileSystemEventHandler):
    def __init__(self, record: Record) -> None:
        self._record = record

    def on_any_event(self, event: FileSystemEvent) -> None:
        # Reading, which the watcher never reports, is left out here too.
        if event.event_type not in ("opened", "closed_no_write"):
            self._record.add(*(Path(os.fsdecode(path)).name for path in (event.src_path, event.dest_path)))


class Delay(NamedTuple):
    bare: float
    watcher: float
    hints: int


def measure(save: Save, rounds: int) -> list[Delay]:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve() / "vault"
        root.mkdir()
        (root / "note.md").write_text(BEFORE)
        bare, hints = Record(), Record()
        watcher = Watcher(root, VaultSettings(), lambda hint: hints.add(*(hint or ())), debounce=QUIET)
        observer = Observer()
        observer.schedule(Bare(bare), os.fspath(root), recursive=True)
        observer.start()
        watcher.start()
        try:
            return [measure_once(save, root, bare, hints, number) for number in range(rounds)]
        finally:
            watcher.stop()
            observer.stop()
            observer.join()


def measure_once(save: Save, root: Path, bare: Record, hints: Record, number: int) -> Delay:
    began = time.perf_counter()
    save(root / "note.md", AFTER)
    first_hint = hints.wait("note.md")[0]
    # Whatever was still to be said about the note has been said when this file is reported.
    (root / f"end{number}.md").touch()
    bare.wait(f"end{number}.md")
    hints.wait(f"end{number}.md")
    delay = Delay(bare.wait("note.md")[-1] - began, first_hint - began, len(hints.wait("note.md")))
    (root / "note.md").write_text(BEFORE)
    (root / f"rest{number}.md").touch()
    bare.wait(f"rest{number}.md")
    hints.wait(f"rest{number}.md")
    bare.clear()
    hints.clear()
    return delay


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    print(f"{'way of saving':22}{'bare':>10}{'watcher':>10}{'ratio':>8}{'worst':>10}  within 2 s  hints")
    worst = 0.0
    for name, save in WAYS.items():
        delays = measure(save, rounds)
        bare = statistics.median(delay.bare for delay in delays)
        watcher = statistics.median(delay.watcher for delay in delays)
        slowest = max(delay.watcher for delay in delays)
        worst = max(worst, slowest)
        times = "".join(f"{seconds * 1000:7.1f} ms" for seconds in (bare, watcher))
        print(
            f"{name:22}{times}{watcher / bare:7.0f}x{slowest * 1000:7.1f} ms"
            f"  {'yes' if slowest <= LIMIT else 'NO':10}  {max(delay.hints for delay in delays)}"
        )
    print(f"Of the watcher's time {QUIET * 1000:.0f} ms is the quiet it waits for.")
    return 1 if worst > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())
