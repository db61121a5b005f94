"""Nothing written in a note is read as markup or reaches the terminal as a command."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len

from app.store.store import Store
from tests.tui.conftest import Opener, settled
from tests.tui.world import World, empty_world

HOSTILE = [
    "[/",
    "[[x]]",
    "[b",
    "[@click=app.quit]press me[/]",
    "[red]no[/red] [/] [link=x]y",
    "\\[esc] $primary {x} %s",
    "\x1b[2J\x1b]0;owned\x07 after",
    "\x9b31m C1",
    "pay \u202ereversed\u202c now",
    "zero\u200bwidth\u200djoin",
    "日本語のメモ ｗｉｄｅ 👩‍👩‍👧",
    "combi\u0301ning e\u0301\u0302\u0303\u0304\u0305\u0306\u0307",
    "x" * 10_000,
    "tab\there\tand\tthere",
]


def hostile_world(folder: Path, *texts: str) -> World:
    """A conflict about each text, which stands in title, path, statement, question and reason."""
    world = empty_world(folder)
    for number, text in enumerate(texts):
        path = f"[b]Farm/[@click=app.quit]{number}.md"
        mine = world.note(path, [f"The code {text} is 1"], date="2026-01-01", title=text)
        other = world.note(f"Daily {number}.md", [f"The code {text} is 2"], date="2026-02-01")
        world.conflict([mine[0], other[0]], f"Is {text} still so?", detail=f"1 {text} 2")
    return world


def harmless(seen: str, width: int) -> None:
    """Nothing on the screen acts on the terminal, and every line is as wide as it is."""
    assert not [c for c in seen if c != "\n" and (ord(c) < 32 or 127 <= ord(c) < 160)]
    assert "\u202e" not in seen and "\u200b" not in seen
    assert {cell_len(line) for line in seen.splitlines()} <= {width}


@pytest.mark.parametrize("size", [(160, 45), (60, 24)], ids=["wide", "narrow"])
async def test_hostile_text_is_shown_in_every_pane_and_does_nothing(
    sit: Opener, tmp_path: Path, size: tuple[int, int]
) -> None:
    world = hostile_world(tmp_path, *HOSTILE)
    async with sit(world, size=size) as seat:
        for pane in ("conflicts", "detail", "story"):
            for _ in HOSTILE:
                harmless(seat.screen_text(), size[0])
                seat.main.queue.move_to(seat.main.queue.cursor + 1)
                await settled(seat.pilot)
            seat.main.queue.move_to(0)
            await seat.press("tab")
            assert pane == "story" or seat.main.controllers.panes.here != pane
        for _ in HOSTILE:
            await seat.press("1")
            assert any("Kept" in toast for toast in seat.toasts)
        assert seat.app.is_running
    assert {world.stored(conflict.id).status for conflict in world.conflicts} == {"resolved"}


@pytest.mark.parametrize("text", HOSTILE[:6])
async def test_brackets_stand_as_they_were_written(sit: Opener, tmp_path: Path, text: str) -> None:
    async with sit(hostile_world(tmp_path, text), size=(160, 45)) as seat:
        seen = seat.screen_text()
        assert f"The code {text} is: 1 or 2?" in seen
        assert f"The code {text} is" in seen
        assert "[b]Farm/[@click=app.quit]0.md:1" in seen


async def test_an_escape_sequence_is_shown_as_its_picture(sit: Opener, tmp_path: Path) -> None:
    async with sit(hostile_world(tmp_path, HOSTILE[6]), size=(200, 45)) as seat:
        assert "␛[2J␛]0;owned␇ after" in seat.screen_text()


async def test_hostile_text_in_filters_searches_reasons_and_diffs(sit: Opener, tmp_path: Path) -> None:
    world = hostile_world(tmp_path, HOSTILE[3])
    for number, text in enumerate(HOSTILE):
        world.note(f"T{number}.md", [f"Tagged {number}."], tags=(text,), project=text)
    async with sit(world) as seat:
        await seat.press("f")
        for key in ("down", "pagedown", "pagedown", "pagedown"):
            harmless(seat.screen_text(), 140)
            await seat.press(key)
        await seat.press("enter")
        harmless(seat.screen_text(), 140)
        await seat.press("escape", "slash", "left_square_bracket", "slash", "b", "right_square_bracket")
        assert "Story · [/b]" in seat.screen_text()
        await seat.press("escape", "tab", "i", "left_square_bracket", "slash", "enter")
        assert "because: [/" in seat.screen_text()
        await seat.press("w")
        harmless(seat.screen_text(), 140)
        assert "[@click=app.quit]" in seat.screen_text()
        await seat.press("escape", "y")
        copied = {f"The code {HOSTILE[3]} is {n}" for n in (1, 2)}
        assert seat.app.clipboard in copied, "what is copied is what was written"
        await seat.press("s")
        harmless(seat.screen_text(), 140)
        assert seat.app.is_running


async def test_a_hostile_vault_name_and_a_click_on_it(sit: Opener, tmp_path: Path) -> None:
    root = tmp_path / "[@click=app.quit]vault"
    root.mkdir()
    world = World(root, tmp_path / "state" / "s.db")
    Store.open(world.store_path).close()
    async with sit(world) as seat:
        assert "[@click=app.quit]vault" in seat.screen_text()
        await seat.pilot.click("#top", offset=(12, 0))
        assert seat.app.is_running
