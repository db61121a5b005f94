"""The person's configuration in the workspace: keys, theme, editor, and what could not be used."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from app.settings import load
from app.tui.app import Workspace
from app.tui.commands import keymap
from app.tui.editor import choose, named
from tests.tui.conftest import Seat, settled
from tests.tui.world import NOW, READY, ScriptedWorker, World


@asynccontextmanager
async def configured(world: World, text: str) -> AsyncIterator[Seat]:
    """The workspace as a configuration file makes it."""
    file = world.root.parent / "config.yaml"
    file.write_text(text, encoding="utf-8")
    found = load(file)
    app = Workspace(
        world.root, world.store_path, lambda *_: ScriptedWorker(*READY), now=NOW,
        theme=found.theme, editor=found.editor, keys=found.keys, notices=found.problems,
    )  # fmt: skip
    app.animation_level = "none"
    try:
        async with app.run_test(size=(140, 40)) as pilot:
            await settled(pilot)
            yield Seat(app, pilot, world)
    finally:
        await asyncio.to_thread(app.close_vault)


async def test_a_chosen_key_decides_and_the_old_one_no_longer_does(one: World) -> None:
    async with configured(one, "keys: {conflict.not_a_conflict: ctrl+y}") as seat:
        await seat.press("x")
        assert seat.selected is not None
        await seat.press("ctrl+y")
        assert seat.selected is None


async def test_the_screen_names_the_chosen_key(one: World) -> None:
    async with configured(one, "keys: {conflict.not_a_conflict: N, belie.help: f1}") as seat:
        assert " N not a conflict" in seat.screen_text()
        assert "N no conflict" in seat.screen_text().splitlines()[-1]
        await seat.press("f1")
        line = next(line for line in seat.screen_text().splitlines() if "not a conflict" in line)
        assert line.partition("not a conflict")[0].split()[-1] == "N"


async def test_the_configured_theme_is_taken(one: World) -> None:
    async with configured(one, "theme: paper") as seat:
        assert seat.app.theme == "paper"


async def test_what_could_not_be_used_is_said(one: World) -> None:
    async with configured(one, "colour: red\ntheme: nowhere\nkeys: {conflict.udno: U}") as seat:
        said = "\n".join(seat.toasts)
        assert "“colour”" in said
        assert "nowhere" in said
        assert "“conflict.udno”" in said


def test_two_commands_may_swap_their_keys() -> None:
    assert keymap({"conflict.undo": "z", "conflict.snooze": "u"}) == (
        {"conflict.undo": "z", "conflict.snooze": "u"},
        [],
    )


def test_a_key_that_is_taken_is_refused() -> None:
    usable, notices = keymap({"conflict.undo": "z"})
    assert usable == {}
    assert notices == ["keys: “z” for conflict.undo is the key of conflict.snooze already."]


def test_refusing_one_line_does_not_leave_two_commands_on_a_key() -> None:
    usable, notices = keymap({"conflict.undo": "z", "conflict.snooze": "u", "conflict.both_true": "u"})
    assert notices
    assert keymap(usable) == (usable, [])


def test_keys_may_be_written_as_the_help_writes_them() -> None:
    assert keymap({"belie.help": "Ctrl+P"})[1] == [
        "keys: “ctrl+p” for belie.help is the key of belie.palette already."
    ]
    assert keymap({"view.search": "?", "belie.help": "/"})[0] == {
        "view.search": "question_mark",
        "belie.help": "slash",
    }


def test_the_configured_editor_comes_before_the_common_variables(tmp_path: Path) -> None:
    every = {"BELIE_EDITOR": "hx", "VISUAL": "vim", "EDITOR": "nano"}
    assert named(every, "micro") == "hx"
    assert named({"VISUAL": "vim"}, "micro") == "micro"
    assert named({"VISUAL": "vim"}, " ") == "vim"
    program = tmp_path / "micro"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    found = choose(tmp_path / "a.md", 3, {"PATH": str(tmp_path)}, configured="micro")
    assert found.argv == (str(program), str(tmp_path / "a.md"), "+3")
