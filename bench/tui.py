"""Key press to painted, and start to first paint, of the workspace against a bare Textual list and app."""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from textual.app import App, ComposeResult  # noqa: E402
from textual.events import Key  # noqa: E402
from textual.widgets import OptionList  # noqa: E402

from app.index.messages import Indexed, Message, Progress, Watching  # noqa: E402
from app.store.changes import ClaimChange, ConflictChange, FileStat, NoteChange  # noqa: E402
from app.store.store import Store  # noqa: E402
from app.tui.app import Workspace  # noqa: E402
from app.words import Claim, Conflict, Norm, Note, Reason, Slot, Statement  # noqa: E402

AT = "2026-06-30T08:00:00.000000+00:00"
SIZE = (160, 45)
NOTE_LINES = 50
CONFLICTS = 200


class Painted:
    """Mixed into an app: tells when something was painted."""

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.painted = asyncio.Event()
        self.painted_at = 0.0

    def _display(self, screen, renderable) -> None:
        super()._display(screen, renderable)
        if renderable is not None:
            self.painted_at = time.perf_counter()
            self.painted.set()


class BareList(Painted, App[None]):
    """What every Textual list costs: an idle one with nothing around it."""

    def compose(self) -> ComposeResult:
        yield OptionList(*[f"Row {number}" for number in range(200)])


class Bench(Painted, Workspace):
    """The workspace, painting into nowhere."""


class Silent:
    """A worker that is done; with `busy` it reports progress for ever, as a first index does."""

    alive = True

    def __init__(self, busy: bool) -> None:
        self.busy = busy
        self.stopped = False

    def start(self, on_message: Callable[[Message], None]) -> None:
        on_message(Watching("watching"))
        on_message(Indexed(0, 0, 0, 0))
        done = 0
        while self.busy and not self.stopped:
            done += 1
            on_message(Progress("reading", done, 100_000))
            if done % 40 == 0:
                on_message(Indexed(0, 0, 0, 0))
            time.sleep(0.025)

    def rescan(self) -> None: ...

    def stop(self) -> None:
        self.stopped = True


def fill(path: Path, claims: int) -> None:
    """A store with this many claims and a queue of conflicts."""
    ids: list[str] = []
    with Store.open(path) as store:
        for note_number in range(claims // NOTE_LINES):
            name = f"Notes/{note_number:05}.md"
            date = f"{2016 + note_number % 10}-{note_number % 12 + 1:02}-{note_number % 28 + 1:02}"
            made = []
            for line in range(1, NOTE_LINES + 1):
                text = f"The setting {line} of part {note_number} is {note_number * 7 + line} and stays so."
                statement = Statement(
                    name, line, line, text, text, "bullet", date=date, dated_by="frontmatter"
                )
                norm = Norm(f"setting {line} of part {note_number}", value=str(line), single=True)
                id = f"{note_number:06x}{line:02x}"
                made.append(Claim(id, statement, f"Part {note_number}", (norm,), first_seen=AT))
                ids.append(id)
            note = Note(name, name, f"Part {note_number}", statements=tuple(one.statement for one in made))
            changes = tuple(ClaimChange("added", one) for one in made)
            store.apply_notes([NoteChange(name, "present", note, FileStat(1, 1, 1), claims=changes)], AT)
        step = max(2, len(ids) // CONFLICTS)
        for number, place in enumerate(range(0, len(ids) - step, step)):
            question = f"Is setting {number} still so?"
            conflict = Conflict(
                f"c-{number:08x}", "disagreement", (ids[place], ids[place + step // 2]),
                Slot("memory_slot", question, (question,)), "warn", 0.9, question, ("guard",),
                (Reason("structural", "contradiction (value)", "HIGH", "1 ≠ 2"),), detected_at=AT,
            )  # fmt: skip
            store.apply_conflicts([ConflictChange("opened", conflict)], AT)


async def presses(app: BareList | Bench, keys: list[str]) -> list[float]:
    """Seconds from each key to the next paint, the app at rest before each."""
    took = []
    async with app.run_test(size=SIZE) as pilot:
        await app.painted.wait()
        await pilot.pause(1.0)
        if isinstance(app, Bench):
            for hand in app.hands:
                await asyncio.to_thread(hand.wait)
        for key in keys:
            await asyncio.sleep(0.05)
            app.painted.clear()
            start = time.perf_counter()
            app._driver.send_message(Key(key, key if len(key) == 1 else None))
            await app.painted.wait()
            took.append(app.painted_at - start)
    return took


def p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[18]


def first_paint(code: str, runs: int, cache: str) -> tuple[float, float]:
    """Medians of a fresh interpreter from its start to the first paint: seconds, and seconds of processor.

    On a busy machine the second is the one to compare. Byte code is cached as an installed program has it.
    """
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": cache}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    took, used = [], []
    for run in range(runs + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter()
        subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, env=environment
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if run:  # The first one fills the cache.
            took.append(time.perf_counter() - start)
            used.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(took), statistics.median(used)


BARE_START = """
from textual.app import App
class Bare(App):
    def on_mount(self): self.call_after_refresh(self.exit)
Bare().run(headless=True, size=(160, 45))
"""
OUR_START = """
import sys
from pathlib import Path
from app.tui.app import Workspace
class Quiet:
    alive = True
    def start(self, on_message): pass
    def rescan(self): pass
    def stop(self): pass
class Ours(Workspace):
    def on_mount(self):
        super().on_mount()
        self.call_after_refresh(self.exit)
app = Ours(Path("sample_vault"), Path({store!r}), lambda *_: Quiet())
app.run(headless=True, size=(160, 45))
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", type=int, nargs="+", default=[1_000, 100_000])
    parser.add_argument("--keys", type=int, default=100)
    parser.add_argument("--runs", type=int, default=5)
    asked = parser.parse_args()
    bare = p95(asyncio.run(presses(BareList(), ["down"] * asked.keys)))
    print(f"bare list                        p95 {bare * 1000:6.1f} ms")
    with tempfile.TemporaryDirectory() as folder:
        for claims in asked.claims:
            path = Path(folder) / str(claims) / "s.db"
            fill(path, claims)
            for what, keys, busy in (
                ("story", ["shift+tab"] + ["j"] * asked.keys, False),
                ("story, by pages", ["shift+tab"] + ["pagedown"] * asked.keys, False),
                ("conflicts", ["j"] * asked.keys, False),
                ("story while indexing", ["shift+tab"] + ["j"] * asked.keys, True),
            ):
                app = Bench(ROOT / "sample_vault", path, lambda *_, busy=busy: Silent(busy), now="2026-06-30")
                took = p95(asyncio.run(presses(app, keys))[1:])
                app.worker.stop()
                app.close_hands()
                print(f"{claims:>7,} claims, {what:<22} p95 {took * 1000:6.1f} ms   {took / bare:4.1f} ×")
        store = str(Path(folder) / str(asked.claims[0]) / "s.db")
        empty, empty_used = first_paint(BARE_START, asked.runs, f"{folder}/cache")
        ours, ours_used = first_paint(OUR_START.format(store=store), asked.runs, f"{folder}/cache")
    print(
        f"start to first paint: {ours * 1000:.0f} ms, bare app {empty * 1000:.0f} ms   {ours / empty:.2f} ×"
        f"   (of processor time {ours_used / empty_used:.2f} ×)"
    )


if __name__ == "__main__":
    main()
