"""The line in which one types what the story should be searched for."""

from __future__ import annotations

from textual.binding import Binding
from textual.message import Message
from textual.widgets import Input


class Search(Input):
    """Hidden until asked for; what is typed filters at once, Enter keeps it, Escape drops it."""

    BINDINGS = [  # noqa: RUF012
        Binding("escape", "drop", "all", id="search.drop"),
        Binding("down", "submit", show=False),
    ]

    class Dropped(Message):
        """The person wants the whole story again."""

    def __init__(self) -> None:
        super().__init__(placeholder="words in the text, title or path", compact=True, id="search")
        self.display = False

    def action_drop(self) -> None:
        self.post_message(self.Dropped())
