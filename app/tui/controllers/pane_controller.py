"""Which pane has the focus, and in a narrow terminal is shown; the words in borders and in empty panes."""

from __future__ import annotations

from typing import cast

from rich.cells import cell_len

from app.tui.clock import day_in_words
from app.tui.commands import PANES, Pane
from app.tui.controllers.controller import Controller
from app.tui.pane_sentences import detail_sentence, queue_sentence, story_sentence
from app.tui.widgets.choice import Choice
from app.tui.widgets.pane import Pane as PaneBox

STILL_READING = "still reading, more may come"
_BAR = 8
_EDGES = 4
"""Cells of a border that words in it leave free."""


class PaneController(Controller):
    """Conflicts, Detail and Story."""

    def box(self, name: Pane) -> PaneBox:
        return self.screen.query_one(f"#{name}", PaneBox)

    @property
    def here(self) -> Pane:
        """The pane that has the focus; the one shown last when none has."""
        focused = self.screen.focused
        for name in PANES:
            if focused is not None and self.box(name) in focused.ancestors_with_self:
                return name
        return cast("Pane", self._choice.active)

    @property
    def _choice(self) -> Choice:
        return self.screen.query_one("#pane-choice", Choice)

    def show(self, name: Pane) -> None:
        """Bring a pane to the front (in a narrow terminal) and give it the focus."""
        self._choice.choose(name)
        panes = self.screen.query_one("#panes")
        for other in PANES:
            panes.set_class(other == name, f"-show-{other}")
        # At once, which `focus` would not do: the next key may be there already.
        self.screen.set_focus(self.box(name).content)
        self.screen.tell_keys()

    @property
    def typing(self) -> bool:
        """A line to type in has the focus; what the store answers does not take it away."""
        return self.screen.focused is not None and self.screen.focused.id == "prompt"

    def next(self) -> None:
        self.show(self._after(1))

    def previous(self) -> None:
        self.show(self._after(-1))

    def _after(self, step: int) -> Pane:
        return PANES[(PANES.index(self.here) + step) % len(PANES)]

    # words in borders and empty panes
    def show_sentences(self) -> None:
        screen, state = self.screen, self.state
        words = queue_sentence(state, screen.queue.total)
        self.box("conflicts").say(words.sentence, words.hint, trouble=words.trouble)
        conflict = screen.detail.view is not None and screen.queue.selected is not None
        shown = conflict or screen.detail.line is not None
        words = detail_sentence(state, shown)
        self.box("detail").say(words.sentence, words.hint)
        words = story_sentence(screen.story, state.indexed, state.failure)
        self.box("story").say(words.sentence, words.hint, trouble=words.trouble)
        self.name_queue()
        self.name_story()
        screen.tell_keys()

    def name_queue(self) -> None:
        queue = self.screen.queue
        place = f"{queue.cursor + 1} of {queue.total:,}" if queue.total else ""
        named = ["Conflicts", *([self.state.sought] if self.state.sought else [])]
        if queue.picked:
            named.append(f"{len(queue.picked)} of {queue.total:,} picked")
        if self.state.reading is not None and self.state.failure is None:
            named.append(STILL_READING)
        box = self.box("conflicts")
        title = " · ".join(named)
        if named[-1] == STILL_READING:
            # In steps of the bar: the pane is painted anew when its title changes.
            full = round(_BAR * (self.state.reading or 0))
            bar = f" {'█' * full}{'░' * (_BAR - full)}"
            # Where there is little room the name of the pane, which can be seen, goes before the news.
            tries = (title + bar, title, STILL_READING + bar)
            room = box.size.width - _EDGES
            title = next((one for one in tries if cell_len(one) <= room), STILL_READING)
        box.name_as(title, place)

    def name_story(self) -> None:
        story = self.screen.story
        place = f"{story.cursor + 1:,} of {story.total:,}" if story.total else ""
        row = story.here
        told = _apart(f"{row.path}:{row.line}", place) if row and place else place
        if row and place and (changed := story.file_day(row)):
            hinted = _apart(f"{row.path}:{row.line}", f"file of {day_in_words(changed)}", place)
            told = hinted if cell_len(hinted) + _EDGES <= self.box("story").size.width else told
        query = story.telling.query.strip()
        self.box("story").name_as(f"Story · {query}" if query else "Story", told)


def _apart(*parts: str) -> str:
    return "  ·  ".join(parts)
