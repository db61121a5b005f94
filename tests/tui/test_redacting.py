"""Redaction from the workspace: nothing without a reason and the word; then the words are gone everywhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.store.store import Store
from app.tui.screens.main import Main
from app.tui.screens.redact import Redact
from tests.tui.conftest import Opener, Seat
from tests.tui.real import real_world
from tests.tui.world import World

SECRET = "The shore shed keypad code is 5830."


@pytest.fixture
def real(tmp_path: Path) -> World:
    return real_world(tmp_path)


async def ask(seat: Seat) -> None:
    """Redact the member that says the secret, as far as the dialog."""
    member = seat.main.detail.marked_member
    assert member is not None
    if member.claim.statement.text != SECRET:
        await seat.press("l")
    await seat.press("f9")
    assert isinstance(seat.app.screen, Redact)


def texts(world: World) -> list[str]:
    with Store.open(world.store_path, read_only=True) as store:
        return [claim.statement.text for claim in store.claims.all()]


async def test_what_is_lost_is_said_and_escape_leaves_it(sit: Opener, real: World) -> None:
    async with sit(real) as seat:
        await ask(seat)
        seen = seat.screen_text()
        assert SECRET in seen and "Farm/Access codes.md:8" in seen
        assert "cannot be undone" in seen
        await seat.press("escape")
        assert isinstance(seat.app.screen, Main)
    assert SECRET in texts(real)


async def test_neither_word_nor_reason_may_be_missing(sit: Opener, real: World) -> None:
    async with sit(real) as seat:
        await ask(seat)
        await seat.press("enter", *"redact", "enter")
        assert "A reason in words is needed" in seat.screen_text()
        await seat.press(*"code", "enter", "enter")
        assert isinstance(seat.app.screen, Main), "the word was there already"
    assert SECRET not in texts(real)


async def test_the_words_go_and_the_note_keeps_its_line(sit: Opener, real: World) -> None:
    async with sit(real) as seat:
        await ask(seat)
        await seat.press(*"moved", "enter", *"please", "enter")
        assert "Type redact" in seat.screen_text()
        await seat.press(*["backspace"] * 6, *"Redact", "enter")
        assert isinstance(seat.app.screen, Main)
        (said,) = [toast for toast in seat.toasts if "redacted" in toast]
        assert "cannot be undone" in said and "It still stands in Farm/Access codes.md:8." in said
        assert seat.worker.rescans == 1
        assert SECRET not in seat.screen_text()
    assert SECRET not in texts(real)
    assert SECRET in (real.root / "Farm/Access codes.md").read_text()
    with Store.open(real.store_path, read_only=True) as store:
        assert store.ledger.events(1)[0].action != "undo"
        assert any(event.action == "redacted" and event.why == "moved" for event in store.ledger.events())


async def test_a_reason_that_repeats_the_words_is_refused(sit: Opener, real: World) -> None:
    async with sit(real) as seat:
        await ask(seat)
        seat.app.screen.query_one("#redact-why").value = SECRET  # type: ignore[attr-defined]
        await seat.press("enter", *"redact", "enter")
        assert any("repeats the text" in toast for toast in seat.toasts)
    assert SECRET in texts(real)


async def test_the_line_of_the_story_is_meant_when_the_story_has_the_focus(sit: Opener, real: World) -> None:
    async with sit(real) as seat:
        await seat.press("tab", "tab", "g", "f9")
        assert isinstance(seat.app.screen, Redact)
        assert "Never grade on a falling tide." in seat.screen_text()
