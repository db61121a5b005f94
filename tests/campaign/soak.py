"""`python -m tests.campaign.soak [MINUTES]`: the workspace open for two hours over a vault that never rests.

Somebody edits, adds, renames and deletes notes, types keys and runs commands beside it. Every few minutes all
holds still until the store says what the notes say. At the end nobody does anything: how much processor time
does that take, and do the models give their memory back?
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import random
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from app import places
from app.store.errors import StoreError
from app.store.store import Store
from app.vault.note import read_note
from app.vault.settings import vault_settings
from tests.campaign.processes import Held, Role, family
from tests.robust.building import COMMAND, PROJECT
from tests.robust.building import write as write_notes
from tests.robust.settling import ROOMS, generate

PATIENCE = 180.0
"""Seconds that the store may take to catch up with the notes."""
MOST_IDLE = 0.5
"""Per cent of one core, with nothing to do."""
MOST_GROWTH = 1.25
ROLES: tuple[Role, ...] = ("workspace", "worker", "models")
IN_A_SOAK = "in a soak"
THINGS = ("lamp", "shelf", "carpet", "window", "radiator", "blind")
KEYS = ("j", "k", "g", "G", "\t", "?", "\x1b", "m", "\x1b", "h", "\x1b", "/lamp\r", "\x1b")


class Window:
    """The workspace in a terminal of its own."""

    def __init__(self, vault: Path) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 140, 0, 0))
        environment = {
            **os.environ,
            "PYTHONPATH": str(PROJECT),
            "TERM": "xterm-256color",
            "LC_ALL": "C.UTF-8",
        }
        self._process = subprocess.Popen(
            [*COMMAND, str(vault)], stdin=theirs, stdout=theirs, stderr=theirs, env=environment,
            start_new_session=True,
        )  # fmt: skip
        os.close(theirs)
        self.painted = 0
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        try:
            while data := os.read(self._ours, 65536):
                self.painted += len(data)
        except OSError:  # the terminal is gone
            pass

    def press(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def family(self) -> list[Held]:
        return family(self._process.pid)

    def close(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class Person:
    """Writes notes, decides, and knows what should stand in the store."""

    def __init__(self, vault: Path, chance: random.Random) -> None:
        self._vault, self._chance = vault, chance
        self._edits = 0
        self.decided = 0
        self.refused = 0

    def edit(self) -> None:
        """One save, of one of the kinds that editors and people make."""
        self._edits += 1
        room, thing = self._chance.choice(ROOMS), self._chance.choice(THINGS)
        text = f"# {room}\n\nThe {room} {thing} is {self._edits} cm wide.\n\n- Seen on round {self._edits}.\n"
        path = self._vault / "things" / f"{room} {thing}.md"
        match self._chance.randrange(6):
            case 0 if path.exists():
                path.unlink()
            case 1 if path.exists():
                path.rename(self._vault / "moved" / path.name)
            case 2:
                beside = path.with_name(f".{path.name}.tmp")
                beside.write_text(text)
                beside.replace(path)
            case 3:
                write_notes(self._vault, {f"new/{room}.md": f"The {room} door code is {self._edits:04}.\n"})
            case _:
                path.write_text(text)

    def decide(self) -> None:
        """A command beside the workspace; what it acknowledges is counted."""
        with Store.open(places.store_path(self._vault), read_only=True) as store:
            conflicts = store.conflicts.open()
        if not conflicts:
            return
        one = self._chance.choice(conflicts)
        done = subprocess.run(
            [*COMMAND, "conflicts", "dismiss", one.id, "--reason", IN_A_SOAK, "--vault", str(self._vault)],
            env={**os.environ, "PYTHONPATH": str(PROJECT), "BELIE_MODELS": "rules"},
            capture_output=True,
            text=True,
        )
        if done.returncode == 0:
            self.decided += 1
        else:
            self.refused += 1
            assert "Traceback" not in done.stderr and "BELIE_DEBUG" not in done.stderr, done.stderr

    @property
    def edits(self) -> int:
        return self._edits


def difference(vault: Path) -> list[str]:
    """What the notes say and the store does not, and the other way round."""
    settings = vault_settings(vault)
    said = {
        (path.relative_to(vault).as_posix(), statement.text)
        for path in vault.rglob("*.md")
        for statement in read_note(path.relative_to(vault).as_posix(), path.read_bytes(), settings).statements
    }
    try:
        with Store.open(places.store_path(vault), read_only=True) as store:
            held = {
                (claim.statement.path, claim.statement.text)
                for claim in store.claims.all()
                if claim.status in ("active", "superseded", "candidate")
            }
    except StoreError as error:
        return [str(error)]
    return [f"{path}: {text}" for path, text in sorted(said ^ held)]


def caught_up(vault: Path) -> list[str]:
    """Wait until the store says what the notes say; what it missed where it never does."""
    until = time.monotonic() + PATIENCE
    while missed := difference(vault):
        if time.monotonic() > until:
            return missed
        time.sleep(1.0)
    return []


def growth(samples: list[list[Held]], role: Role) -> tuple[float, float, int, int]:
    """Memory in the second third and in the last, and the most descriptors in each."""
    of_role = [[held for held in sample if held.role == role] for sample in samples]
    seen = [one[0] for one in of_role if one]
    if len(seen) < 4:
        return 0.0, 0.0, 0, 0
    third = max(1, len(seen) // 3)
    early, late = seen[third : 2 * third], seen[-third:]  # the first third warms up
    return (
        median(h.memory for h in early),
        median(h.memory for h in late),
        max(h.descriptors for h in early),
        max(h.descriptors for h in late),
    )


def store_size(vault: Path) -> int:
    """Without its log, which SQLite uses again and again."""
    return places.store_path(vault).stat().st_size


def idle_use(window: Window, minutes: float) -> tuple[float, float]:
    """Per cent of one core that the family used while nobody did anything, and the models' memory at the
    end. The models get time to be put to rest first."""
    until = time.monotonic() + 240
    while any(held.role == "models" for held in window.family()) and time.monotonic() < until:
        time.sleep(1.0)
    before, began = {held.pid: held.seconds for held in window.family()}, time.monotonic()
    time.sleep(minutes * 60)
    now = window.family()
    used = sum(held.seconds - before.get(held.pid, 0.0) for held in now)
    models = sum(held.memory for held in now if held.role == "models")
    return 100 * used / (time.monotonic() - began), models


@dataclass
class Soak:
    """What was seen while it ran."""

    vault: Path
    window: Window
    person: Person
    samples: list[list[Held]] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    minutes: float = 0.0

    def work(self, minutes: float, every: float, chance: random.Random) -> None:
        """Edit, decide and press keys for so long; now and then hold still and compare."""
        began = sampled = checked = time.monotonic()
        while (now := time.monotonic()) < began + minutes * 60 and self.window.alive and not self.broken:
            self.person.edit()
            if chance.random() < 0.3:
                self.window.press(chance.choice(KEYS))
            if chance.random() < 0.05:
                self.person.decide()
            time.sleep(chance.uniform(0.0, 2 * every))
            if now - sampled > 30:
                sampled = now
                self.samples.append(self.window.family())
                self.sizes.append(store_size(self.vault))
            if now - checked > 300:
                checked = time.monotonic()
                self.compare()
                held = ", ".join(
                    f"{h.role} {h.memory:.0f} MB {h.descriptors} fds" for h in self.window.family()
                )
                print(f"{(checked - began) / 60:6.1f} min, {self.person.edits:,} edits; {held}", flush=True)
        self.minutes = (time.monotonic() - began) / 60
        self.compare()
        if not self.window.alive:
            self.broken.append("the workspace has ended")

    def compare(self) -> None:
        self.broken += [f"missed: {one}" for one in caught_up(self.vault)[:5]]

    def look_into_store(self) -> None:
        with Store.open(places.store_path(self.vault)) as store:
            self.broken += store.verify()
            kept = sum(one.why == IN_A_SOAK for one in store.ledger.events(1_000_000))
            events = store.ledger.last_event()
        if kept < self.person.decided:
            self.broken.append(f"{self.person.decided} decisions were acknowledged, {kept} are kept")
        first, last = (self.sizes[0], self.sizes[-1]) if self.sizes else (0, 0)
        print(f"{self.minutes:.1f} minutes, {self.person.edits:,} edits, {self.person.decided} decisions")
        print(f"  store      {first:,} B at first, {last:,} B at the end, {events:,} events")

    def tell_growth(self) -> None:
        for role in ROLES:
            early, late, few, many = growth(self.samples, role)
            print(f"  {role:<10} {early:.0f} MB, then {late:.0f} MB; {few}, then {many} descriptors")
            if role != "models" and early and (late > MOST_GROWTH * early or many > few + 5):
                self.broken.append(f"the {role} grows")

    def rest(self, minutes: float) -> None:
        used, models = idle_use(self.window, minutes)
        print(f"  idle       {used:.2f} % of a core in {minutes:g} minutes; models then held {models:.0f} MB")
        if used > MOST_IDLE:
            self.broken.append(f"idle, it uses {used:.2f} % of a core")
        if models:
            self.broken.append("the models keep their memory")


def soak(minutes: float, idle: float, every: float, seed: int, folder: Path) -> int:
    chance = random.Random(seed)
    os.environ["BELIE_HOME"] = str(folder / "home")
    vault = generate(folder / "vault")
    for name in ("things", "moved"):
        (vault / name).mkdir()
    window = Window(vault)
    run = Soak(vault, window, Person(vault, chance))
    try:
        run.compare()
        run.work(minutes, every, chance)
        run.look_into_store()
        run.tell_growth()
        if window.alive:
            run.rest(idle)
    finally:
        window.close()
    for problem in run.broken:
        print(f"BROKEN {problem}")
    return len(run.broken)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("minutes", nargs="?", type=float, default=120.0)
    parser.add_argument("--idle", type=float, default=5.0, help="minutes without anything to do, at the end")
    parser.add_argument("--every", type=float, default=2.0, help="seconds between two edits, on average")
    parser.add_argument("--seed", type=int, default=20)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="belie-soak-", ignore_cleanup_errors=True) as folder:
        return 1 if soak(asked.minutes, asked.idle, asked.every, asked.seed, Path(folder)) else 0


if __name__ == "__main__":
    sys.exit(main())
