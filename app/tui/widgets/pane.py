"""A bordered pane around a list, with a sentence in place of the list when there is nothing in it."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.geometry import Region
from textual.widget import Widget

from app.plain import shown
from app.tui.widgets.words import Words


class Pane(Vertical):
    """Title, optional lines above and below, the content, and what is said when the content is empty."""

    def __init__(
        self, title: str, *above: Widget, content: Widget, below: Widget | None = None, id: str,
        saying: bool = False,
    ) -> None:  # fmt: skip
        """`saying`: it starts with a sentence, so that the first paint need not be styled twice."""
        super().__init__(id=id, classes="-saying" if saying else None)
        self.border_title = Content(title)
        self._above = above
        self.content = content
        self._below = below
        self._said = Words(classes="said")
        self._names = (title, "")

    def compose(self) -> ComposeResult:
        yield from self._above
        yield self.content
        yield self._said
        if self._below is not None:
            yield self._below

    async def ask(self, line: Widget) -> None:
        """Put a line to type or slide in above the content."""
        await self.mount(line, before=self.content)

    def name_as(self, title: str, subtitle: str = "") -> None:
        """Set the words in the border; they may come from notes."""
        before, self._names = self._names, (title, subtitle)
        if title != before[0]:
            self.border_title = Content(shown(title))
        if subtitle != before[1]:
            # Set by its property, the whole pane with the list in it would be painted anew at every step.
            self._border_subtitle = Content(shown(subtitle))
            self.refresh(Region(-1, self.size.height, self.outer_size.width, 1))

    def say(self, sentence: str, hint: str = "", *, trouble: bool = False) -> None:
        """Show a sentence instead of the content; an empty one shows the content again."""
        self.set_class(bool(sentence), "-saying")
        self._said.set_class(trouble, "-trouble")
        if sentence:
            self._said.put(Content.assemble(shown(sentence), ("\n\n" + hint if hint else "", "$muted")))
