"""A list of rows of equal height with a cursor, drawn line by line; holds any number of them."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Self

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBar
from textual.strip import Strip
from textual.widget import Widget

from app.tui.commands import bindings
from app.tui.key_order import dealt_with
from app.tui.widgets.ground import Bar, bare, ground

Part = tuple[str, Style]
_MOST_LINES = 2000


class Rows(ScrollView, can_focus=True, inherit_bindings=False):
    """What Story and Conflicts have in common. A subclass says how many rows there are and draws them."""

    ALLOW_SELECT = False
    """A row is copied by its key; dragging over a list would select half of two columns."""

    BINDINGS = bindings("rows")
    COMPONENT_CLASSES = {"rows--cursor", "rows--cursor-away", "rows--edge"}  # noqa: RUF012
    ROW_HEIGHT = 1

    cursor: reactive[int] = reactive(0, repaint=False)
    _waits_for_room = False

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._lines: dict[Hashable, Strip] = {}
        """Lines as they were drawn, by what they depend on: scrolling draws only what comes into view."""
        self._looks: dict[str, Style] = {}
        self._across, self._top, self._here, self._focused = 0, 0, 0, False
        """Width, first line, cursor and focus of the paint at hand."""

    @dataclass(eq=False, repr=False)
    class Moved(Message):
        """The cursor came to another row, by the person's doing."""

        rows: Rows

        @property
        def control(self) -> Widget:
            return self.rows

    @dataclass(eq=False, repr=False)
    class Chosen(Message):
        """Enter or a click on the row under the cursor."""

        rows: Rows

        @property
        def control(self) -> Widget:
            return self.rows

    # what a subclass provides
    @property
    def total(self) -> int:
        raise NotImplementedError

    def parts(self, index: int, line: int, width: int) -> list[Part]:
        """One line of a row, as pieces of plain text with their styles, `width` cells in all."""
        raise NotImplementedError

    def drawn_as(self, index: int) -> Hashable:
        """What a row's looks depend on besides its content, the cursor and the focus."""
        return None

    # drawing
    def refresh(
        self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False
    ) -> Self:
        if repaint and not regions:
            self.forget_lines()
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def notify_style_update(self) -> None:
        self.forget_lines()
        super().notify_style_update()

    def forget_lines(self) -> None:
        """Rows or their looks may be others than when they were drawn."""
        self._lines.clear()

    def render_lines(self, crop: Region) -> list[Strip]:
        if not self.total:
            return ground(self, crop)
        # Looking a style up costs more than drawing a line with it, so once for all lines.
        self._looks.clear()
        self._across = self.scrollable_content_region.width
        self._top, self._here, self._focused = round(self.scroll_y), self.cursor, self.has_focus
        # One with padding is drawn by Textual, which knows where the padding goes.
        return super().render_lines(crop) if self.gutter else bare(self, crop)

    @property
    def vertical_scrollbar(self) -> ScrollBar:
        if self._vertical_scrollbar is None:
            self._vertical_scrollbar = bar = Bar(name="vertical", thickness=self.scrollbar_size_vertical)
            bar.display = False
            self.app._start_widget(self, bar)
        return self._vertical_scrollbar

    def look(self, name: str) -> Style:
        """The style of a component class, while drawing; the ground has no name."""
        if name not in self._looks:
            self._looks[name] = self.get_component_rich_style(name, partial=True) if name else self.rich_style
        return self._looks[name]

    def render_line(self, y: int) -> Strip:
        index, line = divmod(y + self._top, self.ROW_HEIGHT)
        if index >= self.total:
            return Strip.blank(self.region.width, self.look(""))
        key = (index, line, self._across, index == self._here, self._focused, self.drawn_as(index))
        drawn = self._lines.get(key)
        if drawn is None:
            if len(self._lines) >= _MOST_LINES:
                self.forget_lines()
            drawn = self._lines[key] = self._strip(index, line, self._across)
        return drawn

    def _strip(self, index: int, line: int, width: int) -> Strip:
        ground = self.look("")
        if index == self.cursor:
            ground += self.look("rows--cursor" if self.has_focus else "rows--cursor-away")
        edge = "▌" if index == self.cursor else " "
        edge_style = self.look("rows--edge") if self.has_focus else Style()
        segments = [Segment(edge, ground + edge_style)]
        segments += [Segment(text, ground + style) for text, style in self.parts(index, line, width - 1)]
        strip = Strip(segments).adjust_cell_length(width, ground)
        # Where a scroll bar stands it covers the rest of the line.
        return strip.adjust_cell_length(self.region.width, self.look(""))

    def resized(self) -> None:
        """The number of rows has changed."""
        self.virtual_size = Size(0, self.total * self.ROW_HEIGHT)
        self.refresh()

    def watch_show_vertical_scrollbar(self, shown: bool) -> None:
        # A bar that comes after the list was scrolled would stand at the top until the next move.
        if shown:
            self.vertical_scrollbar.position = self.scroll_y

    def watch_has_focus(self, _: bool) -> None:
        self.refresh()

    # moving
    def move_to(self, index: int, *, tell: bool = True, centre: bool = False) -> None:
        """Put the cursor on a row and bring it into view."""
        if not self.total:
            return
        index = max(0, min(index, self.total - 1))
        before, self.cursor = self.cursor, index
        self._into_view(centre)
        for row in {before, index}:
            self.refresh_lines(row * self.ROW_HEIGHT, self.ROW_HEIGHT)
        if tell and before != index:
            self.post_message(self.Moved(self))

    def _into_view(self, centre: bool) -> None:
        height = self.scrollable_content_region.height
        # Not laid out yet: where the row will be is known when it is.
        self._waits_for_room = not height
        region = Region(0, self.cursor * self.ROW_HEIGHT, 1, self.ROW_HEIGHT)
        if not height or (self.scroll_y <= region.y and region.bottom <= self.scroll_y + height):
            return
        if centre:
            self.scroll_to(y=max(0, region.y - height // 3), animate=False, force=True)
        else:
            self.scroll_to_region(region, animate=False, force=True)

    def on_resize(self) -> None:
        if self.total:
            self._into_view(self._waits_for_room)

    @property
    def _page(self) -> int:
        return max(1, self.scrollable_content_region.height // self.ROW_HEIGHT - 1)

    def action_cursor_down(self) -> None:
        self.move_to(self.cursor + 1)

    def action_cursor_up(self) -> None:
        self.move_to(self.cursor - 1)

    def action_page_down(self) -> None:
        self.move_to(self.cursor + self._page)

    def action_page_up(self) -> None:
        self.move_to(self.cursor - self._page)

    def action_first(self) -> None:
        self.move_to(0)

    def action_last(self) -> None:
        self.move_to(self.total - 1)

    async def action_choose(self) -> None:
        self.choose()
        # What that opens is there for the next key.
        await dealt_with(self)

    def choose(self) -> None:
        if self.total:
            self.post_message(self.Chosen(self))

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None:
            return
        index = (offset.y + round(self.scroll_y)) // self.ROW_HEIGHT
        if 0 <= index < self.total and not self.clicked(index, offset.x, event):
            again = index == self.cursor
            self.move_to(index)
            if again or event.chain > 1:
                self.choose()

    def clicked(self, index: int, x: int, event: events.Click) -> bool:
        """What a subclass makes of a click on a row; True: it is done with."""
        return False
