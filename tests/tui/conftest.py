"""Opening the workspace on a prepared store, and waiting until it has nothing left to do."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.keys import key_to_character
from textual.pilot import Pilot

from app.pipeline.messages import Message
from app.tui.app import Workspace
from app.tui.screens.main import Main
from tests.tui.world import NOW, READY, ScriptedWorker, World, many_conflicts, one_conflict

Opener = Callable[..., AbstractAsyncContextManager["Seat"]]


async def settled(pilot: Pilot[int]) -> None:
    """Until the worker has spoken, no job or news waits and no answer is left to handle."""
    app = pilot.app
    assert isinstance(app, Workspace)
    worker = app.session.worker
    await pilot.pause()
    if isinstance(worker, ScriptedWorker):
        await asyncio.to_thread(worker.started.wait)
    quiet = 0
    while quiet < 2:
        before = [thread.done for thread in app.session.threads]
        for thread in app.session.threads:
            await asyncio.to_thread(thread.wait)
        await pilot.pause()
        waits = any(
            isinstance(screen, Main) and screen.controllers.store.news_waits for screen in app.screen_stack
        )
        quiet = quiet + 1 if not waits and before == [thread.done for thread in app.session.threads] else 0


def make_workspace(world: World, *words: Message, theme: str | None = None) -> Workspace:
    app = Workspace(
        world.root, world.store_path, lambda *_: ScriptedWorker(*(words or READY)), now=NOW, theme=theme
    )
    app.animation_level = "none"
    return app


class Seat:
    """A person in front of the workspace."""

    def __init__(self, app: Workspace, pilot: Pilot[int], world: World) -> None:
        self.app = app
        self.pilot = pilot
        self.world = world

    @property
    def main(self) -> Main:
        return next(screen for screen in self.app.screen_stack if isinstance(screen, Main))

    @property
    def worker(self) -> ScriptedWorker:
        assert isinstance(self.app.session.worker, ScriptedWorker)
        return self.app.session.worker

    @property
    def selected(self) -> str | None:
        row = self.main.queue.selected
        return row.id if row else None

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.pilot.press(key)
            await settled(self.pilot)

    async def press_at_once(self, *keys: str) -> None:
        """Keys that are all there before the first of them is dealt with, as on a busy machine."""
        for key in keys:
            self.app.post_message(events.Key(key, key_to_character(key)))
        await settled(self.pilot)

    async def say(self, word: Message) -> None:
        """Have the worker say something, from a thread as the real one does."""
        await asyncio.to_thread(self.worker.say, word)
        await settled(self.pilot)

    def screen_text(self) -> str:
        """What the terminal shows, line by line."""
        lines = self.app.screen._compositor.render_strips()
        assert len(lines) == self.app.size.height
        return "\n".join(line.text for line in lines)

    @property
    def toasts(self) -> list[str]:
        return [str(notice.message) for notice in self.app._notifications]


@pytest.fixture(autouse=True)
def no_clocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests poll by hand: on a slow machine one a second would never let `settled` come to rest. And however
    fast their keys come, detail and story follow each of them."""
    monkeypatch.setattr("app.tui.controllers.store_controller.POLL_SECONDS", 3600.0)
    monkeypatch.setattr("app.tui.controllers.selection_controller.FOLLOW_SECONDS", 0.0)


@pytest.fixture(autouse=True)
def lasting_notices(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow the machine, what was said a moment ago is still there."""
    notify = Workspace.notify

    def lasting(app: Workspace, said: str, **how: Any) -> None:
        notify(app, said, **{**how, "timeout": 3600})

    monkeypatch.setattr(Workspace, "notify", lasting)


@pytest.fixture
def sit() -> Opener:
    """Opens the workspace on a world: `async with sit(world) as seat`."""

    @asynccontextmanager
    async def opened(
        world: World, *words: Message, size: tuple[int, int] = (140, 40), theme: str | None = None
    ) -> AsyncIterator[Seat]:
        app = make_workspace(world, *words, theme=theme)
        try:
            async with app.run_test(size=size) as pilot:
                await settled(pilot)
                yield Seat(app, pilot, world)
        finally:
            await asyncio.to_thread(app.close_vault)

    return opened


@pytest.fixture
def one(tmp_path: Path) -> World:
    return one_conflict(tmp_path)


@pytest.fixture
def many(tmp_path: Path) -> World:
    return many_conflicts(tmp_path)


@pytest.fixture
def closing() -> Iterator[Callable[[Workspace], Workspace]]:
    """Remembers workspaces that a test runs by other means, and ends their threads."""
    made: list[Workspace] = []

    def remember(app: Workspace) -> Workspace:
        made.append(app)
        return app

    yield remember
    for app in made:
        app.close_vault()
