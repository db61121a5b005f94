"""Which part of the story is told: searching, filtering, one subject, a day, and the story as of a day."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.pipeline.messages import Indexed
from app.store.store import Store
from app.tui.screens.filter import Filter
from app.tui.widgets.scrubber import Scrubber
from tests.tui.conftest import Opener, Seat
from tests.tui.world import World, empty_world


@pytest.fixture
def tagged(tmp_path: Path) -> World:
    """Notes of two projects with tags, and one conflict."""
    world = empty_world(tmp_path)
    boat = world.note("Boat.md", ["# Berths", "", "The berth of Puffin is the quay.", "Her hull is blue."],
                      date="2026-03-01", tags=("boat",), project="farm", layer="state")  # fmt: skip
    daily = world.note("Daily/2026-05-02.md", ["- The berth of Puffin is the pontoon."], date="2026-05-02")
    world.note("Shed.md", ["The lamp is on."], tags=("shed",), project="house")
    world.conflict([boat[0], daily[0]], "Is the berth of Puffin still the quay?", kind="stale")
    return world


def told(seat: Seat) -> list[str]:
    story = seat.main.story
    return [row.text for place in range(story.total) if (row := story.row(place)) is not None]


QUAY, HULL = "The berth of Puffin is the quay.", "Her hull is blue."
PONTOON, LAMP = "The berth of Puffin is the pontoon.", "The lamp is on."


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("tag:boat", [QUAY, HULL]),
        ("project:house", [LAMP]),
        ("trust:trusted hull", [HULL]),
        ("kind:stale", [QUAY, PONTOON]),
        ("subject:berth", [QUAY, PONTOON]),
        ("kind:reversal", []),
    ],
)
async def test_the_search_narrows_by_fields(sit: Opener, tagged: World, typed: str, found: list[str]) -> None:
    async with sit(tagged) as seat:
        keys = [{":": "colon", " ": "space"}.get(key, key) for key in typed]
        await seat.press("tab", "tab", "slash", *keys)
        assert told(seat) == found
        await seat.press("enter")
        assert f"Story · {typed}" in seat.screen_text()
        assert (f"Nothing says “{typed}”." in seat.screen_text()) == (not found)
        await seat.press("escape")
        assert told(seat) == [QUAY, HULL, PONTOON, LAMP]


async def test_a_note_and_its_heading_stand_beside_the_line(sit: Opener, tagged: World) -> None:
    async with sit(tagged, size=(200, 40)) as seat:
        assert "Boat › Berths" in seat.screen_text()


async def test_a_filter_is_picked_from_what_there_is(sit: Opener, tagged: World) -> None:
    async with sit(tagged) as seat:
        await seat.press("f")
        assert isinstance(seat.app.screen, Filter)
        assert "tag       boat" in seat.screen_text() and "kind      stale" in seat.screen_text()
        await seat.press(*"boat", "enter")
        assert seat.main.story.telling.query == "tag:boat"
        assert told(seat) == [QUAY, HULL]
        await seat.press("f", *"trusted", "enter")
        assert seat.main.story.telling.query == "tag:boat trust:trusted"
        await seat.press("f", "escape")
        assert seat.main.story.telling.query == "tag:boat trust:trusted"


async def test_a_filter_is_picked_with_arrows_and_with_the_mouse(sit: Opener, tagged: World) -> None:
    async with sit(tagged) as seat:
        await seat.press("f", "down", "down", "enter")
        assert seat.main.story.telling.query == "trust:trusted"
        await seat.press("escape", "f")
        await seat.pilot.click("#picker-list", offset=(12, 0))
        await seat.press("g")
        assert seat.main.story.telling.query == "kind:stale"


async def test_the_thread_of_a_line_and_of_a_member(sit: Opener, tagged: World) -> None:
    async with sit(tagged) as seat:
        await seat.press("s")
        assert seat.main.story.telling.query == 'subject:"the berth of puffin"'
        assert told(seat) == [QUAY, PONTOON]
        await seat.press("escape", "G", "s")
        assert told(seat) == [LAMP]


async def test_going_to_a_day(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        await seat.press("d", *"2 apr", "enter")
        row = seat.main.story.here
        assert row is not None and row.date == "2026-04-02"
        assert seat.main.focused is seat.main.story
        before = seat.main.story.cursor
        await seat.press("d", *"nonsense", "enter")
        assert seat.main.controllers.prompt.line is not None, "one can correct it"
        await seat.press("escape")
        assert seat.main.story.cursor == before and seat.main.controllers.prompt.line is None


async def test_the_story_as_of_a_day_in_the_notes(sit: Opener, tagged: World) -> None:
    async with sit(tagged) as seat:
        await seat.press("a")
        scrubber = seat.main.controllers.days.scrubber
        assert scrubber is not None and scrubber.day == "2026-05-02"
        await seat.press("left")
        assert "as of 1 Mar 2026" in seat.screen_text()
        assert told(seat) == [QUAY, HULL, LAMP], "undated claims stay"
        row = seat.main.story.here
        assert row is not None and row.date == "2026-03-01"
        await seat.press("right")
        assert PONTOON in told(seat)
        await seat.press("home", "enter")
        assert seat.main.focused is seat.main.story
        await seat.press("escape")
        assert seat.main.controllers.days.scrubber is None and told(seat) == [QUAY, HULL, PONTOON, LAMP]


async def test_the_story_as_belie_knew_it(sit: Opener, tagged: World) -> None:
    """The ledger is replayed: what was decided later had not happened, what was read later was not known."""
    later = "2026-07-04T09:00:00.000000+00:00"
    conflict = tagged.conflicts[0]
    with Store.open(tagged.store_path, clock=lambda: later) as store:
        store.conflicts.keep(conflict.id, conflict.members[1])
    async with sit(tagged) as seat:
        rows = {row.text: row for place in range(4) if (row := seat.main.story.row(place))}
        assert (rows[QUAY].status, rows[QUAY].disputed) == ("superseded", None)
        await seat.press("a", "space")
        assert "as Belie knew" in seat.screen_text() or "as known" in seat.screen_text()
        assert (
            seat.main.controllers.days.scrubber is not None
            and seat.main.controllers.days.scrubber.days == ("2026-06-30", "2026-07-04")
        )
        await seat.press("home")
        rows = {row.text: row for place in range(4) if (row := seat.main.story.row(place))}
        assert (rows[QUAY].status, rows[QUAY].disputed) == ("active", conflict.id)
        await seat.press("slash", *"hull")
        assert told(seat) == [HULL]
        await seat.press("enter", "d", *"2026", "enter")
        assert seat.main.story.cursor == 0


async def test_the_scrubber_answers_to_the_mouse(sit: Opener, many: World) -> None:
    async with sit(many, size=(160, 45)) as seat:
        await seat.press("a")
        scrubber = seat.main.controllers.days.scrubber
        assert isinstance(scrubber, Scrubber)
        start, room = scrubber._track
        await seat.pilot.click("#scrubber", offset=(1 + start, 0))
        await seat.press("shift+tab")
        assert scrubber.place == 0
        await seat.pilot.click("#scrubber", offset=(1 + start + room, 0))
        await seat.press("shift+tab")
        assert scrubber.place == 1
        await seat.pilot.click("#scrubber", offset=(start + room + 8, 0))
        await seat.press("shift+tab")
        assert scrubber.by == "belie"


async def test_from_one_disputed_line_to_the_next(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        await seat.press("tab", "tab", "g", "right_curly_bracket")
        story = seat.main.story
        first = story.cursor
        assert story.here is not None and story.here.disputed
        await seat.press("right_curly_bracket")
        assert story.cursor > first and story.here is not None and story.here.disputed
        assert not any(row.disputed for row in map(story.row, range(first + 1, story.cursor)))
        await seat.press("left_curly_bracket")
        assert story.cursor == first
        await seat.press("g", "left_curly_bracket")
        assert story.cursor == 0, "there is none before"


async def test_a_search_goes_on_while_notes_stream_in(sit: Opener, tagged: World) -> None:
    async with sit(tagged) as seat:
        await seat.press("tab", "tab", "slash", *"berth", "enter")
        tagged.note("More.md", ["Another berth is free.", "Rain."], date="2026-06-01")
        await seat.say(Indexed(1, 2, 1, 1))
        assert told(seat) == [QUAY, PONTOON, "Another berth is free."]


async def test_a_reversal_is_drawn_as_stations(sit: Opener, many: World) -> None:
    async with sit(many, size=(160, 45)) as seat:
        seat.main.queue.move_to([row.id for row in seat.main.queue.rows].index("c-00000006"))
        await seat.press("tab", "tab", "slash", *"webshop", "enter")
        lines = [line for line in seat.screen_text().splitlines() if "webshop" in line and "⚠" in line]
        assert [sign for line in lines for sign in "●○" if sign in line.split("⚠")[0]] == ["●", "○", "●"]


async def test_marking_a_member_goes_to_its_line(sit: Opener, many: World) -> None:
    async with sit(many) as seat:
        first, second = many.conflicts[1].members
        await seat.press("l")
        marked = seat.main.detail.marked_member
        assert marked is not None and marked.claim.id in (first, second)
        assert seat.main.story.ids[seat.main.story.cursor] == marked.claim.id
        await seat.press("h")
        assert seat.main.story.ids[seat.main.story.cursor] != marked.claim.id


async def test_the_footer_names_only_keys_that_work_while_one_types(sit: Opener, tagged: World) -> None:
    async with sit(tagged) as seat:
        await seat.press("slash", "q")
        footer = seat.screen_text().splitlines()[-1]
        assert "Enter takes it" in footer and "Esc drops it" in footer and "filter" not in footer
        await seat.press("enter")
        assert "/ search" in seat.screen_text().splitlines()[-1]


async def test_the_footer_names_the_keys_of_the_line_of_days(sit: Opener, tagged: World) -> None:
    async with sit(tagged) as seat:
        await seat.press("a")
        assert "← day back  → day on  Space notes or Belie" in seat.screen_text().splitlines()[-1]
        await seat.press("enter")
        assert "day back" not in seat.screen_text().splitlines()[-1]
