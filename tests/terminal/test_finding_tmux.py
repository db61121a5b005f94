"""In a real terminal: searching, leaving a line that asks, other words for commands, what is picked, and the
key that cannot be taken back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.robust.building import COMMAND, PROJECT, contents, write
from tests.terminal.tmux import Terminal, terminal

pytestmark = pytest.mark.terminal

NOTES = {
    "Boat/Safety.md": "Lifejackets are serviced every 12 months.\n",
    "Boat/Plan.md": "Lifejackets are serviced every 24 months.\n",
    "House/Garage.md": "The garage door code is 4411.\n",
    "House/Guests.md": "The garage door code is 0087.\n",
}
LIFEJACKETS, GARAGE = "Lifejackets are serviced every: ", "The garage door code is: "


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return write(tmp_path / "vault", NOTES)


@pytest.fixture
def window(vault: Path, belie_home: Path) -> Iterator[Terminal]:
    """The workspace on the vault, when both conflicts are there."""
    given = {"BELIE_HOME": belie_home, "PYTHONPATH": PROJECT, "BELIE_MODELS": "rules", "LC_ALL": "C.UTF-8"}
    with terminal() as one:
        one.start([*COMMAND, str(vault)], (120, 40), {name: str(value) for name, value in given.items()})
        one.until(lambda: LIFEJACKETS in one.screen() and GARAGE in one.screen(), "conflicts appear")
        yield one


def test_slash_narrows_the_conflicts_and_escape_shows_all_again(window: Terminal) -> None:
    window.type_at_once("/garage")
    window.until(lambda: "Conflicts · garage" in window.screen(), "the list is narrowed")
    window.until(lambda: LIFEJACKETS not in window.screen() and GARAGE in window.screen(), "one is left")
    window.press("Escape")
    window.until(lambda: LIFEJACKETS in window.screen() and GARAGE in window.screen(), "both are back")


def test_tab_leaves_a_search_as_it_was_typed(window: Terminal) -> None:
    window.type_at_once("/garage")
    window.until(lambda: "Conflicts · garage" in window.screen(), "the list is narrowed")
    window.press("Tab")
    window.until(lambda: "Esc drops it" not in window.screen(), "Tab leaves the line")
    assert "Conflicts · garage" in window.screen()
    window.press("q")
    window.until(lambda: window.exit_code() == 0, "keys are keys again")


def test_tab_leaves_the_line_that_asks_for_a_day(window: Terminal) -> None:
    window.press("d")
    window.until(lambda: "a day: 12 May" in window.screen(), "d asks for a day")
    window.press("Tab")
    window.until(lambda: "a day: 12 May" not in window.screen(), "Tab leaves it")
    window.press("q")
    window.until(lambda: window.exit_code() == 0, "keys are keys again")


@pytest.mark.parametrize(
    ("word", "command"),
    [
        ("resolve", "both are true"),
        ("postpone", "snooze for a week"),
        ("ignore", "not a conflict"),
        ("diff", "write it into"),
    ],
)
def test_the_palette_knows_other_words(window: Terminal, word: str, command: str) -> None:
    window.press("C-p")
    window.until(lambda: "Search for commands" in window.screen(), "the palette opens")
    window.press(*word)
    window.until(lambda: f"conflict: {command}" in window.screen(), f"the palette finds “{word}”")
    window.press("Escape")
    window.until(lambda: f"conflict: {command}" not in window.screen(), "the palette closes")


def test_picked_rows_are_counted(window: Terminal) -> None:
    window.press("Space")
    window.until(lambda: "1 of 2 picked" in window.screen(), "the title counts them")


def test_redaction_is_far_from_other_keys_and_asks_first(window: Terminal, vault: Path) -> None:
    before = contents(vault)
    window.press("F9")
    window.until(lambda: "Redact" in window.screen(), "F9 asks")
    window.press("Escape")
    window.until(lambda: "Redact" not in window.screen(), "Esc leaves everything as it was")
    assert LIFEJACKETS in window.screen() and GARAGE in window.screen()
    assert contents(vault) == before
