"""How the workspace looks, at three sizes, in each of its states."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from app.index.messages import Message, Progress, Watching
from app.tui.app import Workspace
from app.tui.widgets.prompt import Prompt
from tests.tui.conftest import make_workspace, settled
from tests.tui.world import READY, World, empty_world, many_conflicts, one_conflict, quiet_world

pytestmark = pytest.mark.skipif(
    sys.version_info[:2] != (3, 11), reason="the pictures were made with the oldest Python"
)

SIZES = {"wide": (160, 45), "normal": (100, 30), "narrow": (60, 24)}
LOADING: tuple[Message, ...] = (Watching("watching"), Progress("reading", 312, 6591))


def no_store(folder: Path) -> World:
    """A vault whose store is not one."""
    (folder / "Skerrow").mkdir()
    (folder / "skerrow.db").write_bytes(b"words, not a database\n" * 100)
    # Relative to where the test runs, so that the path in the message is the same everywhere.
    return World(Path("Skerrow"), Path("skerrow.db"))


@pytest.fixture(params=list(SIZES))
def size(request: pytest.FixtureRequest) -> tuple[int, int]:
    return SIZES[request.param]


@pytest.mark.parametrize(
    ("make", "words", "theme", "keys"),
    [
        pytest.param(quiet_world, READY, None, (), id="empty"),
        pytest.param(empty_world, LOADING, None, (), id="loading"),
        pytest.param(one_conflict, READY, None, (), id="one"),
        pytest.param(many_conflicts, READY, None, (), id="many"),
        pytest.param(many_conflicts, READY, None, ("G", "k", "enter"), id="three-members"),
        pytest.param(many_conflicts, READY, None, ("slash", *"shed"), id="search"),
        pytest.param(many_conflicts, READY, None, ("question_mark",), id="help"),
        pytest.param(no_store, READY, None, (), id="error"),
        pytest.param(many_conflicts, READY, "light", (), id="light"),
    ],
)
def test_looks(
    snap_compare: Callable[..., bool],
    closing: Callable[[Workspace], Workspace],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    size: tuple[int, int],
    make: Callable[[Path], World],
    words: tuple[Message, ...],
    theme: str | None,
    keys: tuple[str, ...],
) -> None:
    monkeypatch.chdir(tmp_path)
    app = closing(make_workspace(make(tmp_path), *words, theme=theme))

    async def before(pilot) -> None:
        for search in app.screen.query(Prompt):
            search.cursor_blink = False
        await settled(pilot)
        for key in keys:
            await pilot.press(key)
            await settled(pilot)

    assert snap_compare(app, terminal_size=size, run_before=before)
