"""The keys that pause and stop the models, and what the line below says of it."""

from __future__ import annotations

from textual.widgets import Input

from app.pipeline.messages import Progress
from tests.tui.conftest import Opener
from tests.tui.world import World


async def test_the_models_are_paused_and_stopped_by_a_key(sit: Opener, one: World) -> None:
    async with sit(one) as seat:
        seat.main.status.models = "embedded"
        await seat.press("P", "X")
        assert seat.worker.wishes == ["pause", "stop"]


async def test_with_the_rules_alone_there_is_nothing_to_pause(sit: Opener, one: World) -> None:
    async with sit(one) as seat:
        await seat.press("P")
        assert seat.worker.wishes == []
        assert any("Only the rules read" in notice for notice in seat.toasts)


async def test_the_line_below_says_why_they_rest(sit: Opener, one: World) -> None:
    async with sit(one) as seat:
        for stage, words in (("paused", "models paused"), ("waiting", "models wait for a quiet moment")):
            seat.worker.say(Progress(stage, 0, 0))
            await seat.pilot.pause()
            assert words in seat.screen_text()
        seat.worker.say(Progress("done", 0, 0))
        await seat.pilot.pause()
        assert "models" not in seat.screen_text().splitlines()[-2]


async def test_what_is_typed_into_any_line_is_told_once_a_key_and_commands_are_not(
    sit: Opener, one: World
) -> None:
    """Whoever types fast is not to share the machine with the models, wherever it is."""
    async with sit(one) as seat:
        await seat.press("j", "k", "down")
        assert seat.worker.wishes == [], "keys that move about are no typing"
        for opens in ("c", "slash", "f", "ctrl+p"):
            seat.worker.wishes.clear()
            await seat.press(opens)
            assert isinstance(seat.app.focused, Input), opens
            assert seat.worker.wishes == [], opens
            await seat.press("t", "h", "e")
            assert seat.worker.wishes == ["typed"] * 3, opens
            await seat.press("escape", "escape")
