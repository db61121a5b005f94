"""Nothing written in a note acts on the further screens; few colours, or none, are enough to use them."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.color import Color, ColorSystem
from textual.color import Color as Shade

from app.pipeline.messages import Progress
from app.tui import themes
from app.tui.screens.first_look import FirstLook
from tests.tui.conftest import Opener, Seat
from tests.tui.test_hostile import HOSTILE, hostile_world
from tests.tui.world import World

NOWHERE = set("\u202e\u202c\u200b\u200d\ufeff")


def harmless(seat: Seat, size: tuple[int, int]) -> None:
    seen = seat.screen_text()
    assert not [c for c in seen if c != "\n" and (ord(c) < 32 or 127 <= ord(c) < 160 or c in NOWHERE)]
    assert {cell_len(line) for line in seen.splitlines()} == {size[0]}
    assert seat.app.is_running


@pytest.fixture(autouse=True)
def untried_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.services.examination.models", lambda: {"try": {}, "last_error": None})


@pytest.fixture
def hostile(tmp_path: Path) -> World:
    return hostile_world(tmp_path, *HOSTILE)


@pytest.mark.parametrize("size", [(120, 40), (60, 24)], ids=["wide", "narrow"])
async def test_hostile_text_does_nothing_on_any_screen(
    sit: Opener, hostile: World, size: tuple[int, int]
) -> None:
    async with sit(hostile, size=size) as seat:
        await seat.press("1", "x")
        for key in ("H", "m", "p", "D", "comma"):
            await seat.press(key)
            harmless(seat, size)
            await seat.press("G")
            harmless(seat, size)
        await seat.press("H", "a", "G", "question_mark")
        harmless(seat, size)
        await seat.press("escape", "apostrophe")
        harmless(seat, size)
        await seat.press("escape", "escape")
        await seat.app.push_screen(FirstLook())
        await seat.say(Progress("reading", 1, 2))
        harmless(seat, size)


async def test_brackets_stand_as_they_were_written(sit: Opener, hostile: World) -> None:
    async with sit(hostile, size=(200, 60)) as seat:
        await seat.press("x", "H")
        assert "The code [/ is: 1 or 2?" in seat.screen_text()
        await seat.press("m")
        assert "[b]Farm/[@click=app.quit]" in seat.screen_text()


@pytest.mark.parametrize("name", sorted(themes.load().found))
@pytest.mark.parametrize("ground", ["background", "surface", "panel"])
def test_in_sixteen_colours_text_differs_from_what_it_stands_on(name: str, ground: str) -> None:
    theme = themes.load().found[name]
    colours = {**theme.variables, **{n: getattr(theme, n) for n in (ground, "primary", "warning", "error")}}
    colours |= {"success": theme.success, "foreground": theme.foreground, "accent": theme.accent}

    def coarse(colour: str) -> int | None:
        return Color.parse(Shade.parse(colour).hex6).downgrade(ColorSystem.STANDARD).number

    text = ("foreground", "muted", "primary", "warning", "error", "success", "accent")
    alike = [word for word in text if coarse(colours[word]) == coarse(colours[ground])]
    assert alike == []
    assert coarse(colours["mark-text"]) != coarse(colours["mark"])


def test_few_colours_start_with_the_theme_made_of_few() -> None:
    assert themes.for_terminal("standard") == "high-contrast"
    assert themes.for_terminal("256") == themes.for_terminal("truecolor") == themes.DEFAULT


async def test_without_colours_the_frame_says_where_the_focus_is(
    sit: Opener, many: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with sit(many) as seat:
        assert seat.main.controllers.panes.box("conflicts").styles.border_top[0] == "heavy"
        assert seat.main.controllers.panes.box("story").styles.border_top[0] == "round"
        await seat.press("tab")
        assert seat.main.controllers.panes.box("conflicts").styles.border_top[0] == "round"
