"""A list one picks from by typing a part of it, with the arrows or with the mouse."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from rich.cells import cell_len
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from app.cells import clip, fit
from app.plain import shown

T = TypeVar("T")
_WIDTH = 56


@dataclass(frozen=True, slots=True)
class Pick(Generic[T]):
    """One line: its heading, its words (which may come from notes), and what is said at its right."""

    value: T
    words: str
    kind: str = ""
    aside: str = ""


class Picker(ModalScreen["T | None"], Generic[T]):
    """What is typed narrows the list; Enter takes the line that is marked, Escape none."""

    BINDINGS = [  # noqa: RUF012
        Binding("escape", "dismiss(None)", "close", show=False),
        Binding("down,ctrl+n", "step(1)", show=False),
        Binding("up,ctrl+p", "step(-1)", show=False),
        Binding("pagedown", "step(10)", show=False),
        Binding("pageup", "step(-10)", show=False),
    ]

    def __init__(
        self, title: str, placeholder: str, picks: Sequence[Pick[T]] = (), *, start: T | None = None
    ) -> None:
        """`start` is marked first, where it is among them."""
        super().__init__()
        self._title = title
        self._placeholder = placeholder
        self._picks = tuple(picks)
        self._start = start
        self._found: list[Pick[T]] = []

    def compose(self) -> ComposeResult:
        with Vertical(id="picker") as box:
            box.border_title = Content(self._title)
            box.border_subtitle = Content("Enter takes it, Esc closes")
            yield Input(placeholder=self._placeholder, compact=True, id="picker-typed")
            yield OptionList(id="picker-list", markup=False, compact=True)

    def on_mount(self) -> None:
        self.query_one(OptionList).can_focus = False
        self.offer(self._picks)

    def offer(self, picks: Sequence[Pick[T]]) -> None:
        """Put other lines in the list."""
        self._picks = tuple(picks)
        self._narrow(self.query_one(Input).value)

    def typed(self, text: str) -> Sequence[Pick[T]]:
        """What a subclass makes of the words themselves; it comes first in the list."""
        return ()

    def _narrow(self, text: str) -> None:
        words = text.casefold().split()
        fitting = [
            pick for pick in self._picks if all(w in f"{pick.kind} {pick.words}".casefold() for w in words)
        ]
        self._found = [*self.typed(text), *fitting]
        options = self.query_one(OptionList)
        options.clear_options()
        # Less in a narrow terminal: borders, padding and the scroll bar of the box are not for text.
        width = min(_WIDTH, int(self.app.size.width * 0.96) - 8)
        options.add_options([Option(_line(pick, width)) for pick in self._found])
        first = next((n for n, pick in enumerate(self._found) if not text and pick.value == self._start), 0)
        options.highlighted = first if self._found else None

    @on(Input.Changed)
    def _typed(self, message: Input.Changed) -> None:
        self._narrow(message.value)

    @on(Input.Submitted)
    def _taken(self) -> None:
        place = self.query_one(OptionList).highlighted
        if place is not None:
            self.dismiss(self._found[place].value)

    @on(OptionList.OptionSelected)
    def _clicked(self, message: OptionList.OptionSelected) -> None:
        self.dismiss(self._found[message.option_index].value)

    def action_step(self, way: int) -> None:
        options = self.query_one(OptionList)
        if self._found:
            options.highlighted = max(0, min((options.highlighted or 0) + way, len(self._found) - 1))


def _line(pick: Pick[T], width: int) -> Content:
    head = fit(pick.kind, 10) if pick.kind else ""
    room = width - cell_len(head) - cell_len(pick.aside)
    words = clip(pick.words, room - 2)
    gap = max(1, room - cell_len(words))
    return Content.assemble((head, "$muted"), words, " " * gap, (shown(pick.aside), "$muted"))
