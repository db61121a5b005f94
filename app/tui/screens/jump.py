"""Jump mode: a letter on every pane and line in view; pressing it goes there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import product

from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.geometry import Offset
from textual.screen import ModalScreen, Screen
from textual.widget import Widget
from textual.widgets import Input, Static

from app.tui.widgets.page import Page
from app.tui.widgets.pane import Pane
from app.tui.widgets.rows import Rows

_LETTERS = "asdfghjklqwertuiopzxcvbnm"
"""The row the fingers rest on comes first. y is left out: it is elsewhere on many keyboards."""


@dataclass(frozen=True, slots=True)
class Target:
    """A place on the screen and what going there means."""

    at: Offset
    go: Callable[[], None]


def targets(screen: Screen) -> list[Target]:
    """Every pane and every line in view, from the top left to the bottom right."""
    found: list[Target] = []
    for widget in screen.query(Widget):
        if not widget.region or not all(
            node.display for node in widget.ancestors_with_self if isinstance(node, Widget)
        ):
            continue
        if isinstance(widget, Rows):
            found += _lines(screen, widget)
        elif isinstance(widget, Input) or (widget.focusable and _in_a_pane(widget)):
            found.append(Target(widget.region.offset, partial(screen.set_focus, widget)))
    inside = screen.size.region
    return [
        target for target in sorted(found, key=lambda t: (t.at.y, t.at.x)) if inside.contains_point(target.at)
    ]


def _in_a_pane(widget: Widget) -> bool:
    return any(isinstance(node, Pane) for node in widget.ancestors)


def _lines(screen: Screen, rows: Rows) -> list[Target]:
    if isinstance(rows, Page):
        places = rows.visible_entries()
    else:
        height = rows.scrollable_content_region.height
        first = -(-round(rows.scroll_y) // rows.ROW_HEIGHT)
        places = [
            (index * rows.ROW_HEIGHT - round(rows.scroll_y), index)
            for index in range(first, rows.total)
            if index * rows.ROW_HEIGHT - round(rows.scroll_y) < height
        ]
    corner = rows.content_region.offset

    def go(index: int) -> None:
        screen.set_focus(rows)
        rows.move_to(index)

    return [Target(corner + Offset(0, y), partial(go, index)) for y, index in places]


def labels(count: int) -> list[str]:
    """One letter each, or two where one is not enough; none begins another."""
    if count <= len(_LETTERS):
        return list(_LETTERS[:count])
    return ["".join(pair) for pair in product(_LETTERS, repeat=2)][:count]


class Jump(ModalScreen[None]):
    """Lies over the screen; the letters that can still be meant stay."""

    CSS = """
    Jump { background: $background 45%; }
    Jump > Static { position: absolute; width: auto; height: 1; background: $warning; color: $background;
                    text-style: bold; }
    """
    AUTO_FOCUS = ""

    def __init__(self, found: list[Target]) -> None:
        super().__init__()
        self._targets = dict(zip(labels(len(found)), found, strict=False))
        self._pressed = ""

    def compose(self) -> ComposeResult:
        for label, target in self._targets.items():
            mark = Static(Content(label), markup=False, id=f"jump-{label}")
            mark.styles.offset = target.at
            yield mark

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Any key leads somewhere or leaves."""
        return True

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        if event.character is None or not event.character.isalpha():
            self.dismiss()
            return
        self._pressed += event.character.lower()
        fitting = [label for label in self._targets if label.startswith(self._pressed)]
        if fitting == [self._pressed]:
            target = self._targets[self._pressed]
            self.dismiss()
            target.go()
        elif not fitting:
            self.dismiss()
        else:
            for mark in self.query(Static):
                mark.display = (mark.id or "").removeprefix("jump-").startswith(self._pressed)

    def on_click(self) -> None:
        self.dismiss()
