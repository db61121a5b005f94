"""A line of words of which one is chosen: the tabs of the queue, and the panes of a narrow terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from app.tui.widgets.words import Words

_GAP = "   "


class Choice(Words):
    """Words side by side; a click chooses one."""

    @dataclass(eq=False, repr=False)
    class Picked(Message):
        """The person clicked a word."""

        choice: Choice
        name: str

        @property
        def control(self) -> Widget:
            return self.choice

    def __init__(self, names: Sequence[str], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.names = tuple(names)
        self.active = self.names[0]
        self._labels = {name: name for name in names}

    def on_mount(self) -> None:
        self._show()

    def choose(self, name: str) -> None:
        self.active = name
        self._show()

    def label(self, **labels: str) -> None:
        """Change the words shown for names."""
        self._labels |= labels
        self._show()

    def _show(self) -> None:
        words = [
            (self._labels[name], "bold $primary underline" if name == self.active else "$muted")
            for name in self.names
        ]
        pieces = [piece for word in words for piece in (word, _GAP)]
        self.put(Content.assemble(*pieces[:-1]))

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        x = offset.x if offset is not None else -1
        for name in self.names:
            width = cell_len(self._labels[name])
            if 0 <= x < width:
                self.post_message(self.Picked(self, name))
                return
            x -= width + len(_GAP)
