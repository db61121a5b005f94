"""The whole program in a real terminal: conflicts appear, keys settle them, another program edits a note."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from app import places
from app.store.store import Store
from tests.robust.building import COMMAND, PROJECT, contents
from tests.terminal.tmux import Terminal, terminal

pytestmark = pytest.mark.terminal

SIZES = [(80, 24), (160, 45)]


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return Path(shutil.copytree(places.sample_vault(), tmp_path / "vault"))


@pytest.fixture
def window() -> Iterator[Terminal]:
    with terminal() as one:
        yield one


def start(window: Terminal, vault: Path, belie_home: Path, size: tuple[int, int]) -> None:
    environment = {"BELIE_HOME": str(belie_home), "PYTHONPATH": str(PROJECT), "LC_ALL": "C.UTF-8"}
    window.start([*COMMAND, str(vault)], size, environment)


def shown_open(screen: str) -> int | None:
    """How many open conflicts the status line counts."""
    found = re.findall(r"\b(\d+) open\b", screen)
    return int(found[-1]) if found else None


class Looking:
    """What the store says, read by another connection while the workspace runs."""

    def __init__(self, vault: Path) -> None:
        self._path = places.store_path(vault)

    def open_count(self) -> int:
        with Store.open(self._path, read_only=True) as store:
            return len(store.conflicts.open())

    def decisions(self) -> list[str]:
        with Store.open(self._path, read_only=True) as store:
            return [event.action for event in reversed(store.ledger.events(decisions=True))]

    def settled(self) -> dict[str, tuple[str, str]]:
        with Store.open(self._path, read_only=True) as store:
            return {c.id: (c.status, c.resolution) for c in store.conflicts.all() if c.status != "open"}


def agree(window: Terminal, looking: Looking, decisions: int) -> bool:
    """So many decisions are in the store, and the screen counts what it counts."""
    return len(looking.decisions()) == decisions and shown_open(window.screen()) == looking.open_count()


@pytest.mark.parametrize("size", SIZES, ids=["80x24", "160x45"])
def test_conflicts_are_found_settled_undone_and_noticed(
    size: tuple[int, int], window: Terminal, vault: Path, belie_home: Path
) -> None:
    before = contents(vault)
    start(window, vault, belie_home, size)
    window.until(lambda: (shown_open(window.screen()) or 0) > 10, "conflicts appear")
    looking = Looking(vault)
    first = looking.open_count()
    assert shown_open(window.screen()) == first

    for count, key in enumerate(("1", "x", "b"), 1):
        window.press(key)
        window.until(lambda count=count: agree(window, looking, count), f"{key} settles a conflict")
    assert looking.decisions() == ["kept", "dismissed", "dismissed"]
    left = looking.open_count()
    assert left <= first - 3
    settled = looking.settled()

    # Another program writes; the workspace notices by itself.
    text = "The boathouse padlock code is"
    script = f'printf "{text} 1234.\\n" > Padlock.md; printf "{text} 9876.\\n" > Boathouse.md'
    subprocess.run(["sh", "-c", script], cwd=vault, check=True)
    window.until(lambda: looking.open_count() == left + 1, "a new conflict is stored")
    window.until(lambda: shown_open(window.screen()) == left + 1, "a new conflict is shown")

    window.press("u")
    window.until(lambda: agree(window, looking, 4), "the last decision is undone")
    assert looking.open_count() == left + 2
    assert looking.settled().items() < settled.items()

    window.press("q")
    window.until(lambda: window.exit_code() is not None, "q quits")
    assert window.exit_code() == 0
    with Store.open(places.store_path(vault)) as store:
        assert store.verify() == []
        assert len(store.conflicts.open()) == left + 2
    now = contents(vault)
    assert {path: now[path] for path in before} == before


def test_what_was_decided_is_there_at_the_next_start(window: Terminal, vault: Path, belie_home: Path) -> None:
    start(window, vault, belie_home, SIZES[1])
    window.until(lambda: (shown_open(window.screen()) or 0) > 10, "conflicts appear")
    looking = Looking(vault)
    window.press("x")
    window.until(lambda: agree(window, looking, 1), "x settles a conflict")
    left = looking.open_count()
    window.press("q")
    window.until(lambda: window.exit_code() is not None, "q quits")
    with terminal() as again:
        start(again, vault, belie_home, SIZES[1])
        again.until(lambda: shown_open(again.screen()) == left, "the same conflicts are open")
        again.press("u")
        again.until(lambda: agree(again, looking, 2), "the decision of the day before is undone")
        assert looking.open_count() == left + 1


def test_a_workspace_that_is_killed_loses_no_decision(
    window: Terminal, vault: Path, belie_home: Path
) -> None:
    start(window, vault, belie_home, SIZES[0])
    window.until(lambda: (shown_open(window.screen()) or 0) > 10, "conflicts appear")
    looking = Looking(vault)
    window.press("x")
    window.until(lambda: agree(window, looking, 1), "x settles a conflict")
    left = looking.open_count()
    window.close()  # the terminal is gone, with everything in it
    with Store.open(places.store_path(vault)) as store:
        assert store.verify() == []
        assert len(store.conflicts.open()) == left


def test_a_terminal_that_only_prints_lines_gets_lines(
    window: Terminal, vault: Path, belie_home: Path
) -> None:
    environment = {"BELIE_HOME": str(belie_home), "PYTHONPATH": str(PROJECT), "LC_ALL": "C.UTF-8"}
    window.start([*COMMAND, str(vault)], (80, 24), {**environment, "TERM": "dumb"})
    window.until(lambda: "Your answer:" in window.screen(), "the first conflict is told in lines")
    window.press("q", "Enter")
    window.until(lambda: window.exit_code() is not None, "q ends it")
    assert window.exit_code() == 1
    assert "open conflicts left." in window.screen()
