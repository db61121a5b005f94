"""The queue of conflicts: two lines each; updates keep the selected one under the cursor."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.style import Style
from textual import events
from textual.message import Message

from app.cells import clip
from app.conflicts.title import title
from app.tui.clock import age, until_words
from app.tui.commands import bindings
from app.tui.widgets.hits import with_hits
from app.tui.widgets.rows import Part, Rows
from app.tui.wording import KIND_GLYPH, LAYER_GLYPH, outcome

if TYPE_CHECKING:
    from app.tui.reading import QueueRow

_GAP = "  "
_KIND = max(len(kind) for kind in KIND_GLYPH)
_WHEN = len("until 7 Jul")
"""Kinds and ages take the same room in every row, so that what follows them stands in columns."""
_LEAST_NOTES = 10
_MARK = 4
"""Cells at the left of a row that pick it when clicked."""


class Conflicts(Rows):
    """Rows of the queue. The selection is a conflict's id, not a place in the list."""

    BINDINGS = bindings("queue")
    ROW_HEIGHT = 2
    COMPONENT_CLASSES = {  # noqa: RUF012
        "conflicts--disagreement", "conflicts--reversal", "conflicts--stale", "conflicts--facts",
        "conflicts--selected", "conflicts--picked", "conflicts--hit",
    }  # fmt: skip

    class Picked(Message):
        """Other conflicts are picked than before."""

    def __init__(self, *, today: date, id: str | None = None) -> None:
        super().__init__(id=id)
        self.today = today
        self.rows: tuple[QueueRow, ...] = ()
        self.sought = ""
        """What is searched for, marked in the titles."""
        self.picked: set[str] = set()
        """The conflicts the next decision is for, by id; none: the selected one."""

    @property
    def total(self) -> int:
        return len(self.rows)

    @property
    def selected(self) -> QueueRow | None:
        return self.rows[self.cursor] if self.cursor < len(self.rows) else None

    def take(self, rows: tuple[QueueRow, ...], prefer: str | None = None) -> None:
        """Show these; `prefer` is selected if it is there, else what was selected, else what came next."""
        if rows == self.rows and prefer is None:
            return
        was = self.selected
        above = self.cursor * self.ROW_HEIGHT - round(self.scroll_y)
        places = {row.id: index for index, row in enumerate(rows)}
        keep = next((id for id in (prefer, was.id if was else None) if id in places), None)
        if keep is None and was is not None:
            # The nearest one below that is still there, so that working down the queue goes on.
            keep = next((row.id for row in self.rows[self.cursor :] if row.id in places), None)
        self.rows = rows
        self.picked &= places.keys()
        self.resized()
        if keep is None:
            self.move_to(min(self.cursor, max(0, len(rows) - 1)), tell=False)
            return
        self.cursor = places[keep]
        self.scroll_to(y=max(0, self.cursor * self.ROW_HEIGHT - above), animate=False, force=True)
        self.move_to(self.cursor, tell=False)

    def without(self, ids: Collection[str]) -> None:
        """Take these out at once; the store will say the same in a moment."""
        self.take(tuple(row for row in self.rows if row.id not in ids))

    # picking several
    @property
    def targets(self) -> tuple[QueueRow, ...]:
        """The rows a decision applies to: those picked, else the selected one."""
        if self.picked:
            return tuple(row for row in self.rows if row.id in self.picked)
        return (self.selected,) if self.selected is not None else ()

    def pick(self, ids: Collection[str], *, on: bool) -> None:
        self.picked = self.picked | set(ids) if on else self.picked - set(ids)
        self.refresh()
        self.post_message(self.Picked())

    def action_pick(self) -> None:
        """Pick the row, or let it go, and go on to the next."""
        if (row := self.selected) is not None:
            self.pick((row.id,), on=row.id not in self.picked)
            self.move_to(self.cursor + 1)

    def clicked(self, index: int, x: int, event: events.Click) -> bool:
        """The mark at the left and Ctrl pick one, Shift all between here and the cursor."""
        if event.shift:
            first, last = sorted((index, self.cursor))
            self.pick([row.id for row in self.rows[first : last + 1]], on=True)
        elif event.ctrl or x < _MARK:
            id = self.rows[index].id
            self.pick((id,), on=id not in self.picked)
        else:
            return False
        self.move_to(index)
        return True

    # drawing
    def parts(self, index: int, line: int, width: int) -> list[Part]:
        def style(name: str) -> Style:
            return self.look(f"conflicts--{name}")

        row = self.rows[index]
        kind = style(row.conflict.kind)
        if line == 0:
            sure = f"{row.conflict.confidence:.0%}".rjust(4)
            named = title(row.conflict.kind, row.conflict.question, row.sides, width - 9)
            gap = width - 3 - cell_len(named) - len(sure) - 1
            weight = style("selected") if index == self.cursor else Style()
            mark = ("✓", style("picked")) if row.id in self.picked else (KIND_GLYPH[row.conflict.kind], kind)
            return [
                (" ", Style()),
                mark,
                (" ", Style()),
                *with_hits(named, self.sought, weight, style("hit")),
                (" " * max(1, gap) + sure, style("facts")),
            ]
        layers = " ".join(LAYER_GLYPH[layer] for layer in row.layers[:6])
        facts = _GAP + _GAP.join((self._when(row).ljust(_WHEN), layers)) + _GAP
        name = row.conflict.kind.ljust(_KIND)
        room = width - 3 - len(name) - cell_len(facts) - 1
        # A name cut to a letter or two says nothing.
        notes = clip(" ↔ ".join(row.notes), room) if room >= _LEAST_NOTES else ""
        return [
            ("   ", Style()),
            (name, kind),
            *with_hits(facts + notes, self.sought, style("facts"), style("hit")),
        ]

    def _when(self, row: QueueRow) -> str:
        """How old an open one is, when a snoozed one returns, what became of a settled one."""
        conflict = row.conflict
        if conflict.status != "open":
            return outcome(conflict, still_said=row.still_said)
        if conflict.snoozed_until and conflict.snoozed_until[:10] > self.today.isoformat():
            return until_words(conflict.snoozed_until, self.today)
        since = row.newest_date or conflict.detected_at
        return age(since, self.today) if since else "undated"
