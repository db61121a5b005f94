"""Writing a decision into the notes: first the diff, nothing without a yes, and u takes it back."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.pipeline.around import Around
from app.pipeline.index_vault import Pipeline
from app.store.store import Store
from app.tui.screens.main import Main
from app.tui.screens.write_back import WriteBack
from app.vault.settings import vault_settings
from app.words import Conflict
from tests.tui.conftest import Opener
from tests.tui.world import AT, World

WON, LOST = "Farm/Access codes.md", "Daily/2026-05-12.md"
SAYS_WON = "The shore shed keypad code is 5830."
SAYS_LOST = "- The shore shed keypad code is 5380."


@pytest.fixture
def one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    """Two codes for one keypad, in notes that were really read: an edit needs the statement's own place."""
    monkeypatch.setenv("BELIE_HOME", str(tmp_path / "home"))
    root = tmp_path / "Skerrow"
    for path, words in (
        (WON, f"---\ndate: 2026-02-11\ntrust: canon\n---\n{SAYS_WON}\n"),
        (LOST, f"- Rain.\n{SAYS_LOST}\n"),
    ):
        (root / path).parent.mkdir(parents=True)
        (root / path).write_text(words)
    world = World(root, tmp_path / "state" / "skerrow.db")
    with Store.open(world.store_path) as store:
        Pipeline(root, store, vault_settings(root), around=Around(clock=lambda: AT)).run()
        world.conflicts = store.conflicts.open()
    assert len(world.conflicts) == 1
    return world


def stored(world: World) -> Conflict:
    return world.stored(world.conflicts[0].id)


def text(world: World, path: str) -> str:
    return (world.root / path).read_text()


async def test_the_diff_is_shown_and_escape_leaves_everything_alone(sit: Opener, one: World) -> None:
    before = text(one, LOST)
    async with sit(one) as seat:
        await seat.press("w")
        assert isinstance(seat.app.screen, WriteBack)
        seen = seat.screen_text()
        assert "keeps “5830”  Access codes" in seen
        assert "-- The shore shed keypad code is 5380." in seen
        assert "+- ~~The shore shed keypad code is 5380.~~" in seen
        await seat.press("escape")
        assert isinstance(seat.app.screen, Main)
    assert text(one, LOST) == before and stored(one).status == "open"


async def test_enter_keeps_and_writes_and_undo_takes_both_back(sit: Opener, one: World) -> None:
    before = text(one, LOST)
    async with sit(one) as seat:
        await seat.press("w", "enter")
        assert "~~The shore shed keypad code is 5380.~~" in text(one, LOST)
        assert stored(one).winner == one.conflicts[0].members[0]
        assert any(LOST in toast and "u to undo" in toast for toast in seat.toasts)
        assert seat.selected is None
        await seat.press("u")
        assert text(one, LOST) == before
        assert (stored(one).status, seat.selected) == ("open", one.conflicts[0].id)


async def test_another_style_and_another_winner(sit: Opener, one: World) -> None:
    before = text(one, LOST)
    async with sit(one) as seat:
        await seat.press("w", "2", "h")
        seen = seat.screen_text()
        assert "keeps “5380”  2026-05-12" in seen and "⟶ superseded by" in seen
        await seat.press("l", "l")
        assert "+The shore shed keypad code is 5380." in seat.screen_text()
        await seat.press("enter")
    assert "keypad code is 5380." in text(one, WON) and text(one, LOST) == before
    assert stored(one).winner == one.conflicts[0].members[1]


async def test_a_settled_conflict_is_written_for_its_winner(sit: Opener, one: World) -> None:
    async with sit(one) as seat:
        await seat.press("2", "left_square_bracket")
        await seat.press("w", "1")
        assert "kept “5380”  2026-05-12" in seat.screen_text(), "what is decided is decided"
        await seat.press("enter")
        assert "~~The shore shed keypad code is 5830.~~" in text(one, WON)
        await seat.press("u")
        assert "~~" not in text(one, WON)
    assert stored(one).status == "resolved"


async def test_a_note_that_changed_meanwhile_is_not_overwritten(sit: Opener, one: World) -> None:
    async with sit(one) as seat:
        await seat.press("w")
        (one.root / LOST).write_text("- Something else entirely.\n")
        await seat.press("enter")
        assert any("Not written" in toast for toast in seat.toasts)
    assert text(one, LOST) == "- Something else entirely.\n"


async def test_a_line_that_is_gone_is_said_and_nothing_can_be_written(sit: Opener, one: World) -> None:
    (one.root / LOST).write_text("- Something else entirely.\n")
    async with sit(one) as seat:
        await seat.press("w")
        assert "is left alone" in seat.screen_text()
        await seat.press("enter")
        assert isinstance(seat.app.screen, WriteBack)
        await seat.press("escape")
    assert stored(one).status == "open"


async def test_a_dismissed_conflict_has_nothing_to_write(sit: Opener, one: World) -> None:
    async with sit(one) as seat:
        await seat.press("x", "left_square_bracket", "w")
        assert isinstance(seat.app.screen, Main)


async def test_a_style_is_clicked(sit: Opener, one: World) -> None:
    async with sit(one) as seat:
        await seat.press("w")
        await seat.pilot.click("#write-styles", offset=(2, 0))
        await seat.press("j")
        assert "marks the losing statement" in seat.screen_text()
        await seat.press("escape")
