"""How the workspace looks, at three sizes, in each of its states."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from app import places
from app.pipeline.messages import Message, Progress, Watching
from tests.tui.looking import OLDEST_PYTHON, THREE, Camera, camera, made, typed
from tests.tui.real import real_world, undated_world
from tests.tui.world import READY, World, empty_world, many_conflicts, one_conflict, quiet_world

__all__ = ["camera", "made"]
pytestmark = OLDEST_PYTHON

LOADING: tuple[Message, ...] = (Watching("watching"), Progress("reading", 2312, 6591))
NONE_SO_FAR: tuple[Message, ...] = (*READY, Progress("judging", 30, 40))
POLLING: tuple[Message, ...] = (Watching("polling"), Progress("comparing", 40, 100))


def no_store(folder: Path) -> World:
    """A vault whose store is not one."""
    (folder / "Skerrow").mkdir()
    (folder / "skerrow.db").write_bytes(b"words, not a database\n" * 100)
    # Relative to where the test runs, so that the path in the message is the same everywhere.
    return World(Path("Skerrow"), Path("skerrow.db"))


NORMAL = ("normal",)
LOOKS: tuple[
    tuple[str, Callable[[Path], World], tuple[str, ...], tuple[Message, ...], str | None, tuple[str, ...]],
    ...,
] = (
    ("no-notes", empty_world, THREE, READY, None, ()),
    ("empty", quiet_world, THREE, READY, None, ()),
    ("loading", empty_world, THREE, LOADING, None, ()),
    ("one-while-comparing", one_conflict, THREE, POLLING, None, ()),
    ("none-so-far", quiet_world, THREE, NONE_SO_FAR, None, ()),
    ("one", one_conflict, THREE, READY, None, ()),
    ("many", many_conflicts, (*THREE, "short"), READY, None, ()),
    ("sizes", many_conflicts, ("low", "small", "huge"), READY, None, ()),
    ("three-members", many_conflicts, THREE, READY, None, ("G", "k", "enter")),
    ("error", no_store, THREE, READY, None, ()),
    ("light", many_conflicts, THREE, READY, "light", ()),
    # several at once
    ("picked", many_conflicts, THREE, READY, None, ("space", "space", "j", "space")),
    ("picked-all", many_conflicts, ("narrow",), READY, None, ("A", "enter")),
    # the other lists
    ("nothing-snoozed", many_conflicts, NORMAL, READY, None, ("right_square_bracket",)),
    ("snoozed", many_conflicts, THREE, READY, None, ("z", "z", "right_square_bracket")),
    ("settled", many_conflicts, THREE, READY, None, ("1", "x", "b", "left_square_bracket")),
    ("settled-detail", many_conflicts, ("narrow",), READY, None, ("1", "left_square_bracket", "enter")),
    # searching
    ("searched-list", many_conflicts, THREE, READY, None, ("slash", *"licence")),
    ("searched-keys", many_conflicts, THREE, READY, None, ("question_mark", "slash", *"ignore")),
    # parts of the story
    ("line-read", many_conflicts, THREE, READY, None, ("tab", "tab", "slash", *"Yanmar", "enter", "enter")),
    ("undated", undated_world, THREE, READY, None, ("tab", "tab", "j", "j", "j", "j", "enter")),
    ("search", many_conflicts, THREE, READY, None, ("slash", *"shed")),
    ("nothing-found", many_conflicts, NORMAL, READY, None, ("slash", *"zzz", "enter")),
    ("as-of", many_conflicts, THREE, READY, None, ("a", "left", "left")),
    ("as-known", many_conflicts, NORMAL, READY, None, ("a", "space", "enter")),
    ("filter-asked", many_conflicts, THREE, READY, None, ("f",)),
    ("filtered", many_conflicts, THREE, READY, None, ("f", *"record", "enter")),
    ("day-asked", many_conflicts, NORMAL, READY, None, ("d", *typed("12 may"))),
    # asked and answered
    ("trace", real_world, THREE, READY, None, ("enter", "G")),
    ("write-back", real_world, THREE, READY, None, ("w",)),
    ("write-back-light", real_world, NORMAL, READY, "paper", ("w", "right")),
    ("snooze-asked", many_conflicts, NORMAL, READY, None, ("Z",)),
    ("reason", many_conflicts, THREE, READY, None, ("i", *typed("as agreed"), "enter")),
    ("redaction", real_world, THREE, READY, None, ("f9",)),
    # over it
    ("help", many_conflicts, THREE, READY, None, ("question_mark",)),
    ("help-further-down", many_conflicts, ("wide", "narrow"), READY, None, ("question_mark", "G")),
    ("palette", many_conflicts, THREE, READY, None, ("ctrl+p",)),
    ("palette-typed", many_conflicts, NORMAL, READY, None, ("ctrl+p", *"keep")),
    ("jump", many_conflicts, THREE, READY, None, ("apostrophe",)),
)
"""What each is called, on which world, at which sizes, what the index says, in which theme, and the keys."""


@pytest.mark.parametrize(
    ("make", "size", "words", "theme", "keys"),
    [
        pytest.param(make, size, words, theme, keys, id=f"{name}-{size}")
        for name, make, sizes, words, theme, keys in LOOKS
        for size in sizes
    ],
)
def test_looks(
    camera: Camera,
    make: Callable[[Path], World],
    size: str,
    words: tuple[Message, ...],
    theme: str | None,
    keys: tuple[str, ...],
) -> None:
    assert camera.sees(make, size, keys, *words, theme=theme)


@pytest.mark.parametrize("theme", ["paper", "high-contrast", "colour-blind-safe"])
def test_themes(camera: Camera, theme: str) -> None:
    assert camera.sees(many_conflicts, "normal", ("1",), theme=theme)


@pytest.mark.parametrize("size", ["normal", "narrow"])
def test_a_decision_is_said(camera: Camera, size: str) -> None:
    assert camera.sees(many_conflicts, size, ("1",), notices=True)


@pytest.mark.parametrize("size", ["normal", "narrow"])
def test_a_broken_theme_is_said(camera: Camera, size: str) -> None:
    themes = places.config_dir() / "themes"
    themes.mkdir(parents=True)
    (themes / "torn.yaml").write_text("colours: [")
    assert camera.sees(one_conflict, size, theme="torn", notices=True)


def test_without_colours(camera: Camera, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert camera.sees(many_conflicts, "normal", ("j", "tab"))
