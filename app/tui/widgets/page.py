"""A long page of blocks: headings, paragraphs and entries with a cursor; text wraps, any length scrolls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.strip import Strip

from app.cells import clip
from app.tui.widgets.rows import Rows
from app.tui.wrapping import wrapped

_GAP = 2


@dataclass(frozen=True, slots=True)
class Line:
    """One paragraph of a block; text may come from notes."""

    text: str
    look: str = "text"
    head: str = ""
    """Stands before the text in a look of its own; further lines hang under the text."""
    head_look: str = "muted"
    aside: str = ""
    """Stands at the right edge of the first line, where there is room."""


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that belong together. One with a key can be chosen."""

    lines: tuple[Line, ...]
    key: str | None = None


BLANK = Block((Line(""),))


def heading(text: str, aside: str = "") -> Block:
    return Block((Line(text, "heading", aside=aside),))


_Drawn = tuple[int, tuple[tuple[str, str], ...], str]
"""A line on the screen: its block, pieces of text with their looks, the aside."""


class Page(Rows):
    """`cursor` counts lines, as Rows does, and always stands on the first of a block with a key."""

    DEFAULT_CSS = """
    Page > .page--text { color: $foreground; }
    Page > .page--muted { color: $muted; }
    Page > .page--muted-here { color: $foreground 80%; }
    Page > .page--heading { color: $primary; text-style: bold; }
    Page > .page--strong { text-style: bold; }
    Page > .page--warning { color: $warning; }
    Page > .page--error { color: $error; }
    Page > .page--success { color: $success; }
    Page > .page--accent { color: $accent; }
    Page > .page--struck { color: $muted; text-style: strike; }
    """
    COMPONENT_CLASSES = {  # noqa: RUF012
        "page--text", "page--muted", "page--muted-here", "page--heading", "page--strong", "page--warning",
        "page--error", "page--success", "page--accent", "page--struck",
    }  # fmt: skip

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.blocks: tuple[Block, ...] = ()
        self._drawn: list[_Drawn] = []
        self._starts: list[int] = []
        self._width = 0

    def show(self, blocks: Sequence[Block], *, prefer: str | None = None) -> None:
        """Show these; the cursor stays with its block, or goes to the one preferred."""
        key = prefer or (self.here.key if self.here else None)
        place = self._block_at(self.cursor) if self._drawn else 0
        self.blocks = tuple(blocks)
        self._draw()
        found = next((i for i, block in enumerate(self.blocks) if key is not None and block.key == key), None)
        self._stand_on(found if found is not None else place)

    @property
    def here(self) -> Block | None:
        """The block under the cursor, if it can be chosen."""
        if not self._drawn:
            return None
        block = self.blocks[self._block_at(self.cursor)]
        return block if block.key is not None else None

    @property
    def total(self) -> int:
        return len(self._drawn)

    # laying out
    def _draw(self) -> None:
        self._width = max(1, self.scrollable_content_region.width - 1)
        self._drawn, self._starts = [], []
        for number, block in enumerate(self.blocks):
            self._starts.append(len(self._drawn))
            for line in block.lines:
                self._drawn += _lines(number, line, self._width)
        self.resized()

    def on_resize(self) -> None:
        if max(1, self.scrollable_content_region.width - 1) != self._width and self.blocks:
            place = self._block_at(self.cursor) if self._drawn else 0
            self._draw()
            self._stand_on(place)
        elif self.total:
            self._into_view(self._waits_for_room)

    def _block_at(self, index: int) -> int:
        return self._drawn[max(0, min(index, len(self._drawn) - 1))][0]

    # moving
    def _stand_on(self, block: int) -> None:
        """Put the cursor on the block, else on the next that can be chosen, else on the last before."""
        places = [i for i, one in enumerate(self.blocks) if one.key is not None]
        if not places:
            self.cursor = 0
            return
        chosen = next((i for i in places if i >= block), places[-1])
        self._go(chosen, tell=False)

    def move_to(self, index: int, *, tell: bool = True, centre: bool = False) -> None:
        if not self.total:
            return
        index = max(0, min(index, self.total - 1))
        wanted = self._block_at(index)
        way = 1 if index >= self.cursor else -1
        chosen = next(self._from(wanted, way), None)
        if chosen is None:
            chosen = next(self._from(wanted, -way), None)
        if chosen is None:  # nothing here can be chosen: the page is only read
            self.scroll_to(y=max(0, self.scroll_y + (index - self.cursor)), animate=False, force=True)
            return
        self._go(chosen, tell=tell, centre=centre)

    def _from(self, block: int, way: int) -> Iterator[int]:
        end = len(self.blocks) if way > 0 else -1
        return (i for i in range(block, end, way) if self.blocks[i].key is not None)

    def _go(self, block: int, *, tell: bool = True, centre: bool = False) -> None:
        before, self.cursor = self.cursor, self._starts[block]
        self._into_view(centre)
        self.refresh()
        if tell and before != self.cursor:
            self.post_message(self.Moved(self))

    def _into_view(self, centre: bool) -> None:
        # The heading above the first entry, and the end of a long one, are part of what one goes to.
        block = self._block_at(self.cursor)
        first = next(iter(self._from(0, 1)), None)
        height = self.scrollable_content_region.height
        if height and block == first:
            self.scroll_to(y=0, animate=False, force=True)
            self._waits_for_room = False
            return
        super()._into_view(centre)
        end = self._end(block)
        if height and end > self.scroll_target_y + height and end - self.cursor <= height:
            self.scroll_to(y=end - height, animate=False, force=True)

    def _end(self, block: int) -> int:
        return self._starts[block + 1] if block + 1 < len(self._starts) else len(self._drawn)

    def action_cursor_down(self) -> None:
        self._step(1)

    def action_cursor_up(self) -> None:
        self._step(-1)

    def _step(self, way: int) -> None:
        if not self._drawn:
            return
        following = next(self._from(self._block_at(self.cursor) + way, way), None)
        if following is not None:
            self._go(following)
        elif way > 0 or self.here is None:
            self.scroll_relative(y=3 * way, animate=False, force=True)

    def action_first(self) -> None:
        self.scroll_to(y=0, animate=False, force=True)
        super().action_first()

    def action_last(self) -> None:
        super().action_last()
        self.scroll_end(animate=False, force=True)

    def choose(self) -> None:
        if self.here is not None:
            super().choose()

    def clicked(self, index: int, x: int, event: events.Click) -> bool:
        block = self._block_at(index)
        if self.blocks[block].key is None:
            return True
        again = self._starts[block] == self.cursor
        self._go(block)
        if again or event.chain > 1:
            self.choose()
        return True

    def visible_entries(self) -> list[tuple[int, int]]:
        """(line on the screen, cursor) of every block with a key whose first line is in view."""
        top, height = round(self.scroll_y), self.scrollable_content_region.height
        return [
            (start - top, start)
            for block, start in zip(self.blocks, self._starts, strict=True)
            if block.key is not None and top <= start < top + height
        ]

    # drawing
    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        index = y + round(self.scroll_y)
        if index >= self.total:
            return Strip.blank(width, self.look(""))
        block, pieces, aside = self._drawn[index]
        ground = self.look("")
        chosen = self.here is not None and block == self._block_at(self.cursor)
        if chosen:
            ground += self.look("rows--cursor" if self.has_focus else "rows--cursor-away")
        edge_style = self.look("rows--edge") if self.has_focus else Style()
        segments = [Segment("▌" if chosen else " ", ground + edge_style)]
        # What is muted would be too faint on the ground of the cursor.
        muted = "muted-here" if chosen else "muted"
        segments += [
            Segment(text, ground + self.look(f"page--{muted if look == 'muted' else look}"))
            for text, look in pieces
            if text
        ]
        used = 1 + sum(cell_len(text) for text, _ in pieces)
        if aside and used + _GAP + cell_len(aside) < width:
            segments.append(Segment(" " * (width - 1 - used - cell_len(aside)), ground))
            segments.append(Segment(aside, ground + self.look(f"page--{muted}")))
        return Strip(segments).adjust_cell_length(width, ground)


def _lines(block: int, line: Line, width: int) -> Iterator[_Drawn]:
    head = clip(line.head, max(1, width // 2)) if line.head else ""
    indent = cell_len(head)
    aside = clip(line.aside, width // 2) if line.aside else ""
    # The aside keeps its place as long as most of the line is left for the text.
    room = width - indent - 1
    beside = room - cell_len(aside) - _GAP if aside else room
    if aside and beside < width // 3:
        line, aside, beside = replace(line, aside=""), "", room
    first, *rest = wrapped(line.text, beside if aside else room)
    yield block, ((head, line.head_look), (first, line.look)), aside
    if rest and aside:
        rest = wrapped(" ".join(rest), room)
    for more in rest:
        yield block, ((" " * indent, "text"), (more, line.look)), ""
