"""One list of commands feeds bindings, help, palette and docs/keys.md."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.actions import parse
from textual.command import CommandList, CommandPalette

from app.tui.app import Workspace
from app.tui.commands import COMMANDS, MAIN, Situation, bindings
from app.tui.keys_page import keys_page
from app.tui.screens.doctor import Doctor
from app.tui.screens.forks import Forks
from app.tui.screens.help import Help
from app.tui.screens.history import History
from app.tui.screens.main import Main
from app.tui.screens.mirror import Mirror
from app.tui.screens.place import Place
from app.tui.screens.settings import SettingsScreen
from app.tui.screens.trends import Trends
from app.tui.widgets.conflicts import Conflicts
from app.tui.widgets.detail import Detail
from app.tui.widgets.rows import Rows
from app.tui.widgets.scrubber import Scrubber
from tests.tui.conftest import Opener
from tests.tui.world import World, empty_world

ROOT = Path(__file__).resolve().parents[2]
HOLDERS = {"app": Workspace, "workspace": Main, "rows": Rows, "queue": Conflicts, "detail": Detail,
           "scrubber": Scrubber}  # fmt: skip
PLACES = {"place": Place, "history": History, "mirror": Mirror, "trends": Trends, "forks": Forks,
          "settings": SettingsScreen, "doctor": Doctor}  # fmt: skip


def test_the_page_of_keys_is_current() -> None:
    assert (ROOT / "docs" / "keys.md").read_text() == keys_page(), (
        "run: python -m app.tui.keys_page > docs/keys.md"
    )


def test_ids_are_unique_and_no_key_means_two_things_in_one_place() -> None:
    ids = [command.id for command in COMMANDS]
    assert len(ids) == len(set(ids))
    for panes in ({"app", "workspace", "rows", "queue"}, {"app", "workspace", "detail"}, {"scrubber"}):
        keys = [key for command in COMMANDS if command.held_by in panes for key in command.keys.split(",")]
        assert len(keys) == len(set(keys))


@pytest.mark.parametrize("place", sorted(set(PLACES) - {"place"}))
def test_keys_of_a_further_screen_mean_one_thing(place: str) -> None:
    own = [c for c in COMMANDS if c.held_by in (place, "place")]
    keys = [key for command in own for key in command.keys.split(",")]
    assert len(keys) == len(set(keys))
    moving = {
        key for c in COMMANDS if c.held_by == "rows" and c.id != "move.choose" for key in c.keys.split(",")
    }
    assert not moving & set(keys)


async def test_every_command_has_something_that_does_it(sit: Opener, one: World) -> None:
    async with sit(one) as seat:
        for command in COMMANDS:
            space, name, arguments = parse(command.action)
            front = PLACES.get(command.held_by, Main)
            holder = {"app": Workspace, "screen": front}.get(space) or HOLDERS[command.held_by]
            assert callable(getattr(holder, f"action_{name}")), command.id
            if name == "run":
                controller, deed = arguments[0].split(".")
                assert callable(getattr(getattr(seat.main.controllers, controller), deed)), command.id
            if name == "go":
                assert callable(getattr(seat.app.navigator, *arguments)), command.id
            assert command.help.endswith("."), command.id


def test_every_binding_carries_its_commands_id() -> None:
    for holder in HOLDERS | PLACES:
        for binding in bindings(holder):
            assert binding.id in {command.id for command in COMMANDS}


@pytest.mark.parametrize(
    ("situation", "possible", "impossible"),
    [
        (Situation(), {"undo"}, {"keep_1", "newest", "snooze", "edit", "reopen", "clear", "write_back"}),
        (Situation(members=2, noted=True), {"keep_1", "keep_2", "both_true", "snooze", "edit"},
         {"keep_3", "newest", "most_trusted", "reopen"}),
        (Situation(members=2, newest=2, most_trusted=1), {"newest", "most_trusted"}, set()),
        (Situation(members=2, tab="settled"), {"reopen"}, {"keep_1", "both_true", "snooze"}),
        (Situation(members=2, tab="snoozed"), {"reopen", "keep_1"}, {"snooze"}),
        (Situation(members=2, tab="settled", kept=True), {"reopen", "write_back"}, {"keep_1", "accept"}),
        (Situation(members=2, suggested=2, pane="detail"), {"accept", "write_back"}, {"clear"}),
        (Situation(members=2, suggested=2), {"write_back"}, {"accept"}),
        (Situation(members=2, picked=3), {"keep_2", "clear", "both_true"}, {"write_back", "next_member"}),
        (Situation(members=3, writable=False), set(), {"keep_1", "undo", "both_true", "reopen"}),
    ],
)  # fmt: skip
def test_what_is_possible_follows_from_what_is_shown(
    situation: Situation, possible: set[str], impossible: set[str]
) -> None:
    names = {
        command.id.partition(".")[2]: command
        for command in COMMANDS
        if command.area in ("conflict", "move", "view", "note")
    }
    assert {name for name in possible | impossible if names[name].possible(situation)} == possible


async def test_help_lists_every_listed_command_and_closes(sit: Opener, one: World) -> None:
    async with sit(one, size=(120, 60)) as seat:
        await seat.press("question_mark")
        assert isinstance(seat.app.screen, Help)
        text = seat.screen_text()
        for command in COMMANDS:
            if command.listed and command.group is None and command.held_by in MAIN:
                assert command.name in text
        await seat.press("escape")
        assert isinstance(seat.app.screen, Main)


async def test_the_palette_finds_by_area_and_runs(sit: Opener, one: World) -> None:
    async with sit(one) as seat:
        await seat.press("ctrl+p")
        assert isinstance(seat.app.screen, CommandPalette)
        await seat.press(*"both true")
        await seat.pilot.app.workers.wait_for_complete()
        options = seat.app.screen.query_one(CommandList)
        while not options.option_count:
            await seat.pilot.pause()
        await seat.press("enter")
        await seat.press("enter") if isinstance(seat.app.screen, CommandPalette) else None
        assert seat.world.stored("c-00000001").status == "dismissed"


async def test_the_palette_offers_only_what_is_possible(sit: Opener, tmp_path: Path) -> None:
    from app.tui.palette import CommandProvider

    async with sit(empty_world(tmp_path)) as seat:
        provider = CommandProvider(seat.main)
        titles = [hit.text async for hit in provider.discover()]
        assert "view: search this list" in titles
        assert not [title for title in titles if title and title.startswith("conflict: keep")]
