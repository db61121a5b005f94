"""A vault of any size for measuring: files on disk, indexed by the rules, with a queue of conflicts."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from app.pipeline.messages import Indexed, Message, Watching

ROOT = Path(__file__).resolve().parents[1]
CONFLICTS = 200


class MadeVault(NamedTuple):
    """Where it lies, and the store that knows it."""

    root: Path
    store: Path

    def notes(self) -> list[Path]:
        return sorted(self.root.glob("Notes/*.md"))


def make(folder: Path, claims: int, lines: int = 50) -> MadeVault:
    """About this many claims, so many to a note; made once in a folder, then found there."""
    made, whole = MadeVault(folder / "Vault", folder / "store.db"), folder / "whole"
    if whole.exists():
        return made
    shutil.rmtree(folder, ignore_errors=True)
    (made.root / "Notes").mkdir(parents=True)
    count = max(2, claims // lines)
    pairs = min(CONFLICTS, claims // 5)
    doors: dict[int, list[str]] = defaultdict(list)
    for house in range(pairs):
        doors[house % count].append(f"- The door code of house {house} is {4411 + house}.")
        doors[(house + count // 2) % count].append(f"- The door code of house {house} is {8700 + house}.")
    for number in range(count):
        date = f"{2016 + number % 10}-{number % 12 + 1:02}-{number % 28 + 1:02}"
        said = [
            f"- Valve {number}-{line} is set to {number * 7 + line} bar."
            for line in range(1, lines + 1 - len(doors[number]))
        ]
        text = "\n".join([f"---\ndate: {date}\n---\n# Part {number}\n", *said, *doors[number], ""])
        (made.root / "Notes" / f"{number:05}.md").write_text(text, encoding="utf-8")
    checked = subprocess.run(
        [sys.executable, "-m", "app.cli.main", "check", str(made.root), "--models", "rules", "--store",
         str(made.store)],
        cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    if checked.returncode not in (0, 1):
        raise SystemExit(f"the vault could not be indexed: {checked.stderr}")
    whole.touch()
    return made


EDITING = """
import itertools, os, sys, time
from pathlib import Path
notes = sorted(Path(sys.argv[1]).glob("*.md"))
kept = {note: note.read_text(encoding="utf-8").partition("\\n- Looked at")[0] for note in notes}
some = max(1, min(50, len(notes)))
for turn in itertools.count():
    for number in range(some):
        note = notes[(turn * some + number) % len(notes)]
        fresh = note.with_suffix(".tmp")  # put in its place whole: an end at any moment leaves the note whole
        fresh.write_text(f"{kept[note]}\\n- Looked at on round {turn} by hand.\\n", encoding="utf-8")
        os.replace(fresh, note)
    time.sleep(0.4)
"""


def keep_editing(vault: MadeVault) -> subprocess.Popen[bytes]:
    """A process that rewrites fifty notes again and again, so that whoever watches is never done reading."""
    return subprocess.Popen([sys.executable, "-c", EDITING, str(vault.root / "Notes")])


class Still:
    """A worker that is done."""

    alive = True

    def start(self, on_message: Callable[[Message], None]) -> None:
        on_message(Watching("watching"))
        on_message(Indexed(0, 0, 0, 0))

    def rescan(self) -> None: ...
    def models(self, wish: str) -> None: ...
    def stop(self) -> None: ...
