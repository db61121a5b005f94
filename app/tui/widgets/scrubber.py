"""A line on which one slides through the days of the story."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from app.tui.clock import day_in_words
from app.tui.commands import bindings
from app.tui.story_view import Clockwork

_SAID: dict[Clockwork, tuple[str, str]] = {
    "notes": ("by the dates in the notes", "by the notes"),
    "belie": ("as Belie knew it then", "as known"),
}
_LEAST_TRACK = 8


class Scrubber(Widget, can_focus=True):
    """Days of two clocks: the notes' own dates, and the days on which Belie put something on record."""

    BINDINGS = bindings("scrubber")

    place: reactive[int] = reactive(-1)
    by: reactive[Clockwork] = reactive("notes")

    @dataclass
    class Moved(Message):
        """Another day, or the same by the other clock."""

        day: str
        by: Clockwork

    def __init__(self) -> None:
        super().__init__(id="scrubber")
        self._days: dict[Clockwork, tuple[str, ...]] = {"notes": (), "belie": ()}
        self._track = (0, 0)

    @property
    def days(self) -> tuple[str, ...]:
        return self._days[self.by]

    @property
    def day(self) -> str | None:
        return self.days[self.place] if 0 <= self.place < len(self.days) else None

    def take(self, notes: tuple[str, ...], belie: tuple[str, ...]) -> None:
        """The days there are; the one that was shown stays, at first it is the last."""
        here = self.day
        self._days = {"notes": notes, "belie": belie}
        if here is None:
            self._go(len(self.days) - 1)
        else:
            self.place = _at(self.days, here)
            self.refresh()

    def _go(self, place: int) -> None:
        place = max(0, min(place, len(self.days) - 1))
        if self.days and place != self.place:
            self.place = place
            self._tell()

    def _tell(self) -> None:
        if self.day is not None:
            self.post_message(self.Moved(self.day, self.by))

    @property
    def _stride(self) -> int:
        return max(1, len(self.days) // 10)

    def action_earlier(self) -> None:
        self._go(self.place - 1)

    def action_later(self) -> None:
        self._go(self.place + 1)

    def action_much_earlier(self) -> None:
        self._go(self.place - self._stride)

    def action_much_later(self) -> None:
        self._go(self.place + self._stride)

    def action_first(self) -> None:
        self._go(0)

    def action_last(self) -> None:
        self._go(len(self.days) - 1)

    def action_other_clock(self) -> None:
        here = self.day
        self.by = "belie" if self.by == "notes" else "notes"
        self.place = _at(self.days, here) if here is not None else len(self.days) - 1
        self._tell()

    # drawing
    def render(self) -> Content:
        if self.day is None:
            return Content.styled("No day is known yet.", "$muted")
        width = self.size.width
        head = f"as of {day_in_words(self.day)}".ljust(18)
        said = _SAID[self.by][0 if width >= 72 else 1]
        room = width - len(head) - len(said) - 6
        if room < _LEAST_TRACK:
            self._track = (0, 0)
            return Content.assemble(
                ("◂ ", "$muted"), (head.rstrip(), "bold $primary"), (" ▸  ", "$muted"), (said, "$muted")
            )
        knob = round(self.place * (room - 1) / max(1, len(self.days) - 1))
        self._track = (len(head) + 2, room)
        return Content.assemble(
            (head, "bold $primary"), ("◂ ", "$muted"), ("━" * knob, "$primary"), ("●", "bold $primary"),
            ("─" * (room - 1 - knob), "$muted"), (" ▸  ", "$muted"), (said, "$muted"),
        )  # fmt: skip

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset(self)
        start, room = self._track
        if offset is None or not room:
            return
        if offset.x >= start + room + 3:
            self.action_other_clock()
        elif offset.x < start:
            self.action_earlier()
        elif offset.x >= start + room:
            self.action_later()
        else:
            self._go(round((offset.x - start) * (len(self.days) - 1) / max(1, room - 1)))

    def on_mouse_move(self, event: events.MouseMove) -> None:
        start, room = self._track
        if event.button == 1 and room:
            x = max(0, min(event.x - self.gutter.left - start, room - 1))
            self._go(round(x * (len(self.days) - 1) / max(1, room - 1)))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.stop()
        self.action_earlier()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        event.stop()
        self.action_later()


def _at(days: tuple[str, ...], day: str) -> int:
    """The place of a day, or of the last one before it."""
    return max(0, sum(known <= day for known in days) - 1)
