"""In a real terminal: words typed in one go with the key that opens their line are in that line, and decide
nothing."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from app import places
from app.store.store import Store
from tests.robust.building import COMMAND, PROJECT
from tests.terminal.tmux import Terminal, terminal

pytestmark = pytest.mark.terminal

SIZES = [(160, 45), (60, 24)]
WORDS = "xb1 zu2"
"""Each of these letters decides about the selected conflict, or takes a decision back."""
LINES = {
    "/": ("No conflict says",),
    "i": ("Esc drops it",),
    "c": ("Capture",),
    "f": ("Filter the story",),
    "d": ("Esc drops it",),
    "Z": ("Snooze until",),
    "?/": ("Nothing is called", "j and k scroll"),
    "Fn": ("A new fork", "There is no fork."),
}
"""The keys that open a line, and what Esc takes from the screen again, press by press."""


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return Path(shutil.copytree(places.sample_vault(), tmp_path / "vault"))


@pytest.fixture
def window() -> Iterator[Terminal]:
    with terminal() as one:
        yield one


def decisions(vault: Path) -> list[str]:
    with Store.open(places.store_path(vault), read_only=True) as store:
        return [event.action for event in store.ledger.events(decisions=True)]


@pytest.mark.parametrize("size", SIZES, ids=["160x45", "60x24"])
def test_what_is_typed_with_the_key_that_asks_is_the_answer(
    size: tuple[int, int], window: Terminal, vault: Path, belie_home: Path
) -> None:
    given = {"BELIE_HOME": belie_home, "PYTHONPATH": PROJECT, "BELIE_MODELS": "rules", "LC_ALL": "C.UTF-8"}
    given["VISUAL"] = "false"  # an editor that is done at once, and of which one is told
    window.start([*COMMAND, str(vault)], size, {name: str(value) for name, value in given.items()})
    window.until(lambda: re.search(r"\d\d open", window.screen()), "conflicts appear")
    window.until(lambda: "still reading" not in window.screen(), "all notes are read")
    for keys, signs in LINES.items():
        window.type_at_once(keys + WORDS)
        window.until(lambda: WORDS in window.screen(), f"{keys} takes them")
        for sign in signs:
            window.until(lambda sign=sign: sign in window.screen(), f"{sign} is there")
            window.press("Escape")
            window.until(lambda sign=sign: sign not in window.screen(), f"{sign} is gone")
    window.type_at_once("e" + WORDS)
    window.until(lambda: "The editor ended" in window.screen(), "the terminal is back")
    window.press("q")
    window.until(lambda: window.exit_code() == 0, "keys are keys again")
    assert decisions(vault) == []
