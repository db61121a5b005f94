"""The first screen: which vault, remembered ones, and the first reading watched."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from app import places
from app.pipeline.messages import Indexed, Progress, Trouble
from app.recent import MOST_VAULTS, recent, remember
from app.services.obsidian_vaults import obsidian_vaults
from app.tui.app import Workspace
from app.tui.folders import FolderSuggester, look
from app.tui.screens.first_look import FirstLook
from app.tui.screens.main import Main
from app.tui.screens.welcome import Welcome
from app.tui.widgets.page import Page
from tests.tui.conftest import Opener, settled
from tests.tui.real import NOTES
from tests.tui.world import NOW, READY, ScriptedWorker, World, many_conflicts


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "Skerrow"
    for path, text in NOTES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


@asynccontextmanager
async def start(folder: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Workspace, Pilot[int]]]:
    """The program without a vault, started in a folder."""
    monkeypatch.chdir(folder)
    app = Workspace(None, None, lambda *_: ScriptedWorker(*READY), now=NOW)
    app.animation_level = "none"
    try:
        async with app.run_test(size=(100, 30)) as pilot:
            await pilot.pause()
            yield app, pilot
    finally:
        await asyncio.to_thread(app.close_vault)


async def opened(app: Workspace, pilot: Pilot[int], vault: Path) -> None:
    """Until the vault is open and its screen stands."""
    while not (
        app.opened and app.session.vault == vault and app.main is not None and app.main.state.vault == vault
    ):
        await pilot.pause()
    await settled(pilot)


async def looked(app: Workspace, pilot: Pilot[int]) -> None:
    await app.workers.wait_for_complete()
    await pilot.pause()


async def test_a_typed_folder_is_looked_at_and_opened(
    tmp_path: Path, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with start(places.themes_dir(), monkeypatch) as (app, pilot):
        assert isinstance(app.screen, Welcome)
        typed = app.screen.query_one(Input)
        assert typed.has_focus
        typed.value = str(vault)
        await looked(app, pilot)
        assert "7 notes" in str(app.screen.query_one("#welcome-said").render())
        await pilot.press("enter")
        await opened(app, pilot, vault)
        assert isinstance(app.screen, FirstLook)
        await pilot.press("enter")
        await settled(pilot)
        assert isinstance(app.screen, Main)
    assert recent() == [vault]


async def test_what_is_no_folder_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with start(tmp_path, monkeypatch) as (app, pilot):
        app.screen.query_one(Input).value = str(tmp_path / "[@click=app.quit]none")
        await looked(app, pilot)
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, Welcome)
        assert "There is no folder" in str(app.screen.query_one("#welcome-said").render())


async def test_recent_vaults_come_first_and_enter_opens_the_last(
    tmp_path: Path, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "Other").mkdir()
    remember(tmp_path / "Other")
    remember(vault)
    async with start(tmp_path, monkeypatch) as (app, pilot):
        page = app.screen.query_one(Page)
        assert page.has_focus
        assert [block.key for block in page.blocks if block.key][:2] == [str(vault), str(tmp_path / "Other")]
        await pilot.press("enter")
        await opened(app, pilot, vault)


async def test_the_vaults_of_obsidian_are_offered(
    tmp_path: Path, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    remembers(
        tmp_path / "config", {"a": {"path": str(vault), "ts": 1}, "b": {"path": str(tmp_path / "gone")}}
    )
    async with start(tmp_path / "config", monkeypatch) as (app, pilot):
        await looked(app, pilot)
        page = app.screen.query_one(Page)
        assert [block.key for block in page.blocks if block.key] == [str(vault), str(places.sample_vault())]
        await pilot.press("tab", "enter")
        await opened(app, pilot, vault)


def remembers(config: Path, vaults: object) -> None:
    """Write Obsidian's own list."""
    (config / "obsidian").mkdir(parents=True, exist_ok=True)
    (config / "obsidian" / "obsidian.json").write_text(json.dumps({"vaults": vaults}))


