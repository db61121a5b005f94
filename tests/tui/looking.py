"""Pictures of the workspace: the same on every machine, taken when nothing is left to do."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest
from textual.command import CommandPalette
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from app.pipeline.messages import Message
from app.tui.app import Workspace
from app.tui.screens.capture import Capture
from tests.tui.conftest import make_workspace, settled
from tests.tui.world import READY, World, many_conflicts, one_conflict

SIZES = {"wide": (160, 45), "normal": (100, 30), "narrow": (60, 24), "short": (100, 16),
         "low": (160, 14), "small": (100, 20), "huge": (250, 60)}  # fmt: skip
THREE = ("wide", "normal", "narrow")
OLDEST_PYTHON = pytest.mark.skipif(
    sys.version_info[:2] != (3, 11), reason="the pictures were made with the oldest Python"
)
Before = Callable[[Pilot[int]], Awaitable[None]]
Maker = Callable[[Path], World]


def typed(text: str) -> tuple[str, ...]:
    """The keys that type it."""
    return tuple({" ": "space", ".": "full_stop", "/": "slash"}.get(letter, letter) for letter in text)


async def at_rest(pilot: Pilot[int]) -> None:
    """Nothing waits, no cursor blinks, and the palette has found all there is."""
    app = pilot.app
    assert isinstance(app, Workspace)
    if app.opened:
        await settled(pilot)
    else:
        await app.workers.wait_for_complete()
        await pilot.pause()
    if isinstance(app.screen, CommandPalette):
        await app.workers.wait_for_complete()
        while not app.screen.query_one(OptionList).option_count:
            await pilot.pause()
    for line in app.screen.query(Input):
        line.cursor_blink = False


class Camera:
    """Takes a picture and compares it with the one kept under the test's name."""

    def __init__(
        self,
        folder: Path,
        made: dict[Maker, World],
        compare: Callable[..., bool],
        remember: Callable[[Workspace], Workspace],
    ) -> None:
        self.folder = folder
        self._made = made
        self._compare = compare
        self._remember = remember

    def world(self, make: Maker) -> World:
        """A copy of a world that was made once for all pictures."""
        if make not in self._made:
            return make(self.folder)
        made = self._made[make]
        shutil.copytree(made.root.parent, self.folder, dirs_exist_ok=True)
        store = self.folder / made.store_path.relative_to(made.root.parent)
        return replace(made, root=self.folder / made.root.name, store_path=store)

    def sees(
        self, make: Maker, size: str, keys: tuple[str, ...] = (), *words: Message,
        theme: str | None = None, then: Before | None = None, notices: bool = False,
    ) -> bool:  # fmt: skip
        """The workspace on a world, after these keys and then what `then` does."""
        app = make_workspace(self.world(make), *(words or READY), theme=theme)
        return self.sees_app(app, size, keys, then, notices=notices)

    def sees_app(
        self, app: Workspace, size: str, keys: tuple[str, ...] = (), then: Before | None = None, *,
        notices: bool = False,
    ) -> bool:  # fmt: skip
        """`notices` leaves in the picture what would be gone after a few seconds."""
        self._remember(app)

        async def before(pilot: Pilot[int]) -> None:
            await at_rest(pilot)
            for key in keys:
                await pilot.press(key)
                await at_rest(pilot)
                if not notices:
                    # Now: under another screen it would stay in sight for as long as it takes.
                    app.clear_notifications()
                    await pilot.pause()
            if then is not None:
                await then(pilot)
                await at_rest(pilot)
            if not notices:
                app.clear_notifications()
                await pilot.pause()

        same = self._compare(app, terminal_size=SIZES[size], run_before=before)
        assert not app.return_code, "it ended with an error, of which there is only an empty picture"
        return same


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[Maker, World]:
    return {make: make(tmp_path_factory.mktemp(make.__name__)) for make in (one_conflict, many_conflicts)}


@pytest.fixture
def camera(
    made: dict[Maker, World],
    snap_compare: Callable[..., bool],
    closing: Callable[[Workspace], Workspace],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Camera:
    # Paths in the pictures are the same everywhere, and so is what the machine can do.
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BELIE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(Capture, "PAUSE", 0)
    monkeypatch.setattr("app.services.examination._watching", lambda: {"inotify_watches": 65_536})
    time.tzset()
    return Camera(tmp_path, made, snap_compare, closing)
