"""The further screens: what they show, what their keys do, and how one comes back."""

from __future__ import annotations

from pathlib import Path

import pytest

from app import places, settings
from app.tui.screens.capture import Capture
from app.tui.screens.doctor import Doctor
from app.tui.screens.forks import Forks
from app.tui.screens.help import Help
from app.tui.screens.history import History
from app.tui.screens.jump import Jump, labels
from app.tui.screens.main import Main
from app.tui.screens.mirror import Mirror
from app.tui.screens.settings import SettingsScreen
from app.tui.screens.trends import Trends
from app.tui.setting_list import SETTINGS, NotUsable, understood
from app.tui.widgets.page import Page
from tests.tui.conftest import Opener, Seat, settled
from tests.tui.real import real_world
from tests.tui.world import World, empty_world

SCREENS = {"H": History, "m": Mirror, "p": Trends, "F": Forks, "comma": SettingsScreen, "D": Doctor}


@pytest.fixture(autouse=True)
def untried_models(monkeypatch: pytest.MonkeyPatch) -> None:
    """Trying the models is what tests of the models are for."""
    monkeypatch.setattr("app.services.examination.models", lambda: {"try": {}, "last_error": None})


def here(seat: Seat) -> str | None:
    block = seat.app.screen.query(Page).last().here
    return block.key if block else None


async def test_every_screen_opens_from_every_other_and_esc_comes_back(sit: Opener, one: World) -> None:
    async with sit(one) as seat:
        for key, screen in SCREENS.items():
            await seat.press(key)
            assert isinstance(seat.app.screen, screen)
            assert len(seat.app.screen_stack) == 2
        await seat.press("escape")
        assert isinstance(seat.app.screen, Main)
        await seat.press("H", "q")
        assert isinstance(seat.app.screen, Main)
        assert seat.app.is_running


async def test_the_help_is_about_what_one_looks_at(sit: Opener, one: World) -> None:
    async with sit(one, size=(120, 60)) as seat:
        await seat.press("question_mark")
        assert "What needs an answer" in seat.screen_text()
        await seat.press("escape", "H", "question_mark")
        assert isinstance(seat.app.screen, Help)
        text = seat.screen_text()
        assert "Every decision is kept" in text
        assert "take this decision back" in text
        assert "not a conflict" not in text


async def test_the_line_on_top_leads_everywhere(sit: Opener, one: World) -> None:
    async with sit(one, size=(140, 40)) as seat:
        at = seat.screen_text().splitlines()[0].index("history")
        await seat.pilot.click("#top", offset=(at, 0))
        assert isinstance(seat.app.screen, History)


