"""One line to type in, put into a pane while something is asked and gone again afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from textual.binding import Binding
from textual.message import Message
from textual.suggester import Suggester
from textual.widgets import Input

Purpose = Literal["search", "conflicts", "day", "reason"]
_ASKS: dict[Purpose, str] = {
    "search": "words, or tag: project: trust: kind: subject:",
    "conflicts": "words of a conflict or of its notes",
    "day": "a day: 12 May, 2026-05, last week",
    "reason": "why? It is kept with your next decision",
}


class Prompt(Input):
    """What is typed is told at once; Enter gives it, Escape drops it."""

    BINDINGS = [  # noqa: RUF012
        Binding("escape", "drop", "drop", show=False, id="prompt.drop"),
        Binding("down", "submit", show=False),
    ]

    class Typed(Message):
        """The words have changed."""

    @dataclass
    class Given(Message):
        """The person is done."""

        purpose: Purpose
        value: str

    @dataclass
    class Dropped(Message):
        """The person does not want this after all."""

        purpose: Purpose

    @dataclass
    class Left(Message):
        """The person went elsewhere, by Tab or the mouse."""

    def __init__(self, purpose: Purpose, value: str = "", *, suggester: Suggester | None = None) -> None:
        super().__init__(
            value, placeholder=_ASKS[purpose], compact=True, id="prompt", suggester=suggester,
            select_on_focus=False,
        )  # fmt: skip
        self.purpose = purpose

    def on_input_changed(self, message: Input.Changed) -> None:
        message.stop()
        self.post_message(self.Typed())

    def on_blur(self) -> None:
        # Another window in front is no reason to forget what is being typed.
        if self.app.app_focus and self.is_attached:
            self.post_message(self.Left())

    async def action_submit(self) -> None:
        self.post_message(self.Given(self.purpose, self.value))

    def action_drop(self) -> None:
        self.post_message(self.Dropped(self.purpose))
