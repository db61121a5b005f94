"""How the further screens and dialogs look, in each of their states."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app import places, settings
from tests.tui.looking import OLDEST_PYTHON, THREE, Camera, camera, made, typed
from tests.tui.real import NOTES, real_world, undated_world
from tests.tui.test_forks_screen import forked
from tests.tui.test_looks import no_store
from tests.tui.world import World, empty_world, many_conflicts, one_conflict

__all__ = ["camera", "made"]
pytestmark = OLDEST_PYTHON

BLOCKED = "The shore shed keypad code is 9999."
CLEAN = "The boat hook is kept in the locker."
WARNED = "The shellfish licence expires on 30 October 2026."
MODELS: dict[str, Any] = {
    "try": {
        "embedder": {"state": "ready", "per_second": 412.0, "reason": "", "repair": ""},
        "judge": {"state": "ready", "per_second": 61.0, "reason": "", "repair": ""},
        "llama": {"state": "absent", "reason": "no llama.cpp model is installed", "repair": "make models"},
    },
    "last_error": None,
    "additions": [
        {
            "name": "large-judge",
            "there": True,
            "adds": "a judge that is right more often",
            "get": "make models",
        },
        {"name": "llama", "there": False, "adds": "a language model", "get": "make models"},
    ],
}


def forked_world(folder: Path) -> World:
    """A conflict that is settled one way in a fork."""
    world = one_conflict(folder)
    forked(world)
    return world


def strange_world(folder: Path) -> World:
    """A vault with what a doctor finds: left out, broken, unknown."""
    root = folder / "Skerrow"
    (root / "Boat").mkdir(parents=True)
    (root / "Boat" / "Log.sync-conflict-20260611-081205-AB3CDEF.md").write_text("The engine is a Yanmar.\n")
    (root / ".trash").mkdir()
    (root / ".trash" / "Old.md").write_text("Gone.\n")
    config = settings.config_file()
    config.parent.mkdir(parents=True)
    config.write_text("theme: paper\nmax_bytes: many\ncolour: blue\n")
    return real_world(folder, {**NOTES, "Farm/Torn.md": "---\ntitle: [unclosed\n---\nThe quay is long.\n"})


@pytest.fixture(autouse=True)
def one_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """What the doctor finds out about the machine is the same on every one."""
    monkeypatch.setattr("app.services.examination.models", lambda: MODELS)
    monkeypatch.setattr(places, "store_path", lambda root: tmp_path / "state" / "skerrow.db")


LOOKS: tuple[tuple[str, Callable[[Path], World], tuple[str, ...], str | None, tuple[str, ...]], ...] = (
    ("history-empty", one_conflict, ("normal",), None, ("H",)),
    ("history", many_conflicts, THREE, None, ("1", "x", "b", "u", "H")),
    ("history-everything", many_conflicts, ("normal", "narrow"), "light", ("1", "H", "a", "j")),
    ("history-error", no_store, ("normal",), None, ("H",)),
    ("mirror-empty", empty_world, ("normal",), None, ("m",)),
    ("mirror", real_world, THREE, None, ("m", "l", "l")),
    ("mirror-disputed", real_world, ("normal", "narrow"), "paper", ("m", "l", "l", "d")),
    ("mirror-error", no_store, ("normal",), None, ("m",)),
    ("trends-empty", empty_world, ("normal",), None, ("p",)),
    ("trends", many_conflicts, (*THREE, "short"), None, ("1", "x", "p")),
    ("trends-alike", undated_world, THREE, None, ("p", "right", "right", "right")),
    ("trends-contested", many_conflicts, ("narrow",), "light", ("p", "left")),
    ("forks-empty", one_conflict, ("normal",), None, ("F",)),
    ("forks", forked_world, THREE, None, ("F",)),
    ("fork-asked", one_conflict, ("normal", "narrow"), None, ("F", "n")),
    ("fork-discarded", forked_world, ("narrow",), None, ("F", "x")),
    ("settings", one_conflict, THREE, None, ("comma",)),
    ("settings-light", one_conflict, ("normal",), "light", ("comma", "j", "j")),
    ("settings-own", one_conflict, ("normal",), None, ("comma", "v", "j", "j", "space")),
    ("settings-asked", one_conflict, THREE, None, ("comma", "j", "enter")),
    ("settings-chosen", one_conflict, THREE, None, ("comma", "enter")),
    ("settings-wrong", strange_world, ("normal",), None, ("comma",)),
    ("doctor", real_world, THREE, None, ("D",)),
    ("doctor-findings", strange_world, THREE, None, ("D",)),
    ("doctor-error", no_store, ("normal",), None, ("D",)),
    ("capture", real_world, THREE, None, ("c",)),
    ("capture-clean", real_world, ("normal", "narrow"), None, ("c", *typed(CLEAN))),
    ("capture-warned", real_world, THREE, None, ("c", *typed(WARNED))),
    ("capture-block", real_world, THREE, None, ("c", *typed(BLOCKED))),
    ("capture-blocked", real_world, THREE, "light", ("c", *typed(BLOCKED), "enter")),
    ("capture-blocked-why", real_world, THREE, None, ("c", *typed(BLOCKED), "enter", "s")),
    ("help-of-the-mirror", real_world, THREE, None, ("m", "question_mark")),
    ("jump-in-the-mirror", real_world, ("normal", "narrow"), None, ("m", "apostrophe")),
    ("palette-of-the-history", many_conflicts, ("normal",), None, ("1", "H", "ctrl+p")),
    ("snooze-asked", many_conflicts, ("wide", "narrow"), None, ("Z",)),
    ("day-asked", many_conflicts, ("wide", "narrow"), None, ("d", *typed("12 may"))),
)
"""What each is called, on which world, at which sizes, in which theme, and the keys that lead there."""


@pytest.mark.parametrize(
    ("make", "size", "theme", "keys"),
    [
        pytest.param(make, size, theme, keys, id=f"{name}-{size}")
        for name, make, sizes, theme, keys in LOOKS
        for size in sizes
    ],
)
def test_looks(
    camera: Camera, make: Callable[[Path], World], size: str, theme: str | None, keys: tuple[str, ...]
) -> None:
    assert camera.sees(make, size, keys, theme=theme)
