"""`belie` alone in a real terminal: the known vault one stands in is opened, elsewhere one is asked."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.services.vaults import remember
from tests.robust.building import COMMAND, DISPUTED, PROJECT, write
from tests.terminal.tmux import Terminal, terminal

pytestmark = pytest.mark.terminal


@pytest.fixture
def window() -> Iterator[Terminal]:
    with terminal() as one:
        yield one


def start_in(window: Terminal, folder: Path, belie_home: Path) -> None:
    environment = {"BELIE_HOME": str(belie_home), "PYTHONPATH": str(PROJECT), "LC_ALL": "C.UTF-8"}
    command = f"cd {shlex.quote(str(folder))} && exec {shlex.join(COMMAND)}"
    window.start(["sh", "-c", command], (100, 30), environment)


def test_standing_in_a_known_vault_opens_it(window: Terminal, tmp_path: Path, belie_home: Path) -> None:
    vault = write(tmp_path / "notes", DISPUTED | {"Farm/Boat.md": "The boat is moored at the quay.\n"})
    remember(vault)
    remember(write(tmp_path / "other", {"Other.md": "The other vault is empty.\n"}))
    start_in(window, vault / "Farm", belie_home)
    window.until(lambda: "4411 or 0087" in window.screen(), "its conflict is shown")


def test_elsewhere_one_is_asked(window: Terminal, tmp_path: Path, belie_home: Path) -> None:
    vault = write(tmp_path / "notes", DISPUTED)
    remember(vault)
    start_in(window, tmp_path, belie_home)
    window.until(lambda: str(vault) in window.screen().replace("\n", ""), "the vaults are listed")
    assert "4411" not in window.screen()
