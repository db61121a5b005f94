"""One key settles the selected conflict, whichever pane has the focus; the store agrees."""

from __future__ import annotations

import pytest

from app.store.store import Store
from tests.tui.conftest import Opener, Seat
from tests.tui.world import World

FIRST, KEYPAD, CALLUM = "c-00000002", "c-00000001", "c-00000004"


def members(world: World, conflict: str) -> tuple[str, ...]:
    return next(one.members for one in world.conflicts if one.id == conflict)


async def go_to(seat: Seat, conflict: str) -> None:
    await seat.press("g")
    while seat.selected != conflict:
        before = seat.selected
        await seat.press("j")
        assert seat.selected != before, f"{conflict} is not in the queue"


@pytest.mark.parametrize("number", [1, 2])
async def test_a_number_keeps_that_member(sit: Opener, one: World, number: int) -> None:
    kept, lost = members(one, KEYPAD)[number - 1], members(one, KEYPAD)[2 - number]
    async with sit(one) as seat:
        await seat.press(str(number))
        assert seat.main.queue.total == 0
        assert any("Kept" in toast and "u to undo" in toast for toast in seat.toasts)
    conflict = one.stored(KEYPAD)
    assert (conflict.status, conflict.winner) == ("resolved", kept)
    assert (one.status_of(kept), one.status_of(lost)) == ("active", "superseded")


async def test_the_third_of_three(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        await go_to(seat, "c-00000006")
        await seat.press("3")
    assert many.stored("c-00000006").winner == members(many, "c-00000006")[2]


async def test_a_number_beyond_the_members_does_nothing(sit: Opener, one: World) -> None:
    async with sit(one) as seat:
        await seat.press("3", "9")
        assert seat.selected == KEYPAD
    assert one.stored(KEYPAD).status == "open"


async def test_newest_and_most_trusted(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        await go_to(seat, KEYPAD)
        await seat.press("n")
        await go_to(seat, CALLUM)
        await seat.press("t")
    assert many.stored(KEYPAD).winner == members(many, KEYPAD)[1]
    assert many.stored(CALLUM).winner == members(many, CALLUM)[0]
    with Store.open(many.store_path, read_only=True) as store:
        assert [event.why for event in store.ledger.events(decisions=True)] == [
            "the most trusted",
            "the newest",
        ]


async def test_most_trusted_does_nothing_when_all_are_equal(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        await go_to(seat, "c-00000003")
        await seat.press("t")
    assert many.stored("c-00000003").status == "open"


@pytest.mark.parametrize(("key", "why"), [("b", "both are true"), ("x", "not a conflict")])
async def test_dismissing_with_a_default_reason(sit: Opener, one: World, key: str, why: str) -> None:
    async with sit(one) as seat:
        await seat.press(key)
    assert one.stored(KEYPAD).status == "dismissed"
    assert [one.status_of(claim) for claim in members(one, KEYPAD)] == ["active", "active"]
    with Store.open(one.store_path, read_only=True) as store:
        assert store.ledger.history(KEYPAD)[-1].why == why


async def test_snoozing_for_a_week_and_reopening(sit: Opener, one: World) -> None:
    async with sit(one) as seat:
        await seat.press("z")
        assert one.stored(KEYPAD).snoozed_until == "2026-07-07"
        assert seat.selected is None
        await seat.press("right_square_bracket")
        assert seat.selected == KEYPAD
        await seat.press("R")
        assert (seat.main.state.tab, seat.selected) == ("open", KEYPAD)
    assert one.stored(KEYPAD).snoozed_until is None


async def test_undo_brings_it_back_selected(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        first = seat.selected
        assert first is not None
        await seat.press("1", "b")
        assert many.stored(first).status == "resolved"
        await seat.press("u")
        assert seat.selected != first
        await seat.press("u")
        assert seat.selected == first
        assert any("Undone" in toast for toast in seat.toasts)
    assert many.stored(first).status == "open"
    assert {many.status_of(claim) for claim in members(many, first)} == {"active"}


async def test_undo_with_nothing_to_undo_says_so(sit: Opener, one: World) -> None:
    async with sit(one) as seat:
        await seat.press("u")
        assert seat.toasts
    assert one.stored(KEYPAD).status == "open"


async def test_a_settled_conflict_is_listed_and_can_be_reopened(sit: Opener, one: World) -> None:
    async with sit(one) as seat:
        await seat.press("1", "left_square_bracket")
        assert (seat.main.state.tab, seat.selected) == ("settled", KEYPAD)
        text = seat.screen_text()
        assert "kept 1" in text and "✓ kept" in text
        await seat.press("2")
        assert one.stored(KEYPAD).winner == members(one, KEYPAD)[0], "settled ones are not decided again"
        await seat.press("R")
        assert (seat.main.state.tab, seat.selected) == ("open", KEYPAD)
    assert {one.status_of(claim) for claim in members(one, KEYPAD)} == {"active"}


async def test_the_whole_queue_with_one_key(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        total = seat.main.queue.total
        seen = []
        for _ in range(total):
            seen.append(seat.selected)
            await seat.press("x")
        assert len(set(seen)) == total
        assert "Nothing contradicts itself." in seat.screen_text()
    assert {many.stored(one.id).status for one in many.conflicts} == {"dismissed"}


async def test_keys_pressed_faster_than_the_store_writes_decide_one_each(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        expected = [row.id for row in seat.main.queue.rows[:4]]
        await seat.pilot.press("x", "x", "x", "x")
        await seat.press("j")
    assert [one for one in expected if many.stored(one).status != "dismissed"] == []
    assert sum(many.stored(one.id).status == "dismissed" for one in many.conflicts) == 4


@pytest.mark.parametrize("tabs", [0, 1, 2])
async def test_decisions_work_from_every_pane(sit: Opener, one: World, tabs: int) -> None:
    async with sit(one) as seat:
        await seat.press(*["tab"] * tabs)
        assert seat.main.controllers.panes.here == ("conflicts", "detail", "story")[tabs]
        await seat.press("1")
    assert one.stored(KEYPAD).status == "resolved"


async def test_what_is_typed_in_the_search_decides_nothing(sit: Opener, one: World) -> None:
    async with sit(one) as seat:
        await seat.press("slash", "1", "x", "b", "z", "q")
        assert seat.main.queue.sought == "1xbzq" and seat.main.story.telling.query == ""
        await seat.press("escape", "tab", "tab", "slash", "1", "x", "b", "z", "q")
        assert seat.main.story.telling.query == "1xbzq" and seat.main.queue.sought == ""
    assert one.stored(KEYPAD).status == "open"


async def test_somebody_else_decided_first(sit: Opener, one: World) -> None:
    async with sit(one) as seat:
        with Store.open(one.store_path) as other:
            other.conflicts.dismiss(KEYPAD, "elsewhere")
        await seat.press("1")
        assert any("dismissed already" in toast for toast in seat.toasts)
        assert seat.selected is None
    assert one.stored(KEYPAD).status == "dismissed"


async def test_a_store_that_cannot_be_written_shows_and_refuses(
    sit: Opener, one: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain_open = Store.open
    monkeypatch.setattr(Store, "open", lambda path, **rest: plain_open(path, **{**rest, "read_only": True}))
    async with sit(one) as seat:
        assert "read-only" in seat.screen_text()
        await seat.press("1", "b", "u")
        assert seat.selected == KEYPAD
