"""How the further screens look, in each of their states."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.widgets import Input

from app.tui.app import Workspace
from app.tui.screens.capture import Capture
from tests.tui.conftest import make_workspace, settled
from tests.tui.real import real_world
from tests.tui.world import READY, World, empty_world, many_conflicts, one_conflict

pytestmark = pytest.mark.skipif(
    sys.version_info[:2] != (3, 11), reason="the pictures were made with the oldest Python"
)

SIZES = {"wide": (160, 45), "normal": (100, 30), "narrow": (60, 24), "short": (100, 16)}
BLOCKED = "The shore shed keypad code is 9999."
CLEAN = "The boat hook is kept in the locker."


def broken_store(folder: Path) -> World:
    (folder / "Skerrow").mkdir()
    (folder / "skerrow.db").write_bytes(b"words, not a database\n" * 100)
    return World(Path("Skerrow"), Path("skerrow.db"))


def typed(text: str) -> tuple[str, ...]:
    return tuple({" ": "space", ".": "full_stop"}.get(letter, letter) for letter in text)


@pytest.mark.parametrize(
    ("make", "size", "theme", "keys"),
    [
        pytest.param(one_conflict, "normal", None, ("H",), id="history-empty"),
        pytest.param(many_conflicts, "wide", None, ("1", "x", "b", "u", "H"), id="history-many"),
        pytest.param(many_conflicts, "narrow", None, ("1", "x", "H"), id="history-narrow"),
        pytest.param(many_conflicts, "normal", "light", ("1", "H", "a"), id="history-everything-light"),
        pytest.param(broken_store, "normal", None, ("H",), id="history-error"),
        pytest.param(empty_world, "normal", None, ("m",), id="mirror-empty"),
        pytest.param(real_world, "wide", None, ("m", "l"), id="mirror-many"),
        pytest.param(real_world, "narrow", None, ("m", "l", "d"), id="mirror-narrow"),
        pytest.param(real_world, "normal", "paper", ("m",), id="mirror-light"),
        pytest.param(empty_world, "normal", None, ("p",), id="trends-empty"),
        pytest.param(many_conflicts, "wide", None, ("1", "x", "p"), id="trends-many"),
        pytest.param(many_conflicts, "narrow", None, ("1", "p"), id="trends-narrow"),
        pytest.param(many_conflicts, "short", "light", ("p", "l"), id="trends-short-light"),
        pytest.param(one_conflict, "normal", None, ("comma",), id="settings"),
        pytest.param(one_conflict, "narrow", "light", ("comma", "j", "j"), id="settings-narrow-light"),
        pytest.param(one_conflict, "normal", None, ("comma", "j", "enter"), id="settings-asked"),
        pytest.param(real_world, "normal", None, ("c",), id="capture-empty"),
        pytest.param(real_world, "normal", None, ("c", *typed(CLEAN)), id="capture-clean"),
        pytest.param(real_world, "narrow", None, ("c", *typed(BLOCKED)), id="capture-block-narrow"),
        pytest.param(real_world, "wide", "light", ("c", *typed(BLOCKED), "enter", "s"), id="capture-blocked"),
        pytest.param(many_conflicts, "wide", None, ("apostrophe",), id="jump"),
        pytest.param(real_world, "normal", None, ("m", "question_mark"), id="help-of-the-mirror"),
    ],
)
def test_looks(
    snap_compare: Callable[..., bool],
    closing: Callable[[Workspace], Workspace],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    make: Callable[[Path], World],
    size: str,
    theme: str | None,
    keys: tuple[str, ...],
) -> None:
    monkeypatch.chdir(tmp_path)
    # Paths in the pictures are the same everywhere.
    monkeypatch.setenv("BELIE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(Capture, "PAUSE", 0)
    app = closing(make_workspace(make(tmp_path), *READY, theme=theme))

    async def before(pilot) -> None:
        await settled(pilot)
        for key in keys:
            await pilot.press(key)
            await settled(pilot)
            for line in app.screen.query(Input):
                line.cursor_blink = False

    assert snap_compare(app, terminal_size=SIZES[size], run_before=before)
