"""Keys faster than the workspace: what is typed behind a key that opens a line is words in that line, never a
decision about the selected conflict."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import pytest
from textual.app import App
from textual.widgets import Input, Static

from app.store.store import Store
from app.tui.reading_jobs import line_job, thread_job
from app.tui.screens.blocked import Blocked
from app.tui.screens.main import Main
from app.tui.screens.redact import Redact
from app.tui.screens.trends import Trends
from tests.tui.conftest import Opener, Seat
from tests.tui.looking import typed as spelt
from tests.tui.real import real_world
from tests.tui.world import World

DECIDING = "xb1zu29"
"""Each of these letters decides about a conflict, or takes a decision back."""
LICENCE = "c-00000003"
SIZES = [(160, 45), (60, 24)]
IN_DETAIL, IN_STORY = ("tab",), ("tab", "tab")


def typed(seat: Seat) -> str:
    """What stands in the line that has the focus."""
    line = seat.app.focused
    assert isinstance(line, Input), f"{line} has the focus, not a line to type in"
    return line.value


def decisions(world: World) -> list[str]:
    with Store.open(world.store_path, read_only=True) as store:
        return [event.action for event in store.ledger.events(decisions=True)]


@pytest.mark.parametrize("size", SIZES, ids=["160x45", "60x24"])
@pytest.mark.parametrize("before", [(), IN_DETAIL, IN_STORY], ids=["conflicts", "detail", "story"])
async def test_what_is_typed_behind_slash_is_searched_for(
    sit: Opener, many: World, before: tuple[str, ...], size: tuple[int, int]
) -> None:
    async with sit(many, size=size) as seat:
        await seat.press(*before)
        await seat.press_at_once("slash", *DECIDING)
        assert typed(seat) == DECIDING and decisions(many) == []


@pytest.mark.parametrize(
    "keys",
    [
        ("i",),
        ("d",),
        ("c",),
        ("f",),
        ("Z",),
        ("O",),
        ("f9",),
        ("ctrl+p",),
        ("question_mark", "slash"),
        ("F", "n"),
        ("comma", "enter"),
        ("enter", "slash"),
        ("a", "enter", "slash"),
        ("slash", "x", "tab", "slash"),
        ("ctrl+p", *"capture", "enter"),
        ("ctrl+p", *"filter", "enter"),
    ],
    ids=" ".join,
)
async def test_what_is_typed_behind_a_key_that_asks_is_the_answer(
    sit: Opener, many: World, keys: tuple[str, ...]
) -> None:
    async with sit(many) as seat:
        await seat.press_at_once(*keys, *DECIDING)
        assert typed(seat) == DECIDING and decisions(many) == []


async def test_the_reason_for_what_the_guard_refuses(sit: Opener, tmp_path: Path) -> None:
    world = real_world(tmp_path)
    async with sit(world) as seat:
        await seat.press_at_once("c", *spelt("The shore shed keypad code is 9999."), "enter")
        assert isinstance(seat.app.screen, Blocked)
        await seat.press_at_once("s", *"f12s")
        assert typed(seat) == "f12s"


async def test_a_search_and_the_answer_typed_in_one_go(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        await seat.press_at_once("slash", *"licence", "enter", "1")
        assert many.stored(LICENCE).winner == many.stored(LICENCE).members[0]
        assert len(decisions(many)) == 1


async def test_a_search_typed_and_dropped_in_one_go_leaves_everything_as_it_was(
    sit: Opener, many: World
) -> None:
    async with sit(many) as seat:
        await seat.press_at_once("slash", *DECIDING, "escape")
        assert seat.main.controllers.prompt.line is None and len(seat.main.queue.rows) == 7
        assert seat.main.state.sought == "" and decisions(many) == []


async def test_a_reason_and_the_decision_typed_in_one_go(sit: Opener, one: World) -> None:
    async with sit(one) as seat:
        await seat.press_at_once("i", *spelt("ask Ailsa"), "enter", "b")
    with Store.open(one.store_path, read_only=True) as store:
        (event,) = store.ledger.events(decisions=True)
    assert event.why == "ask Ailsa"


async def test_the_palette_runs_what_was_typed_not_what_it_showed_before(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        await seat.press_at_once("ctrl+p", *"trends", "enter")
        assert isinstance(seat.app.screen, Trends) and decisions(many) == []


async def test_the_letters_behind_the_key_that_jumps_say_where_to(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        await seat.press("apostrophe")
        last = [mark.id for mark in seat.app.screen.query(Static)][-1]
        assert last is not None
        await seat.press("escape")
        await seat.press_at_once("apostrophe", *last.removeprefix("jump-"))
        assert isinstance(seat.app.screen, Main) and seat.main.story.has_focus


async def test_a_late_answer_of_the_store_leaves_the_line_that_is_typed_in(sit: Opener, many: World) -> None:
    claim = next(iter(many.claims))
    with Store.open(many.store_path, read_only=True) as store:
        answers = [line_job(many.root, claim)(store), thread_job(claim)(store)]
    async with sit(many, size=(60, 24)) as seat:
        await seat.press("slash")
        for answer in answers:
            assert answer is not None
            seat.main.post_message(answer)
            await seat.press_at_once(*"xb")
        assert typed(seat) == "xbxb" and decisions(many) == []


async def test_what_is_typed_for_the_editor_decides_nothing(
    sit: Opener, many: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", "true")
    # Where there is no terminal, none can be lent.
    monkeypatch.setattr(App, "suspend", lambda _: nullcontext())
    async with sit(many) as seat:
        await seat.press_at_once("e", *DECIDING)
        assert seat.toasts == [] and decisions(many) == []
        await seat.press("x")
        assert decisions(many) == ["dismissed"]


async def test_nothing_is_redacted_before_it_was_shown(
    sit: Opener, many: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.tui.controllers.redaction_controller.consider", lambda _: lambda _: None)
    async with sit(many) as seat:
        await seat.press_at_once("f9", *"moved", "enter", *"redact", "enter")
        assert isinstance(seat.app.screen, Redact) and "nothing to take out" in seat.screen_text()
