"""A list of rows of equal height with a cursor, drawn line by line; holds any number of them."""

from __future__ import annotations

from dataclasses import dataclass

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from app.tui.commands import bindings

Part = tuple[str, Style]


class Rows(ScrollView, can_focus=True, inherit_bindings=False):
    """What Story and Conflicts have in common. A subclass says how many rows there are and draws them."""

    ALLOW_SELECT = False
    """A row is copied by its key; dragging over a list would select half of two columns."""

    BINDINGS = bindings("rows")
    COMPONENT_CLASSES = {"rows--cursor", "rows--cursor-away", "rows--edge"}  # noqa: RUF012
    ROW_HEIGHT = 1

    cursor: reactive[int] = reactive(0, repaint=False)
    _waits_for_room = False

    @dataclass
    class Moved(Message):
        """The cursor came to another row, by the person's doing."""

        rows: Rows
        index: int

        @property
        def control(self) -> Widget:
            return self.rows

    @dataclass
    class Chosen(Message):
        """Enter or a click on the row under the cursor."""

        rows: Rows
        index: int

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

    # drawing
    def render_lines(self, crop: Region) -> list[Strip]:
        # Looking a style up costs more than drawing a line with it, so once for all lines.
        self._ground = self.rich_style
        self._looks = {
            name: self.get_component_rich_style(name, partial=True) for name in self._component_styles
        }
        return super().render_lines(crop)

    def look(self, name: str) -> Style:
        """The style of a component class, while drawing."""
        return self._looks[name]

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        index, line = divmod(y + round(self.scroll_y), self.ROW_HEIGHT)
        if index >= self.total:
            return Strip.blank(width, self._ground)
        ground = self._ground
        if index == self.cursor:
            ground += self.look("rows--cursor" if self.has_focus else "rows--cursor-away")
        edge = "▌" if index == self.cursor else " "
        edge_style = self.look("rows--edge") if self.has_focus else Style()
        segments = [Segment(edge, ground + edge_style)]
        segments += [Segment(text, ground + style) for text, style in self.parts(index, line, width - 1)]
        return Strip(segments).adjust_cell_length(width, ground)

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
            self.post_message(self.Moved(self, index))

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

    def action_choose(self) -> None:
        if self.total:
            self.post_message(self.Chosen(self, self.cursor))

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        if offset is None:
            return
        index = (offset.y + round(self.scroll_y)) // self.ROW_HEIGHT
        if 0 <= index < self.total and not self.clicked(index, offset.x, event):
            again = index == self.cursor
            self.move_to(index)
            if again or event.chain > 1:
                self.action_choose()

    def clicked(self, index: int, x: int, event: events.Click) -> bool:
        """What a subclass makes of a click on a row; True: it is done with."""
        return False
