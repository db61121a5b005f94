"""Several conflicts, one decision; and the other ways to answer than by a number."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.pipeline.messages import Indexed
from app.store.changes import ConflictChange
from app.store.store import Store
from app.tui.screens.snooze import Snooze
from tests.tui.conftest import Opener
from tests.tui.world import World

FIRST, KEYPAD, CALLUM = "c-00000002", "c-00000001", "c-00000004"


async def test_one_decision_for_all_that_are_picked(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        ids = [row.id for row in seat.main.queue.rows]
        await seat.press("space", "j", "space")
        assert f"Conflicts · 2 of {len(ids)} picked" in seat.screen_text()
        assert "For 2 picked conflicts" in seat.screen_text()
        await seat.press("x")
        assert any("not a conflict. (2 conflicts)" in toast for toast in seat.toasts)
        assert seat.main.queue.picked == set()
    settled = {id for id in ids if many.stored(id).status == "dismissed"}
    assert settled == {ids[0], ids[2]}


async def test_undo_takes_back_the_whole_of_it(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        total = seat.main.queue.total
        await seat.press("b", "A")
        assert len(seat.main.queue.picked) == total - 1
        await seat.press("z")
        assert seat.main.queue.total == 0
        await seat.press("u")
        assert seat.main.queue.total == total - 1
        assert any(f"Undone ({total - 1} conflicts)" in toast for toast in seat.toasts)
        await seat.press("u")
        assert seat.main.queue.total == total
    with Store.open(many.store_path) as store:
        assert store.verify() == []


async def test_undo_means_what_was_decided_last_wherever_that_was(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        first = seat.selected or ""
        await seat.press("x")
        with Store.open(many.store_path) as other:
            other.conflicts.dismiss(CALLUM, "elsewhere")
        await seat.press("u")
        assert (many.stored(CALLUM).status, many.stored(first).status) == ("open", "dismissed")


async def test_newest_of_each_leaves_those_without_one(sit: Opener, many: World) -> None:
    undated = many.note("A.md", ["The gate is red."]) + many.note("B.md", ["The gate is green."])
    plain = many.conflict(undated, "Is the gate still red?")
    async with sit(many) as seat:
        await seat.press("A")
        assert "keeps the newest of each (7 have one)" in seat.screen_text()
        await seat.press("n")
        assert [row.id for row in seat.main.queue.rows] == [plain]
    kept = [many.stored(one.id) for one in many.conflicts if one.id != plain]
    assert all(conflict.status == "resolved" for conflict in kept)


async def test_what_is_picked_is_let_go_of(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        await seat.press("space", "space", "space", "k", "space")
        assert len(seat.main.queue.picked) == 2
        await seat.press("escape")
        assert seat.main.queue.picked == set()
        await seat.press("space", "right_square_bracket")
        assert seat.main.queue.picked == set(), "another list, another choice"


async def test_a_picked_conflict_that_is_settled_elsewhere_is_picked_no_more(
    sit: Opener, many: World
) -> None:
    async with sit(many) as seat:
        await seat.press("space", "space")
        gone = seat.main.queue.rows[0].id
        with Store.open(many.store_path) as other:
            other.conflicts.dismiss(gone)
        await seat.say(Indexed(1, 1, 6, 1))
        assert len(seat.main.queue.picked) == 1 and gone not in seat.main.queue.picked


async def test_the_mouse_picks(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        await seat.pilot.click("#queue", offset=(2, 0))
        await seat.pilot.click("#queue", offset=(20, 4), shift=True)
        await seat.pilot.click("#queue", offset=(20, 2), control=True)
        await seat.press("j")
        ids = [row.id for row in seat.main.queue.rows]
        assert seat.main.queue.picked == {ids[0], ids[2]}


async def test_a_click_on_an_answer_is_its_key(sit: Opener, one: World) -> None:
    async with sit(one) as seat:
        lines = seat.screen_text().splitlines()
        y = next(index for index, line in enumerate(lines) if "keeps “5380”" in line)
        await seat.pilot.click(offset=(lines[y].index("keeps “5380”") + 2, y))
        await seat.press("j")
    assert one.stored(KEYPAD).winner == one.conflicts[0].members[1]


async def test_the_suggestion_is_marked_and_enter_says_that_it_takes_it(sit: Opener, one: World) -> None:
    old = one.note("Farm/Ropes.md", ["The mooring rope is 24 mm."], date="2025-03-01")
    new = one.note("Farm/Gear.md", ["The mooring rope is 28 mm."], date="2026-03-01", layer="state")
    rope = one.conflict([old[0], new[0]], "Is the mooring rope still 24 mm?", confidence=0.99)
    async with sit(one, size=(160, 45)) as seat:
        seat.main.queue.move_to([row.id for row in seat.main.queue.rows].index(rope))
        await seat.press("enter")
        assert seat.main.detail.marked == 2
        text = seat.screen_text()
        assert "★ suggested" in text
        assert "keeps “28 mm”, retires “24 mm”" in text
        assert "★ Enter takes it: newest and most trusted" in text
        await seat.press("enter")
        assert seat.toasts[-1].startswith("Kept “28 mm”, as suggested: newest and most trusted.")
    assert one.stored(rope).winner == new[0]


async def test_a_newer_date_alone_suggests_nothing(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        seat.main.queue.move_to([row.id for row in seat.main.queue.rows].index("c-00000003"))
        await seat.press("enter", "enter")
        assert "★" not in seat.screen_text()
    assert many.stored("c-00000003").status == "open"


async def test_nothing_is_suggested_where_date_and_trust_disagree(sit: Opener, one: World) -> None:
    async with sit(one) as seat:
        await seat.press("enter", "enter")
        assert seat.main.detail.marked == 1 and "★" not in seat.screen_text()
    assert one.stored(KEYPAD).status == "open"


async def test_snoozed_until_a_day_that_is_typed(sit: Opener, one: World) -> None:
    async with sit(one) as seat:
        await seat.press("Z")
        assert isinstance(seat.app.screen, Snooze)
        assert "in a month" in seat.screen_text() and "30 Jul 2026" in seat.screen_text()
        await seat.press(*"12 july")
        assert "on 12 Jul 2026" in seat.screen_text()
        await seat.press("enter")
        assert any("Snoozed until 12 Jul 2026" in toast for toast in seat.toasts)
    assert one.stored(KEYPAD).snoozed_until == "2026-07-12"


async def test_snoozed_until_a_line_changes_and_then_it_is_back(sit: Opener, one: World) -> None:
    async with sit(one) as seat:
        await seat.press("Z", *"changes", "enter")
        assert seat.main.queue.total == 0
        await seat.press("right_square_bracket")
        assert "until a line changes" in seat.screen_text()
        await seat.press("left_square_bracket")
        more = one.note("Daily/2026-06-01.md", ["- Shore shed keypad code: 7777"], date="2026-06-01")
        before = one.conflicts[0]
        wanted = replace(before, members=(*before.members, *more))
        with Store.open(one.store_path) as store:
            store.conflicts.apply([ConflictChange("changed", wanted, before)], "2026-06-30")
        await seat.say(Indexed(1, 1, 1, 1))
        assert seat.selected == KEYPAD


async def test_a_past_day_is_not_offered(sit: Opener, one: World) -> None:
    async with sit(one) as seat:
        await seat.press("Z", *"2020-01-01", "enter")
        assert isinstance(seat.app.screen, Snooze), "there is nothing to take"
        await seat.press("escape")
    assert one.stored(KEYPAD).snoozed_until is None


@pytest.mark.parametrize("key", ["1", "b", "z"])
async def test_a_reason_of_ones_own_goes_with_the_decision(sit: Opener, one: World, key: str) -> None:
    async with sit(one) as seat:
        await seat.press("i", *"ask Ailsa", "enter")
        assert "because: ask Ailsa" in seat.screen_text()
        await seat.press(key)
    with Store.open(one.store_path, read_only=True) as store:
        assert store.ledger.events(limit=1, decisions=True)[0].why == "ask Ailsa"


async def test_a_reason_belongs_to_its_conflict_and_can_be_dropped(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        await seat.press("i", *"only this one", "enter", "j")
        assert seat.main.state.why == ""
        await seat.press("i", *"no", "escape")
        assert seat.main.state.why == "" and seat.main.controllers.prompt.line is None


async def test_copying_the_words_and_a_link(sit: Opener, one: World, monkeypatch: pytest.MonkeyPatch) -> None:
    handed: list[str] = []
    monkeypatch.setattr("app.tui.clipboard.hand_over", handed.append)
    async with sit(one) as seat:
        await seat.press("y", "l", "Y")
        assert seat.app.clipboard == "Daily/2026-05-12.md:2"
        (one.root / ".obsidian").mkdir()
        await seat.press("Y", "shift+tab", "g", "y")
    assert handed == [
        "The shore shed keypad code is 5830.", "Daily/2026-05-12.md:2",
        "obsidian://open?vault=Skerrow&file=Daily%2F2026-05-12", "Ask before you share any of these.",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("script", "told"),
    [("exit 0", "The desktop took the link"), ("exit 4", "xdg-open could not open the link (code 4)")],
)
async def test_opening_in_obsidian_says_what_the_desktop_did(
    sit: Opener, one: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, told: str
) -> None:
    opener = tmp_path / "bin" / "xdg-open"
    opener.parent.mkdir()
    opener.write_text(f'#!/bin/sh\nprintf "%s" "$1" > {tmp_path}/given\n{script}\n')
    opener.chmod(0o755)
    monkeypatch.setenv("PATH", str(opener.parent))
    async with sit(one) as seat:
        await seat.press("o")
        await seat.app.workers.wait_for_complete()
        await seat.pilot.pause()
        assert any(told in toast for toast in seat.toasts)
    assert (tmp_path / "given").read_text().endswith("Farm%2FAccess%20codes.md")


async def test_a_double_click_on_a_card_opens_its_note(
    sit: Opener, one: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[tuple[str, ...]] = []
    monkeypatch.setattr("app.tui.editor.run", lambda found, _suspended: opened.append(found.argv) or 0)
    monkeypatch.setenv("BELIE_EDITOR", "true {line} {path}")
    async with sit(one) as seat:
        cards = list(seat.main.query("MemberCard"))
        await seat.pilot.click(cards[1], times=2)
        await seat.press("j")
    assert [argv[1] for argv in opened] == ["2"]