# history
async def test_any_decision_can_be_taken_back(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        first = seat.selected
        await seat.press("x", "x", "H")
        text = seat.screen_text()
        assert text.count("Not a conflict") == 2
        await seat.press("j", "u")
        assert first is not None
        assert many.stored(first).status == "open"
        assert "Took back" in seat.screen_text()
        await seat.press("escape")
        assert first in [row.id for row in seat.main.queue.rows]
        # What was taken back there is not what `u` takes back here.
        await seat.press("u")
        assert {many.stored(conflict.id).status for conflict in many.conflicts} == {"open"}


async def test_what_cannot_be_taken_back_says_why(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        await seat.press("1", "right_square_bracket", "right_square_bracket", "R", "H", "j", "u")
        assert any("cannot be undone" in toast for toast in seat.toasts)


async def test_an_entry_leads_to_its_conflict(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        first = seat.selected
        await seat.press("x", "H", "enter")
        assert isinstance(seat.app.screen, Main)
        assert (seat.main.state.tab, seat.selected) == ("settled", first)


async def test_everything_that_happened_can_be_shown(sit: Opener, one: World) -> None:
    async with sit(one) as seat:
        await seat.press("H")
        assert "Nothing has been decided yet." in seat.screen_text()
        await seat.press("a")
        assert "New statement" in seat.screen_text()
        assert "Conflict found" in seat.screen_text()


# mirror
async def test_the_mirror_goes_through_projects_and_folders(sit: Opener, tmp_path: Path) -> None:
    async with sit(real_world(tmp_path)) as seat:
        await seat.press("m")
        assert "The engine is a Yanmar." in seat.screen_text()
        await seat.press("l", "l")
        assert "The office alarm code is 1902." in seat.screen_text()
        await seat.press("d")
        assert "The office alarm code is 1902." not in seat.screen_text()
        assert "5830" in seat.screen_text()


async def test_a_disputed_line_leads_to_its_conflict(sit: Opener, tmp_path: Path) -> None:
    async with sit(real_world(tmp_path)) as seat:
        await seat.press("m", "l", "l", "d", "enter")
        assert isinstance(seat.app.screen, Main)
        assert seat.selected is not None


async def test_the_pages_can_be_written(sit: Opener, tmp_path: Path) -> None:
    async with sit(real_world(tmp_path)) as seat:
        await seat.press("m", "w")
        pages = sorted(file.name for file in (places.state_dir() / "mirror").rglob("*.md"))
        assert pages == ["Boat.md", "Daily.md", "Farm.md", "Home.md", "index.md"]
        assert any("5 pages" in toast for toast in seat.toasts)


# trends
async def test_one_plot_at_a_time_where_there_is_little_room(sit: Opener, many: World) -> None:
    async with sit(many, size=(60, 24)) as seat:
        await seat.press("p")
        assert "Found and settled" in seat.screen_text()
        await seat.press("l")
        assert "Open, by kind" in seat.screen_text()
        assert "Found and settled" not in seat.screen_text()
        await seat.press("h", "h")
        assert "Most contested notes" in seat.screen_text()


async def test_the_plots_change_with_the_theme(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        await seat.press("p")
        plot = seat.app.screen.query("Plot").first()
        before = plot._datasets[0].bar_style
        await seat.press("T")
        assert plot._datasets[0].bar_style != before


# settings
async def test_a_setting_is_changed_in_the_file(sit: Opener, one: World) -> None:
    file = settings.config_file()
    file.parent.mkdir(parents=True)
    file.write_text("# mine\nunheard_of: 1\n")
    async with sit(one) as seat:
        await seat.press("comma")
        assert "unknown setting “unheard_of”" in seat.screen_text()
        while here(seat) != "folders_are_projects":
            await seat.press("j")
        await seat.press("enter")
        assert file.read_text() == "# mine\nunheard_of: 1\nfolders_are_projects: true\n"
        await seat.press("v", *"jj", "j")
        while here(seat) != "folders_are_projects":
            await seat.press("k")
        await seat.press("enter")
        assert settings.load().overrides(one.root)["folders_are_projects"] is False
        await seat.press("backspace")
        assert settings.load().overrides(one.root)["folders_are_projects"] is True


async def test_text_and_lists_are_typed(sit: Opener, one: World) -> None:
    async with sit(one) as seat:
        await seat.press("comma")
        while here(seat) != "draft_folders":
            await seat.press("j")
        await seat.press("enter", *"Ideas", "comma", "space", *"Drafts", "enter")
        assert settings.load().vault["draft_folders"] == ("Ideas", "Drafts")
        while here(seat) != "max_bytes":
            await seat.press("j")
        await seat.press("enter", "ctrl+u", *"lots", "enter")
        assert any("whole number" in toast for toast in seat.toasts)
        assert "max_bytes" not in settings.load().vault


async def test_a_theme_is_taken_at_once(sit: Opener, one: World) -> None:
    async with sit(one) as seat:
        await seat.press("comma", "enter", *"paper", "enter")
        assert seat.app.theme == "paper"
        assert settings.load().theme == "paper"


async def test_a_broken_file_is_left_alone(sit: Opener, one: World) -> None:
    file = settings.config_file()
    file.parent.mkdir(parents=True)
    file.write_text("{")
    async with sit(one) as seat:
        await seat.press("comma", "enter", "backspace", "v")
        assert "not valid YAML" in seat.screen_text()
    assert file.read_text() == "{"


def test_every_setting_is_listed_or_left_to_the_file() -> None:
    listed = {setting.keys[0] for setting in SETTINGS}
    assert settings.known_keys() - listed == {"keys", "vaults", "strategies"}
    of_models = {setting.keys[1] for setting in SETTINGS if setting.keys[0] == "models"}
    assert of_models == settings.MODEL_KEYS.keys()


@pytest.mark.parametrize("text", ["0", "-3", "2,047", "many", "²"])
def test_a_number_that_is_too_small_is_not_taken(text: str) -> None:
    context = next(setting for setting in SETTINGS if setting.name == "models: context")
    with pytest.raises(NotUsable, match="from 2,048 on"):
        understood(context, text)
    assert understood(context, "8 192") == 8192


# doctor
async def test_the_doctor_names_what_is_wrong(sit: Opener, one: World) -> None:
    (one.root / "Broken.md").write_text("---\na: [\n---\nThe gate is green.\n")
    (one.root / "big (conflicted copy 2026-01-01).md").write_text("x\n")
    async with sit(one) as seat:
        await seat.press("D")
        text = seat.screen_text()
        assert "Left out" in text
        assert "The models" in text


# jump
async def test_a_letter_leads_to_its_line(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        await seat.press("apostrophe")
        assert isinstance(seat.app.screen, Jump)
        jump = seat.app.screen
        last = list(jump._targets)[-1]
        await seat.press(*last)
        assert isinstance(seat.app.screen, Main)
        assert seat.main.queue.cursor > 0 or seat.main.story.has_focus


async def test_any_other_key_leaves_jump_mode(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        before = seat.selected
        await seat.press("apostrophe", "escape")
        assert isinstance(seat.app.screen, Main)
        assert seat.selected == before


@pytest.mark.parametrize("count", [0, 1, 25, 26, 300])
def test_labels_never_begin_each_other(count: int) -> None:
    made = labels(count)
    assert len(made) == len(set(made)) == count
    assert not [(a, b) for a in made for b in made if a != b and b.startswith(a)]


# what cannot be shown
async def test_screens_of_an_empty_vault(sit: Opener, tmp_path: Path) -> None:
    async with sit(empty_world(tmp_path)) as seat:
        await seat.press("m")
        assert "Nothing is asserted" in seat.screen_text()
        await seat.press("p")
        assert "No conflict has been found yet." in seat.screen_text()
        await seat.press("c")
        assert isinstance(seat.app.screen, Capture)


async def test_a_click_on_the_line_on_top_opens_a_screen(sit: Opener, one: World) -> None:
    async with sit(one) as seat:
        at = seat.screen_text().splitlines()[0].index("mirror")
        await seat.pilot.click(offset=(at, 0))
        await settled(seat.pilot)
        assert isinstance(seat.app.screen, Mirror)
