"""The forks: what is otherwise in them, and making, applying and discarding one."""

from __future__ import annotations

from app.forks import files
from app.store.store import Store
from app.tui.screens.ask import Ask
from app.tui.screens.forks import Forks
from tests.tui.conftest import Opener
from tests.tui.world import World


def forked(world: World, name: str = "what-if") -> str:
    """A fork in which the first conflict is settled the other way; its id."""
    with Store.open(world.store_path) as store:
        files.make(store, name)
    conflict = world.conflicts[0]
    with files.open_fork(world.store_path, name) as fork:
        fork.conflicts.keep(conflict.id, conflict.members[1], "the newer one")
    return conflict.id


async def test_without_a_fork_it_says_how_to_make_one(sit: Opener, one: World) -> None:
    async with sit(one) as seat:
        await seat.press("F")
        assert isinstance(seat.app.screen, Forks)
        assert "There is no fork." in seat.screen_text()
        await seat.press("n")
        assert isinstance(seat.app.screen, Ask)
        await seat.press(*"What", "space", *"if", "question_mark", "enter")
        assert "Nothing is otherwise in it yet." in seat.screen_text()
        assert any("--fork what-if" in toast for toast in seat.toasts)
    assert files.names(one.store_path) == ["what-if"]


async def test_a_name_that_is_none_is_refused(sit: Opener, one: World) -> None:
    async with sit(one) as seat:
        await seat.press("F", "n", "exclamation_mark", "enter")
        assert any("is no name for a fork" in toast for toast in seat.toasts)
    assert files.names(one.store_path) == []


async def test_what_is_otherwise_is_shown_and_applied(sit: Opener, one: World) -> None:
    id = forked(one)
    async with sit(one) as seat:
        await seat.press("F")
        seen = seat.screen_text()
        assert "The shore shed keypad code is: 5830 or 5380?" in seen
        assert "1 decision to apply" in seen
        assert "resolved: kept, for “Shore shed keypad code: 5380”" in seen
        assert one.stored(id).status == "open", "looking changes nothing"
        await seat.press("a", *"other", "enter")
        assert any("not its name" in toast for toast in seat.toasts)
        assert one.stored(id).status == "open"
        await seat.press("a", "w", "h", "a", "t", "minus", "i", "f", "enter")
        assert "There is no fork." in seat.screen_text()
    assert one.stored(id).status == "resolved"
    assert one.stored(id).winner == one.conflicts[0].members[1]


async def test_a_fork_is_discarded_by_its_name(sit: Opener, one: World) -> None:
    id = forked(one, "aside")
    async with sit(one) as seat:
        await seat.press("F", "j", "x", "escape")
        assert files.names(one.store_path) == ["aside"]
        await seat.press("x", *"aside", "enter")
    assert files.names(one.store_path) == []
    assert one.stored(id).status == "open"


async def test_a_broken_fork_is_named_and_can_go(sit: Opener, one: World) -> None:
    files.place(one.store_path, "torn").write_bytes(b"words, not a database\n" * 100)
    async with sit(one) as seat:
        await seat.press("F")
        assert "is not a database" in seat.screen_text()
        await seat.press("x", *"torn", "enter")
    assert files.names(one.store_path) == []
