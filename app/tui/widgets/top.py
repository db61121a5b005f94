"""The line on top: where one is, and the ways to the other screens; a click goes there."""

from __future__ import annotations

from textual import events
from textual.content import Content
from textual.widget import Widget

from app.cells import clip
from app.plain import shown
from app.tui.commands import Keymap, action_of, first_key

_WAYS = (
    ("capture", "go.capture"), ("mirror", "go.mirror"), ("history", "go.history"), ("trends", "go.trends"),
    ("settings", "go.settings"), ("doctor", "go.doctor"),
)  # fmt: skip
_GAP = "  "
_APART = 4
"""Cells between where one is and the ways, at the least."""


class Top(Widget):
    """Drawn as a whole. Where there is no room for the ways, the help and the palette know them."""

    def __init__(self, vault: str = "", here: str = "") -> None:
        super().__init__(id="top")
        self._vault, self._here = vault, here
        self._places: list[tuple[int, int, str]] = []

    def render(self) -> Content:
        keymap: Keymap = getattr(self.app, "keymap", {})
        self._places = []
        ways = Content("")
        for name, id in _WAYS if self._vault else ():
            look = "bold $primary" if name == self._here.lower() else "$muted"
            key = first_key(id, keymap)
            start = ways.cell_length
            ways += Content.assemble((key, "$primary"), (f" {name}", look))
            self._places.append((start, ways.cell_length, action_of(id)))
            ways += Content(_GAP)
        # Where one is stands highlighted among the ways, so its name is what gives way first.
        place, short = self._place(self._vault, self._here), self._place(self._vault)
        width = self.size.width
        if width - place.cell_length - ways.cell_length < _APART:
            if width - short.cell_length - ways.cell_length < _APART:
                self._places = []
                return place
            place = short
        gap = width - place.cell_length - ways.cell_length
        shift = place.cell_length + gap
        self._places = [(start + shift, end + shift, action) for start, end, action in self._places]
        return Content.assemble(place, " " * gap, ways)

    def _place(self, vault: str, here: str = "") -> Content:
        place = Content.assemble(("Belie", "bold $primary"))
        for part, style in ((vault, ""), (here, "bold")):
            if part:
                name = clip(shown(part), max(8, self.size.width // 3))
                place += Content.assemble(("  ·  ", "$muted"), (name, style))
        return place

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        for start, end, action in self._places:
            if offset is not None and start <= offset.x < end:
                self.app.call_later(self.app.run_action, action)
                return
