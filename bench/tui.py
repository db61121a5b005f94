"""Key press to painted, of the workspace while the index runs, against an idle bare Textual list."""

from __future__ import annotations

import argparse
import asyncio
import gc
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from textual._compositor import ChopsUpdate  # noqa: E402
from textual.app import App, ComposeResult  # noqa: E402
from textual.events import Key  # noqa: E402
from textual.widget import Widget  # noqa: E402
from textual.widgets import OptionList  # noqa: E402

from app.pipeline.handle import Worker  # noqa: E402
from app.pipeline.messages import Indexed, Message  # noqa: E402
from app.tui.app import Workspace  # noqa: E402
from bench.made_vault import MadeVault, Still, keep_editing, make  # noqa: E402

SIZE = (160, 45)


class Watched:
    """Mixed into an app: tells when a list is painted with its cursor in another place than before.

    What else is painted (a progress bar, a clock) does not count. The paint is made into a string as a
    terminal would get it.
    """

    def __init__(self, *args, **kwargs) -> None:
        super().__init__(*args, **kwargs)
        self.painted = asyncio.Event()
        self.painted_at = 0.0
        self.drawn: int | None = None
        self.before: int | None = None

    def watch_list(self, widget: Widget, cursor: Callable[[], int | None], height: int) -> None:
        self._list, self._cursor, self._height = widget, cursor, height
        draw = widget.render_lines

        def drawing(crop):
            strips = draw(crop)
            self.drawn = cursor()
            return strips

        widget.render_lines = drawing

    def expect(self) -> None:
        self.before = self._cursor()
        self.painted.clear()

    def _display(self, screen, update) -> None:
        super()._display(screen, update)
        if update is None or not hasattr(self, "_list"):
            return
        update.render_segments(self.console)
        if self.drawn != self.before and self._shows_cursor(update):
            self.painted_at = time.perf_counter()
            self.painted.set()

    def _shows_cursor(self, update) -> bool:
        if not isinstance(update, ChopsUpdate):
            return True
        region = self._list.region
        y = region.y + self.drawn * self._height - round(self._list.scroll_y)
        return any(line == y and x1 <= region.x < x2 for line, x1, x2 in update.spans)


class BareList(Watched, App[None]):
    """What every Textual list costs: an idle one with nothing around it."""

    def compose(self) -> ComposeResult:
        yield OptionList(*[f"Row {number}" for number in range(1000)])


class Bench(Watched, Workspace):
    """The workspace, painting into nowhere; counts what the index says and the notes it has read."""

    heard = 0
    read = 0

    def _hear(self, word: Message) -> None:
        self.heard += 1
        if isinstance(word, Indexed):
            self.read += word.changed_notes
        super()._hear(word)


class Kind(NamedTuple):
    """What is measured: where one is, and the key that is pressed again and again."""

    name: str
    pane: str
    keys: tuple[str, str]
    """On, and back again from the end."""


KINDS = (
    Kind("story by lines", "story", ("j", "k")),
    Kind("story by pages", "story", ("pagedown", "pageup")),
    Kind("conflicts by lines", "conflicts", ("j", "k")),
)


async def presses(
    app: BareList | Bench, keys: tuple[str, str], count: int, last: Callable[[], int]
) -> list[float]:
    """Seconds from each key to the paint that shows it."""
    took = []
    key = keys[0]
    for _ in range(count):
        await asyncio.sleep(0.05)
        if app._cursor() in (0, last()):
            key = keys[0] if app._cursor() == 0 else keys[1]
        app.expect()
        start = time.perf_counter()
        app._driver.send_message(Key(key, key if len(key) == 1 else None))
        await app.painted.wait()
        took.append(app.painted_at - start)
    return took


async def bare(count: int) -> list[float]:
    app = BareList()
    async with app.run_test(size=SIZE) as pilot:
        rows = app.query_one(OptionList)
        app.watch_list(rows, lambda: rows.highlighted, 1)
        await pilot.pause(0.5)
        app.action_focus_next()
        rows.highlighted = 0
        return await presses(app, ("down", "up"), count, lambda: rows.option_count - 1)


async def workspace(vault: MadeVault, kind: Kind, count: int, indexing: bool) -> tuple[list[float], int]:
    """The times of the keys, and how many notes the index read meanwhile."""
    app = Bench(vault.root, vault.store, Worker if indexing else lambda *_: Still())
    editing = keep_editing(vault) if indexing else None
    try:
        async with app.run_test(size=SIZE) as pilot:
            main = app.main
            while not (main.story.total and main.queue.total and app.heard):
                await pilot.pause(0.1)
            rows = main.story if kind.pane == "story" else main.queue
            main.controllers.panes.show(kind.pane)
            rows.move_to(0)
            app.watch_list(rows, lambda: rows.cursor, rows.ROW_HEIGHT)
            await pilot.pause(1.0)
            app.read = 0
            took = await presses(app, kind.keys, count, lambda: rows.total - 1)
            return took, app.read
    finally:
        if editing is not None:
            editing.kill()
            editing.wait()
        await asyncio.to_thread(app.close_vault)


def p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[18]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--claims", type=int, nargs="+", default=[1_000, 100_000])
    parser.add_argument("--keys", type=int, default=80)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--idle", action="store_true", help="without an index at work")
    parser.add_argument("--folder", type=Path, help="where vaults are made and kept for the next time")
    parser.add_argument("--only", default="", help="part of a name: measure only this")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as passing:
        for claims in asked.claims:
            vault = make((asked.folder or Path(passing)) / str(claims), claims)
            for kind in KINDS:
                if asked.only in kind.name:
                    _report(vault, kind, claims, asked)


def _report(vault: MadeVault, kind: Kind, claims: int, asked: argparse.Namespace) -> None:
    """Rounds of bare and workspace in turn; the middle of the ratios.

    The middle key stands beside the slowest: on a shared machine p95 is often somebody else's doing.
    """
    bares, ours, read = [], [], 0
    for _ in range(asked.rounds):
        gc.collect()
        bares.append(asyncio.run(bare(asked.keys)))
        gc.collect()
        took, notes = asyncio.run(workspace(vault, kind, asked.keys, not asked.idle))
        ours.append(took)
        read += notes
    slow = [p95(mine) / p95(its) for mine, its in zip(ours, bares, strict=True)]
    usual = [statistics.median(mine) / statistics.median(its) for mine, its in zip(ours, bares, strict=True)]
    print(
        f"{claims:>7,} claims, {kind.name:<18} {statistics.median(slow):4.2f} ×"
        f"   ({min(slow):.2f} to {max(slow):.2f}; p95 {_milliseconds(p95, ours)},"
        f" bare {_milliseconds(p95, bares)})"
        f"   middle {statistics.median(usual):4.2f} ×   {read:,} notes read meanwhile",
        flush=True,
    )


def _milliseconds(of: Callable[[list[float]], float], rounds: list[list[float]]) -> str:
    return f"{statistics.median(of(took) for took in rounds) * 1000:.0f} ms"


if __name__ == "__main__":
    main()
