"""A Static that changes only when its words do: laying the screen out anew is what a keystroke would feel."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static


class Words(Static):
    """Text that may come from notes: given as Content, never as markup."""

    auto_links = False
    """What can be clicked here looks like a key already."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__("", id=id, classes=classes, markup=False)
        self._words = Content("")

    def put(self, words: Content) -> None:
        """Show these words, unless they are what is shown already."""
        if not words.is_same(self._words):
            self._words = words
            self.update(words)
