"""Searching the list that has the focus, the help and the palette; reading a line; and leaving each again."""

from __future__ import annotations

import pytest

from app.tui.palette import CommandProvider
from app.tui.screens.help import Help
from app.tui.screens.main import Main
from app.tui.screens.redact import Redact
from tests.tui.conftest import Opener, Seat
from tests.tui.world import World

LICENCE = "c-00000003"


def listed(seat: Seat) -> list[str]:
    return [row.id for row in seat.main.queue.rows]


async def test_slash_narrows_the_conflicts_when_they_have_the_focus(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        await seat.press("slash", *"licence")
        assert listed(seat) == [LICENCE] and seat.selected == LICENCE
        assert "Conflicts · licence" in seat.screen_text()
        await seat.press("enter", "1")
        assert many.stored(LICENCE).winner == many.stored(LICENCE).members[0]
        assert "No conflict says “licence”." in seat.screen_text()
        await seat.press("escape")
        assert len(listed(seat)) == 6


async def test_escape_drops_a_search_while_it_is_typed(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        await seat.press("slash", *"rota", "escape")
        assert len(listed(seat)) == 7 and seat.main.controllers.prompt.line is None


async def test_slash_searches_the_story_elsewhere(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        await seat.press("tab", "tab", "slash", *"trestles", "enter")
        assert seat.main.story.telling.query == "trestles" and len(listed(seat)) == 7


@pytest.mark.parametrize("key", ["d", "slash"])
async def test_tab_leaves_a_line_that_is_typed_in(sit: Opener, many: World, key: str) -> None:
    async with sit(many) as seat:
        await seat.press(key)
        assert seat.main.controllers.prompt.line is not None
        await seat.press("tab")
        assert seat.main.controllers.prompt.line is None
        before = seat.selected
        await seat.press("tab", "tab", "tab")
        focused = seat.app.focused
        assert focused is not None and focused.id in ("queue", "whole", "lines") and seat.selected == before


async def test_enter_reads_a_line_of_the_story_whole_and_escape_returns(sit: Opener, many: World) -> None:
    async with sit(many, size=(160, 45)) as seat:
        title = seat.screen_text()
        await seat.press("tab", "tab", "slash", *"Yanmar", "enter", "enter")
        assert seat.main.detail.line is not None
        text = seat.screen_text()
        assert "Farm/Boat.md:4" in text and "Puffin is moored at the north jetty." in text
        await seat.press("1", "x", "b")
        assert [many.stored(conflict.id).status for conflict in many.conflicts] == ["open"] * 7
        await seat.press("escape")
        assert seat.main.detail.line is None and seat.main.view is not None
        assert "Never grade on a falling tide" in title and "Farm/Farm rules.md:3" in seat.screen_text()


@pytest.mark.parametrize(
    ("typed", "command"),
    [("resolve", "keep side 1"), ("ignore", "not a conflict"), ("diff", "write it into the notes"),
     ("postpone", "snooze for a week"), ("snooze", "snooze until a day")],
)  # fmt: skip
async def test_the_palette_knows_other_words(sit: Opener, many: World, typed: str, command: str) -> None:
    async with sit(many) as seat:
        found = [str(hit.text or hit.match_display) async for hit in CommandProvider(seat.main).search(typed)]
        assert any(command in one for one in found), found


async def test_the_help_is_searched_by_other_words_too(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        await seat.press("question_mark", "slash", *"ignore")
        text = seat.screen_text()
        assert "not a conflict" in text and "next pane" not in text
        await seat.press("escape")
        assert isinstance(seat.app.screen, Help) and "next pane" in seat.screen_text()
        await seat.press("escape")
        assert isinstance(seat.app.screen, Main)


async def test_the_help_says_when_nothing_fits(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        await seat.press("question_mark", "slash", *"zzz")
        assert "Nothing is called “zzz”." in seat.screen_text()


async def test_picked_rows_are_counted(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        await seat.press("space", "space")
        assert "Conflicts · 2 of 7 picked" in seat.screen_text()


async def test_redaction_has_a_key_of_its_own_and_asks(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        await seat.press("f9")
        assert isinstance(seat.app.screen, Redact)


@pytest.mark.parametrize("size", [(160, 14), (100, 20), (250, 60)])
async def test_rows_and_both_sides_are_seen_at_any_size(
    sit: Opener, many: World, size: tuple[int, int]
) -> None:
    async with sit(many, size=size) as seat:
        text = seat.screen_text()
        assert "5830 or 5380?" in text, "a row besides the selected one"
        assert "Farm/Farm rules.md:3" in text and "Daily/2026-06-08.md:1" in text
