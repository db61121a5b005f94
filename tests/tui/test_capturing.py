"""Capture: the verdict while typing, and the three ways out of a block."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.store.store import Store
from app.tui.screens.blocked import Blocked
from app.tui.screens.capture import Capture
from app.tui.screens.main import Main
from tests.tui.conftest import Opener, Seat
from tests.tui.real import real_world
from tests.tui.test_hostile import HOSTILE
from tests.tui.world import World

AGAINST = "The shore shed keypad code is 9999."


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(Capture, "PAUSE", 0)
    yield


@pytest.fixture
def world(tmp_path: Path) -> World:
    return real_world(tmp_path)


async def write(seat: Seat, text: str) -> None:
    from textual.widgets import Input

    from tests.tui.conftest import settled

    seat.app.screen.query_one("#capture-text", Input).value = text
    await settled(seat.pilot)


def inbox(world: World) -> str:
    file = world.root / "Inbox.md"
    return file.read_text() if file.exists() else ""


async def test_the_verdict_follows_what_is_typed(sit: Opener, world: World) -> None:
    async with sit(world) as seat:
        await seat.press("c", *"The boat hook is in the locker")
        assert "Nothing you hold stands against it." in seat.screen_text()
        await write(seat, AGAINST)
        assert "It contradicts what you hold:" in seat.screen_text()
        assert "5830 ≠ 9999" in seat.screen_text()
        await write(seat, "")
        assert "appears here while you type" in seat.screen_text()
    assert inbox(world) == ""


async def test_what_stands_against_nothing_is_stored(sit: Opener, world: World) -> None:
    async with sit(world) as seat:
        await seat.press("c")
        await write(seat, "The boat hook is in the locker.")
        await seat.press("enter")
        assert isinstance(seat.app.screen, Main)
    assert "The boat hook is in the locker." in inbox(world)


async def test_something_found_out_keeps_its_source(sit: Opener, world: World) -> None:
    async with sit(world) as seat:
        await seat.press("c")
        await write(seat, "The boat hook is in the locker.")
        await seat.press("tab", *"Ailsa", "enter")
    assert "[source:: Ailsa]" in inbox(world)


async def test_who_writes_into_a_canon_inbox_is_told_what_is_disputed(sit: Opener, world: World) -> None:
    (world.root / "Inbox.md").write_text("---\ntrust: canon\n---\n", encoding="utf-8")
    async with sit(world) as seat:
        await seat.press("c")
        await write(seat, AGAINST)
        await seat.press("enter", "f", *"the builder's own", "enter")
        told = [str(note.message) for note in seat.app._notifications]
        assert any("trusted note, and what it says is disputed" in one for one in told), told


async def test_leaving_a_block_stores_nothing(sit: Opener, world: World) -> None:
    async with sit(world) as seat:
        await seat.press("c")
        await write(seat, AGAINST)
        await seat.press("enter")
        assert isinstance(seat.app.screen, Blocked)
        await seat.press("escape", "escape")
        assert isinstance(seat.app.screen, Main)
    assert inbox(world) == ""


async def test_after_leaving_a_block_one_can_write_it_otherwise(sit: Opener, world: World) -> None:
    async with sit(world) as seat:
        await seat.press("c")
        box = seat.app.screen.query_one("#capture")
        await write(seat, AGAINST)
        await seat.press("enter")
        assert not box.visible
        await seat.press("escape", "end", "backspace", "backspace", "0", "full_stop")
        assert box.visible
        assert "5830 ≠ 9990" in seat.screen_text()


async def test_superseding_needs_a_reason_and_makes_the_other_history(sit: Opener, world: World) -> None:
    async with sit(world) as seat:
        await seat.press("c")
        await write(seat, AGAINST)
        await seat.press("enter", "s", "enter")
        assert "A reason in words is needed" in seat.screen_text()
        assert inbox(world) == ""
        await seat.press(*"changed", "enter")
        assert isinstance(seat.app.screen, Main)
    assert AGAINST in inbox(world)
    with Store.open(world.store_path, read_only=True) as store:
        old = [c for c in store.claims.all() if "5830" in c.statement.text]
        assert [c.status for c in old] == ["superseded"]


async def test_what_stands_against_it_can_be_superseded_one_by_one(sit: Opener, world: World) -> None:
    async with sit(world) as seat:
        await seat.press("c")
        await write(seat, AGAINST)
        await seat.press("enter", "2", "s", *"changed", "enter")
        assert isinstance(seat.app.screen, Blocked), "the other still stands against it"
        assert inbox(world) == ""
        await seat.press("s", *"changed", "enter")
        assert isinstance(seat.app.screen, Main)
    with Store.open(world.store_path, read_only=True) as store:
        held = {c.statement.text: c.status for c in store.claims.all() if "keypad" in c.statement.text}
    assert sorted(held.values()) == ["active", "superseded", "superseded"]
    assert held[AGAINST] == "active"


async def test_an_exception_is_stored_with_its_reason(sit: Opener, world: World) -> None:
    async with sit(world) as seat:
        await seat.press("c")
        await write(seat, AGAINST)
        await seat.press("enter", "f", *"two locks", "enter")
        assert isinstance(seat.app.screen, Main)
    assert AGAINST in inbox(world)
    with Store.open(world.store_path, read_only=True) as store:
        assert "two locks" in [event.why for event in store.ledger.events(decisions=True)]


async def test_one_can_go_back_from_the_reason_to_the_ways(sit: Opener, world: World) -> None:
    async with sit(world) as seat:
        await seat.press("c")
        await write(seat, AGAINST)
        await seat.press("enter", "f", "escape", "2", "s")
        assert "let this stand instead of number 2 alone" in seat.screen_text()


@pytest.mark.parametrize("text", HOSTILE)
async def test_hostile_words_are_shown_and_do_nothing(sit: Opener, world: World, text: str) -> None:
    async with sit(world) as seat:
        await seat.press("c")
        await write(seat, f"The shore shed keypad code is 9999 {text}"[:1500])
        seen = seat.screen_text()
        assert not [c for c in seen if c != "\n" and (ord(c) < 32 or 127 <= ord(c) < 160)]
        assert "\u202e" not in seen
        await seat.press("enter")
        assert seat.app.is_running
