"""The panes: what they show, how one moves in them, and that live updates leave the person alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.pipeline.messages import Indexed, Progress, Reads, Trouble, Watching
from app.store.store import Store
from app.tui.controllers import store_controller
from app.tui.messages import FromIndex
from app.tui.widgets.story import PAGE, Story
from tests.tui.conftest import Opener, settled
from tests.tui.world import World, empty_world, quiet_world

KEYPAD = "c-00000001"


async def test_the_first_open_conflict_is_selected_and_shown(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        assert seat.main.queue.cursor == 0
        view = seat.main.detail.view
        assert view is not None and view.conflict.id == seat.selected
        text = seat.screen_text()
        assert "“Never grade on a falling tide” or “Graded" in text
        assert "Farm/Farm rules.md:3" in text and "Daily/2026-06-08.md:1" in text
        assert "7 open" in text and "● watching" in text and "offline" in text


async def test_each_key_says_what_it_would_do(sit: Opener, one: World) -> None:
    async with sit(one) as seat:
        text = seat.screen_text()
        assert "1 t keeps “5830”, retires “5380”" in text
        assert "2 n keeps “5380”, retires “5830”" in text
        assert "snooze a week" in text


async def test_the_story_marks_and_joins_the_members(sit: Opener, one: World) -> None:
    async with sit(one, size=(160, 45)) as seat:
        lines = seat.screen_text().splitlines()
        first = next(line for line in lines if "The shore shed keypad" in line and "╭" in line)
        last = next(line for line in lines if "Shore shed keypad code: 5380" in line and "╰" in line)
        assert "╭ ◇ ⚠" in first
        assert "╰ · ⚠" in last
        between = lines[lines.index(first) + 1 : lines.index(last)]
        assert between and all("│ " in line for line in between)


async def test_enter_on_a_disputed_line_selects_its_conflict(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        story = seat.main.story
        wanted = many.conflicts[3]
        await seat.press("tab", "tab", "g")
        story.move_to(story.ids.place(wanted.members[0]))
        await seat.press("enter")
        assert seat.selected == wanted.id
        assert seat.main.detail.marked_member.claim.id == wanted.members[0]
        story.move_to(story.ids.place(wanted.members[1]))
        await seat.press("enter")
        assert seat.main.detail.marked_member.claim.id == wanted.members[1]


async def test_moving_by_every_key(sit: Opener, many: World) -> None:
    async with sit(many, size=(140, 30)) as seat:
        queue, story = seat.main.queue, seat.main.story
        await seat.press("j", "down", "k")
        assert queue.cursor == 1
        await seat.press("G")
        assert queue.cursor == queue.total - 1
        await seat.press("up", "home")
        assert queue.cursor == 0
        await seat.press("shift+tab", "g", "pagedown")
        assert story.cursor > 3
        await seat.press("pageup")
        assert story.cursor == 0
        await seat.press("end", "j")
        assert story.cursor == story.total - 1


async def test_the_mouse_selects_rows_tabs_and_keys(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        await seat.pilot.click("#queue", offset=(8, 4))
        await seat.press("k", "j")
        assert seat.main.queue.cursor == 2
        await seat.pilot.click("#tab-choice", offset=(12, 0))
        await seat.press("j")
        assert seat.main.state.tab == "snoozed"
        await seat.pilot.click("Keys", offset=(seat.app.size.width - 5, 0))
        await seat.pilot.pause()
    assert seat.app.return_value == 0


async def test_an_update_never_moves_the_row_under_the_cursor(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        await seat.press("j", "j", "j")
        here, row = seat.selected, seat.main.queue.cursor
        top = seat.main.queue.scroll_y
        fresh = many.note(
            "Farm/Aaa rules.md",
            ["Never whistle on the boat.", "Whistle on the boat."],
            date="2026-06-29",
            layer="state",
        )
        many.conflict(fresh, "Is whistling still forbidden?", tier="block", confidence=1.0)
        await seat.say(Indexed(1, 1, 8, 1))
        assert seat.main.queue.total == 8
        assert seat.selected == here
        assert seat.main.queue.cursor == row + 1, "the new one came in above"
        assert seat.main.queue.scroll_y - top == 2, "so the list moved and the row did not"


async def test_news_waits_until_the_cursor_rests(
    sit: Opener, many: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with sit(many) as seat:
        with Store.open(many.store_path) as other:
            other.conflicts.dismiss(KEYPAD)
        monkeypatch.setattr(store_controller, "NEWS_REST", 3600.0)
        await seat.press("j")
        seat.main.post_message(FromIndex(Indexed(1, 1, 6, 1)))
        await seat.pilot.pause()
        assert (seat.main.queue.total, seat.main.controllers.store.news_waits) == (7, True), (
            "the person is on the way"
        )
        monkeypatch.setattr(store_controller, "NEWS_LATEST", 0.0)
        seat.main.controllers.store.read_news()
        await settled(seat.pilot)
        assert (seat.main.queue.total, seat.main.controllers.store.news_waits) == (6, False), "not for ever"


async def test_a_conflict_settled_elsewhere_leaves_and_the_next_is_selected(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        await seat.press("j")
        here, after = seat.selected, seat.main.queue.rows[2].id
        with Store.open(many.store_path) as other:
            other.conflicts.dismiss(here or "")
        await seat.say(Indexed(1, 1, 6, 1))
        assert seat.selected == after


async def test_a_write_by_another_program_is_noticed_by_the_poll(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        seat.main.controllers.store.poll()
        await seat.press("j")
        with Store.open(many.store_path) as other:
            other.conflicts.dismiss(KEYPAD)
        seat.main.controllers.store.poll()
        await seat.press("k")
        assert seat.main.queue.total == 6


async def test_the_story_keeps_its_place_when_earlier_claims_come_in(sit: Opener, many: World) -> None:
    async with sit(many, size=(140, 30)) as seat:
        story = seat.main.story
        await seat.press("tab", "tab", "g", "pagedown", "pagedown", "k")
        here, above = story.ids[story.cursor], story.cursor - story.scroll_y
        many.note("Old.md", [f"Old line {n}." for n in range(7)], date="2020-01-01")
        await seat.say(Indexed(1, 7, 7, 1))
        assert story.ids[story.cursor] == here
        assert story.cursor - story.scroll_y == above


async def test_searching_narrows_the_story_and_escape_ends_it(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        total = seat.main.story.total
        await seat.press("tab", "tab", "slash", *"keypad")
        assert seat.main.story.total == 2
        await seat.press("enter")
        assert seat.main.focused is seat.main.story
        assert "Story · keypad" in seat.screen_text()
        await seat.press("escape")
        assert seat.main.story.total == total
        await seat.press("slash", *"zzz")
        assert "Nothing says “zzz”." in seat.screen_text()
        await seat.press("escape")
        assert seat.main.story.total == total


async def test_pages_of_a_long_story_are_fetched_as_they_come_into_view(sit: Opener, tmp_path: Path) -> None:
    world = empty_world(tmp_path)
    world.note("Long.md", [f"Line number {n} is here." for n in range(PAGE * 8)], date="2026-01-01")
    async with sit(world, size=(160, 30)) as seat:
        await seat.press("tab", "tab", "G")
        assert f"Line number {PAGE * 8 - 1} is here." in seat.screen_text()
        seat.main.story.move_to(PAGE * 4 + 3)
        await seat.press("j")
        assert f"Line number {PAGE * 4 + 4} is here." in seat.screen_text()
        assert len(seat.main.story._pages) <= 8


async def test_a_key_is_answered_while_the_store_is_busy(sit: Opener, many: World) -> None:
    """The store threads are held up; the cursor moves all the same."""
    import threading

    async with sit(many) as seat:
        held = threading.Event()
        for thread in seat.app.session.threads:
            thread.ask(seat.main, lambda _store: held.wait() and None)
        await seat.pilot.press("j", "j")
        await seat.pilot.pause()
        assert seat.main.queue.cursor == 2
        held.set()


@pytest.mark.parametrize(("size", "shown"), [((160, 45), 3), ((100, 30), 3), ((60, 24), 1), ((90, 16), 2)])
async def test_how_many_panes_fit(sit: Opener, many: World, size: tuple[int, int], shown: int) -> None:
    async with sit(many, size=size) as seat:
        visible = [
            pane
            for pane in ("conflicts", "detail", "story")
            if seat.main.controllers.panes.box(pane).region.area
        ]
        assert len(visible) == shown


async def test_a_narrow_terminal_shows_the_pane_one_goes_to(sit: Opener, many: World) -> None:
    async with sit(many, size=(60, 24)) as seat:
        await seat.press("enter")
        assert (
            seat.main.controllers.panes.box("detail").region.area
            and not seat.main.controllers.panes.box("conflicts").region.area
        )
        before = seat.selected
        await seat.press("x")
        assert seat.selected != before
        assert seat.main.controllers.panes.box("detail").region.area, "the next one is there in the same pane"
        await seat.press("tab")
        assert seat.main.controllers.panes.box("story").region.area


async def test_the_marked_member_is_what_edit_opens(
    sit: Opener, one: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[tuple[str, ...]] = []
    monkeypatch.setattr("app.tui.editor.run", lambda found, _suspended: opened.append(found.argv) or 0)
    monkeypatch.setenv("BELIE_EDITOR", "true {line} {path}")
    async with sit(one) as seat:
        await seat.press("e", "l", "e", "l", "h", "e")
        await seat.press("shift+tab", "g", "e")
    places = [(int(argv[1]), Path(argv[2]).relative_to(one.root).as_posix()) for argv in opened]
    assert places == [(4, "Farm/Access codes.md"), (2, "Daily/2026-05-12.md"), (2, "Daily/2026-05-12.md"),
                      (3, "Farm/Access codes.md")]  # fmt: skip


async def test_edit_without_an_editor_says_what_to_set(
    sit: Opener, one: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    async with sit(one) as seat:
        await seat.press("e")
        assert any("Set VISUAL or EDITOR" in toast for toast in seat.toasts)


async def test_rescan_asks_the_worker(sit: Opener, one: World) -> None:
    async with sit(one) as seat:
        await seat.press("r")
        assert seat.worker.rescans == 1
        seat.worker.alive = False
        seat.worker.started.clear()
        await seat.press("r")
        assert (seat.worker.rescans, seat.worker.alive) == (1, True), "one that has ended is started anew"


async def test_the_status_line_follows_the_worker(sit: Opener, tmp_path: Path) -> None:
    async with sit(empty_world(tmp_path), Watching("polling"), Progress("reading", 312, 6591)) as seat:
        text = seat.screen_text()
        assert "◌ polling" in text and "reading 312/6,591" in text
        assert "Reading your notes …" in text
        await seat.say(Progress("comparing", 5, 10))
        assert "comparing 5/10" in seat.screen_text()
        await seat.say(Progress("done", 10, 10))
        await seat.say(Indexed(0, 0, 0, 0))
        text = seat.screen_text()
        assert "comparing" not in text
        assert "There is nothing to read here yet." in text


async def test_the_queue_says_that_more_may_come(sit: Opener, many: World) -> None:
    async with sit(many, Watching("watching"), size=(120, 40)) as seat:
        assert "Conflicts · still reading, more may come ░░░░░░░░" in seat.screen_text()
        await seat.say(Progress("judging", 30, 40))
        assert "Conflicts · still reading, more may come ██████░░" in seat.screen_text()
        await seat.say(Progress("paused", 0, 0))
        assert "more may come" not in seat.screen_text()
        await seat.say(Progress("judging", 40, 40))
        await seat.say(Indexed(1, 1, 1, 0))
        assert "more may come" not in seat.screen_text()


async def test_nothing_is_said_to_agree_before_all_is_read(sit: Opener, tmp_path: Path) -> None:
    async with sit(quiet_world(tmp_path)) as seat:
        await seat.say(Progress("judging", 1, 40))
        text = seat.screen_text()
        assert "Nothing found so far." in text and "Nothing contradicts itself." not in text
        assert "Nothing waits for an answer." not in text
        await seat.say(Progress("done", 0, 0))
        assert "Nothing contradicts itself." in seat.screen_text()


async def test_the_status_line_says_what_reads(sit: Opener, tmp_path: Path) -> None:
    async with sit(empty_world(tmp_path), Watching("watching")) as seat:
        assert "rules only" in seat.screen_text()
        await seat.say(Reads("models, no language model"))
        assert "models, no language model" in seat.screen_text()
        await seat.say(Reads("rules"))
        assert "rules only" in seat.screen_text()


async def test_notes_that_agree_are_said_to(sit: Opener, tmp_path: Path) -> None:
    async with sit(quiet_world(tmp_path)) as seat:
        text = seat.screen_text()
        assert "Nothing contradicts itself." in text and "4 statements in 2 notes agree." in text
        assert "0 open" in seat.screen_text()


async def test_trouble_is_a_notice_and_a_fatal_one_stays(sit: Opener, tmp_path: Path) -> None:
    async with sit(empty_world(tmp_path), Watching("watching")) as seat:
        await seat.say(Trouble("One note could not be read: [b]x.md"))
        assert "One note could not be read: [b]x.md" in seat.toasts
        await seat.say(Trouble("The vault is gone.", fatal=True))
        assert "The vault is gone." in seat.screen_text()
        assert "○ not watching" in seat.screen_text()


async def test_a_store_that_is_none_is_said_and_nothing_crashes(sit: Opener, tmp_path: Path) -> None:
    root = tmp_path / "vault"
    root.mkdir()
    broken = tmp_path / "state" / "x.db"
    broken.parent.mkdir()
    broken.write_bytes(b"this is no database, only words " * 50)
    async with sit(World(root, broken)) as seat:
        assert seat.main.state.failure
        assert "Your notes are untouched." in seat.screen_text()
        await seat.press("j", "1", "u", "tab", "e")
        assert broken.read_bytes().startswith(b"this is no database")
        broken.unlink()
        await seat.press("r")
        assert seat.main.state.failure is None, "once it is out of the way, r makes a new one"


async def test_quitting_ends_with_zero_and_stops_the_worker(sit: Opener, one: World) -> None:
    async with sit(one) as seat:
        await seat.pilot.press("q")
        await seat.pilot.pause()
    assert seat.app.return_value == 0
    assert not seat.worker.alive


def test_an_empty_story_draws_nothing() -> None:
    from datetime import date

    story = Story(today=date(2026, 6, 30))
    assert (story.total, story.here) == (0, None)
