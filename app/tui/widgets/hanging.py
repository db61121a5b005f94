"""Words of which a long line goes on under its text, not under the number or key before it."""

from __future__ import annotations

import re

from textual.content import Content

from app.tui.widgets.words import Words

_HEAD = re.compile(r".*?  +")
"""What stands before the text: as far as the first gap of two blanks or more."""


class Hanging(Words):
    """Broken anew when it gets another width."""

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id)
        self._whole = Content("")

    def put(self, words: Content) -> None:
        self._whole = words
        super().put(hung(words, self.content_size.width))

    def on_resize(self) -> None:
        self.put(self._whole)


def hung(words: Content, width: int) -> Content:
    """The words in lines of at most so many cells; as they are while there is no width yet."""
    if not width:
        return words
    return Content("\n").join([piece for line in words.split("\n") for piece in _pieces(line, width)])


def _pieces(line: Content, width: int) -> list[Content]:
    if line.cell_length <= width:
        return [line]
    head = _HEAD.match(line.plain)
    indent = Content(head[0]).cell_length if head else 0
    if head is None or indent > width // 3:
        return [line]
    text = line[len(head[0]) :]
    first, *more = text.wrap(width - indent)
    return [line[: len(head[0])] + first, *(Content(" " * indent) + piece for piece in more)]