def test_obsidians_list_has_the_last_opened_first_and_nonsense_left_out(tmp_path: Path) -> None:
    old, new = tmp_path / "Old", tmp_path / "New"
    old.mkdir(), new.mkdir()
    environment = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    assert obsidian_vaults(environment) == []
    odd = {"c": {"path": 7}, "d": {"path": "relative"}, "e": {"ts": 1}}
    remembers(
        tmp_path / "config", {"a": {"path": str(old), "ts": 1}, "b": {"path": str(new), "ts": 2}, **odd}
    )
    assert obsidian_vaults(environment) == [new, old]
    for nonsense in ([], "no", {"f": 3}, None):
        remembers(tmp_path / "config", nonsense)
        assert obsidian_vaults(environment) == []


async def test_leaving_without_a_vault_ends_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with start(tmp_path, monkeypatch) as (app, pilot):
        await pilot.press("escape")
        await pilot.pause()
        assert app.return_value == 0


async def test_another_vault_can_be_opened_from_the_workspace(sit: Opener, one: World, vault: Path) -> None:
    other = vault.rename(vault.parent / "Elsewhere")
    async with sit(one) as seat:
        await seat.press("O")
        assert isinstance(seat.app.screen, Welcome)
        await seat.press("escape")
        assert isinstance(seat.app.screen, Main)
        await seat.press("O")
        seat.app.navigator.change_vault(other)
        await opened(seat.app, seat.pilot, other)
        assert len([s for s in seat.app.screen_stack if isinstance(s, Main)]) == 1


# the first reading
async def test_conflicts_appear_while_notes_are_read(sit: Opener, tmp_path: Path) -> None:
    world = many_conflicts(tmp_path)
    async with sit(world) as seat:
        await seat.app.push_screen(FirstLook())
        await seat.say(Progress("reading", 12, 48))
        text = seat.screen_text()
        assert "Reading your notes  12 of 48" in text
        assert "7 conflicts so far" in text
        assert "Is the webshop back on the old server?" in text
        await seat.say(Indexed(1, 2, 3, 4))
        assert "7 conflicts to settle." in seat.screen_text()
        await seat.press("enter")
        assert isinstance(seat.app.screen, Main)


async def test_trouble_while_reading_is_said(sit: Opener, one: World) -> None:
    async with sit(one) as seat:
        await seat.app.push_screen(FirstLook())
        await seat.say(Trouble("The disk is gone [/].", fatal=True))
        assert "The disk is gone [/]." in seat.screen_text()


# remembered and looked at
def test_the_last_vault_comes_first_once_and_not_too_many_are_kept(tmp_path: Path) -> None:
    roots = [tmp_path / str(number) for number in range(MOST_VAULTS + 3)]
    for root in roots:
        root.mkdir()
        remember(root)
    remember(roots[5])
    assert recent()[:2] == [roots[5], roots[-1]]
    assert len(recent()) == len(set(recent())) == MOST_VAULTS
    roots[5].rmdir()
    assert roots[5] not in recent()


@pytest.mark.parametrize("stored", [b"", b"\0\0", b"relative", b"\xff" * 5000])
def test_nonsense_in_place_of_the_list(stored: bytes) -> None:
    places.state_dir().mkdir(parents=True)
    (places.state_dir() / "recent_vaults").write_bytes(stored)
    assert recent() == []


def test_a_glance_counts_notes_past_hidden_folders(vault: Path) -> None:
    (vault / ".obsidian").mkdir()
    (vault / ".obsidian" / "x.md").write_text("x")
    found = look(vault)
    assert found is not None
    assert found.words == "7 notes, an Obsidian vault"
    assert look(vault / "none") is None


async def test_a_folder_name_is_completed(vault: Path) -> None:
    suggest = FolderSuggester().get_suggestion
    assert await suggest(f"{vault}/Da") == f"{vault}/Daily"
    assert await suggest(f"{vault}/none") is None
    assert await suggest("Daily") is None
