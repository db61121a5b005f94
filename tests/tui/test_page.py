"""A page wraps, scrolls and lets one choose its entries; nothing in its text can act."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.app import App, ComposeResult

from app.tui.widgets.page import BLANK, Block, Line, Page, heading
from app.tui.wrapping import wrapped
from tests.tui.test_hostile import HOSTILE


class Sheet(App[None]):
    def __init__(self, blocks: list[Block]) -> None:
        super().__init__()
        self.blocks = blocks

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return {"muted": "#888888"}

    def compose(self) -> ComposeResult:
        yield Page(id="page")

    def on_mount(self) -> None:
        self.query_one(Page).show(self.blocks)


@asynccontextmanager
async def sheet(blocks: list[Block], size: tuple[int, int] = (40, 10)) -> AsyncIterator[tuple[Page, object]]:
    app = Sheet(blocks)
    async with app.run_test(size=size) as pilot:
        app.query_one(Page).focus()
        await pilot.pause()
        yield app.query_one(Page), pilot


def entries(count: int) -> list[Block]:
    return [
        heading("Top"),
        *(Block((Line(f"entry {n}"), Line("more", "muted")), key=str(n)) for n in range(count)),
    ]


@given(st.text(), st.integers(1, 60))
def test_every_line_fits(text: str, width: int) -> None:
    lines = wrapped(text, width)
    assert lines
    assert all(cell_len(line) <= width for line in lines)


def test_words_are_kept_whole_where_they_fit() -> None:
    assert wrapped("the shed is locked at ten", 12) == ["the shed is", "locked at", "ten"]


async def test_the_cursor_goes_from_entry_to_entry_past_headings() -> None:
    blocks = [
        heading("A"),
        Block((Line("one"),), key="1"),
        BLANK,
        heading("B"),
        Block((Line("two"),), key="2"),
    ]
    async with sheet(blocks) as (page, pilot):
        assert page.here is not None and page.here.key == "1"
        await pilot.press("j")
        assert page.here.key == "2"
        await pilot.press("j", "k", "k")
        assert page.here.key == "1"
        await pilot.press("G")
        assert page.here.key == "2"
        await pilot.press("g")
        assert page.here.key == "1"


async def test_the_whole_of_a_chosen_entry_comes_into_view() -> None:
    async with sheet(entries(30)) as (page, pilot):
        await pilot.press(*"jjjjjjjj")
        assert page.here is not None and page.here.key == "8"
        top = round(page.scroll_y)
        assert top <= page.cursor and page.cursor + 2 <= top + 10


async def test_other_blocks_leave_the_cursor_on_its_entry() -> None:
    async with sheet(entries(5)) as (page, pilot):
        await pilot.press("j", "j")
        page.show([heading("New"), *entries(5)])
        assert page.here is not None and page.here.key == "2"
        page.show(entries(1))
        assert page.here is not None and page.here.key == "0"
        page.show([])
        assert page.here is None


async def test_a_page_without_entries_is_read_by_scrolling() -> None:
    async with sheet([Block((Line(f"line {n}"),)) for n in range(50)]) as (page, pilot):
        await pilot.press("j", "j")
        assert page.scroll_y > 0
        assert page.here is None


async def test_a_click_chooses_and_a_second_opens() -> None:
    async with sheet(entries(3)) as (page, pilot):
        await pilot.click(page, offset=(5, 3))
        assert page.here is not None and page.here.key == "1"


@pytest.mark.parametrize("width", [20, 100])
async def test_hostile_text_is_shown_and_does_nothing(width: int) -> None:
    blocks = [
        Block((Line(text, head=text, aside=text), Line(text, "muted")), key=str(n))
        for n, text in enumerate(HOSTILE)
    ]
    async with sheet(blocks, (width, 30)) as (page, pilot):
        for _ in HOSTILE:
            for strip in page.app.screen._compositor.render_strips():
                assert cell_len(strip.text) == width
                assert not [
                    c for c in strip.text if ord(c) < 32 or 127 <= ord(c) < 160 or c in "\u202e\u200b"
                ]
            await pilot.press("j")
        assert page.app.is_running
