"""The story: every claim, oldest first, one line each; pages of rows are fetched as they come into view."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.style import Style
from textual.message import Message

from app.cells import clip, fit, right
from app.store.order import Order
from app.tui.story_view import WHOLE
from app.tui.widgets.hits import with_hits
from app.tui.widgets.rows import Part, Rows
from app.tui.wording import LAYER_GLYPH

if TYPE_CHECKING:
    from app.store.rows import StoryRow
    from app.tui.messages import StoryRead
    from app.words import Kind

PAGE = 100
_KEPT_PAGES = 60
_LEAST_NOTE, _MOST_NOTE, _MOST_PLACE = 10, 24, 40
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


class Story(Rows):
    """The claims of the store in order. It knows all their ids and holds the rows of the pages near by."""

    COMPONENT_CLASSES = {  # noqa: RUF012
        "story--date", "story--disagreement", "story--reversal", "story--stale",
        "story--disputed", "story--state", "story--entity", "story--memory",
        "story--hit", "story--note", "story--superseded", "story--member", "story--waiting",
    }  # fmt: skip

    @dataclass(eq=False, repr=False)
    class PageWanted(Message):
        """A page that is being looked at is not here."""

        generation: int
        page: int
        ids: list[str]

    def __init__(self, *, today: date, id: str | None = None) -> None:
        super().__init__(id=id)
        self.today = today
        self.ids = Order()
        self.telling = WHOLE
        self.generation = 0
        self._pages: OrderedDict[int, list[StoryRow]] = OrderedDict()
        self._asked: set[int] = set()
        self._members: list[int] = []
        self._member_ids: tuple[str, ...] = ()
        self._kind: Kind = "disagreement"

    @property
    def total(self) -> int:
        return len(self.ids)

    # what comes from the store
    def take(self, read: StoryRead) -> None:
        """Show a newly read story; the line under the cursor stays where it is on the screen."""
        same = read.telling == self.telling and read.ids == self.ids
        if same and all(self._pages.get(page) == rows for page, rows in read.pages.items()):
            self.generation, self.ids = read.generation, read.ids
            self._pages = OrderedDict(read.pages)
            self._asked.clear()
            return
        here = self.ids[self.cursor] if self.ids else None
        above = self.cursor - round(self.scroll_y)
        self.generation, self.telling = read.generation, read.telling
        self.ids = read.ids
        self._pages = OrderedDict(read.pages)
        self._asked.clear()
        self._place_members()
        self.resized()
        place = self.ids.place(here) if here is not None else None
        if place is not None:
            self.cursor = place
            self.scroll_to(y=max(0, self.cursor - above), animate=False, force=True)
        else:
            self.move_to(min(self.cursor, max(0, self.total - 1)), tell=False)
        self.refresh()

    def take_page(self, generation: int, page: int, rows: list[StoryRow]) -> None:
        self._asked.discard(page)
        if generation != self.generation:
            return
        self._pages[page] = rows
        while len(self._pages) > _KEPT_PAGES:
            self._pages.popitem(last=False)
        first, last = self._seen
        if first <= page * PAGE + PAGE and page * PAGE <= last:
            self.refresh()

    @property
    def _seen(self) -> tuple[int, int]:
        """The first and the last line that is seen."""
        top = round(self.scroll_y)
        return top, min(top + self.size.height, self.total) - 1

    @property
    def near(self) -> tuple[str, ...]:
        """The claims under the cursor and at both ends of what is seen."""
        places = {self.cursor, *self._seen} if self.ids else set()
        return tuple(self.ids[place] for place in sorted(places) if 0 <= place < self.total)

    def row(self, index: int) -> StoryRow | None:
        """The row if it is here; otherwise its page is asked for."""
        page, place = divmod(index, PAGE)
        rows = self._pages.get(page)
        if rows is None:
            self._want(page)
            return None
        # The page ahead comes before the eye gets there.
        ahead = page + 1 if place > PAGE * 3 // 4 else page - 1 if place < PAGE // 4 else page
        if 0 <= ahead * PAGE < self.total and ahead not in self._pages:
            self._want(ahead)
        return rows[place] if place < len(rows) else None

    def _want(self, page: int) -> None:
        if page not in self._asked:
            self._asked.add(page)
            self.post_message(self.PageWanted(self.generation, page, page_of(self.ids, page)))

    @property
    def here(self) -> StoryRow | None:
        return self.row(self.cursor) if self.ids else None

    def next_disputed(self, way: int) -> int | None:
        """The place of the next disputed line, or of the one before; None at the end."""
        return self.ids.next_disputed(self.cursor, way)

    # the members of the selected conflict
    def join(self, members: Sequence[str], kind: Kind, *, go: bool) -> bool:
        """Join these claims by a line in the gutter and go to the newest; says whether any is here."""
        self._member_ids, self._kind = tuple(members), kind
        self._place_members()
        if go and self._members:
            self.move_to(self._members[-1], tell=False, centre=True)
        self.refresh()
        return bool(self._members)

    def show_claim(self, id: str) -> None:
        """Go to a claim, if it is in what is told."""
        if (place := self.ids.place(id)) is not None:
            self.move_to(place, tell=False, centre=True)

    def _place_members(self) -> None:
        places = (self.ids.place(id) for id in self._member_ids)
        self._members = sorted(place for place in places if place is not None)

    def _gutter(self, index: int) -> str:
        members = self._members
        if len(members) < 2 or not members[0] <= index <= members[-1]:
            return "●" if index in members else " "
        if index not in members:
            return "│"
        if self._kind == "reversal":
            # Stations of one road: there, away, and back again.
            return "●" if index in (members[0], members[-1]) else "○"
        return "╭" if index == members[0] else "╰" if index == members[-1] else "├"

    # drawing
    def drawn_as(self, index: int) -> tuple[int, bool, bool, bool]:
        """Whether it is the first line that is seen, or the second, and whether its row and the two before
        are here."""
        here, above, further = ((index - n) // PAGE in self._pages for n in range(3))
        return min(index - self._top, 2), here, above, further

    def parts(self, index: int, line: int, width: int) -> list[Part]:
        def style(name: str) -> Style:
            return self.look(f"story--{name}")

        row = self.row(index)
        narrow = width < 56
        date_width = 8 if narrow else 10
        gutter = self._gutter(index)
        if row is None:
            return [
                (fit("", date_width + 1), Style()),
                (gutter, style(self._kind)),
                (" ·····", style("waiting")),
            ]
        stamp = self._stamp(index, row, narrow)
        disputed = row.disputed is not None
        parts: list[Part] = [
            (fit(stamp, date_width) + " ", style("date")),
            (gutter + " ", style(self._kind)),
            (LAYER_GLYPH[row.layer] + " ", style(row.layer)),
            ("⚠ " if disputed else "  ", style("disputed")),
        ]
        left = width - sum(cell_len(text) for text, _ in parts) - 1
        text_style = style("superseded") if row.struck or row.status == "superseded" else Style()
        if disputed:
            text_style += style("disputed")
        if index in self._members:
            text_style += style("member")
        # Where it stands takes what the text leaves, within limits; a narrow list is for the text.
        place = "" if narrow else _place(row)
        kept_for_place = min(_LEAST_NOTE, cell_len(clip(place, 40))) + 2 if place else 0
        text = clip(row.text, left - kept_for_place)
        parts += with_hits(text, self.telling.words, text_style, style("hit"))
        if place:
            room = left - cell_len(text)
            told = clip(place, min(_MOST_NOTE if width < 90 else _MOST_PLACE, room - 2))
            parts.append((right(told, room), style("note")))
        return parts

    def _before(self, index: int) -> StoryRow | None:
        """The row above, if there is one and it is here."""
        page, place = divmod(index - 1, PAGE)
        rows = self._pages.get(page) if index else None
        return rows[place] if rows and place < len(rows) else None

    def _stamp(self, index: int, row: StoryRow, narrow: bool) -> str:
        """The day where another begins. What no date is known of stands at the end, marked as such; below
        that, about when the file of each note was last changed."""
        before = self._before(index)
        if row.date is not None:
            repeats = before is not None and before.date == row.date and index != self._top
            return "" if repeats else self._day(row.date, narrow)
        if self._opens_undated(index, before):
            return "undated"
        assert before is not None
        another = before.path != row.path or self._opens_undated(index - 1, self._before(index - 1))
        changed = self.file_day(row) if another else None
        return _about(changed, narrow) if changed else ""

    def file_day(self, row: StoryRow) -> str | None:
        """When the file of an undated line was last changed; a time that is still to come tells nothing."""
        return row.file_day if row.file_day and row.file_day <= self.today.isoformat() else None

    def _opens_undated(self, index: int, before: StoryRow | None) -> bool:
        return index == self._top or before is None or before.date is not None

    def _day(self, day: str, narrow: bool) -> str:
        if not narrow:
            return day
        year, month, of_month = day[:10].split("-")
        name = _MONTHS[int(month) - 1]
        return f"{int(of_month)} {name}" if int(year) == self.today.year else f"{name} {year}"


def _about(day: str, narrow: bool) -> str:
    """The month of a file's time, with a sign that says that it is no more than a hint."""
    year, month = day[:7].split("-")
    name = _MONTHS[int(month) - 1]
    return f"~{name} ’{year[2:]}" if narrow else f"~ {name} {year}"


def page_of(ids: Order, page: int) -> list[str]:
    """The claims of one page."""
    return ids[page * PAGE : (page + 1) * PAGE]


def _place(row: StoryRow) -> str:
    """The note and the heading it stands under; a daily note's title is the date, which is there already."""
    headings = [heading for heading in row.heading if heading not in (row.title, row.date)]
    named = [] if row.title == row.date else [row.title]
    return " › ".join([*named, *headings[-1:]])
