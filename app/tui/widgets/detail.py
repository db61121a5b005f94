"""The selected conflict, whole: its title, its members, and why it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.geometry import Region
from textual.strip import Strip

from app.cells import fit
from app.conflicts.title import conflict_title
from app.plain import shown
from app.tui.commands import bindings
from app.tui.trace import trace
from app.tui.widgets.ground import ground
from app.tui.widgets.member import MemberCard
from app.tui.widgets.words import Words
from app.tui.wording import KIND_COLOUR, KIND_GLYPH, KIND_MEANING
from app.tui.wrapping import wrapped

if TYPE_CHECKING:
    from app.tui.reading import DetailView, MemberView

_LOW = 28
_LEAST = 20
_FOUND_BY = {"guard": "by comparing statements", "detective": "by reading them in order"}
_FRAME = 4
"""Cells of a card's border and padding."""


class Detail(VerticalScroll, can_focus=True, inherit_bindings=False):
    """Shows one conflict; the cards are kept and refilled, so going down the queue makes no new widgets."""

    BINDINGS = bindings("detail")

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.view: DetailView | None = None
        self.line: MemberView | None = None
        """A line of the story that is read in the place of a conflict."""
        self.marked = 1
        self._cards: list[MemberCard] = []

    def render_lines(self, crop: Region) -> list[Strip]:
        return ground(self, crop)

    def compose(self) -> ComposeResult:
        yield Words(id="title")
        yield Words(id="kind")
        yield Container(id="members")
        yield Words(id="why")

    def show(self, view: DetailView) -> None:
        """Fill everything in; the marked member stays marked while the conflict is the same."""
        same = self.view is not None and self.view.conflict.id == view.conflict.id
        self.view, self.line = view, None
        conflict = view.conflict
        named = conflict_title(conflict, [member.claim for member in view.members])
        self.query_one("#title", Words).put(Content(named))
        self.query_one("#kind", Words).put(
            Content.assemble(
                (f"{KIND_GLYPH[conflict.kind]} {conflict.kind}", KIND_COLOUR[conflict.kind]),
                (f"   {KIND_MEANING[conflict.kind]}", "$muted"),
            )
        )
        self._show_members(view)
        suggested = view.suggestion
        self.mark(self.marked if same else suggested.number if suggested else 1)
        self.query_one("#why", Words).put(_why(view, self.scrollable_content_region.width))
        if not same:
            self.scroll_home(animate=False)

    def show_line(self, line: MemberView) -> None:
        """Show one line of the story whole, with its note's lines around it."""
        self.view, self.line = None, line
        claim = line.claim
        place = " › ".join(shown(part) for part in dict.fromkeys((claim.note, *claim.statement.heading)))
        self.query_one("#title", Words).put(Content(place))
        self.query_one("#kind", Words).put(Content.styled("a line of the story", "$muted"))
        self.query_one("#why", Words).put(Content(""))
        self._show_cards((line,), winner=None, suggested=None)
        self.scroll_home(animate=False)

    def mark(self, number: int, *, into_view: bool = False) -> None:
        """Mark the member that keys about a note act on; at first it is the suggested one."""
        count = len(self.view.members) if self.view else 0
        self.marked = (number - 1) % count + 1 if count else 1
        for card in self._cards:
            card.set_class(card.number == self.marked, "-marked")
        if into_view and count:
            self.call_after_refresh(self.scroll_to_widget, self._cards[self.marked - 1], animate=False)

    @property
    def marked_member(self) -> MemberView | None:
        if self.line is not None:
            return self.line
        members = self.view.members if self.view is not None else ()
        return members[self.marked - 1] if self.marked <= len(members) else None

    def _room(self, cards: int) -> int:
        """Cells for a line around a member; 0 in a low terminal, where its own words come first."""
        if self.app.size.height < _LOW:
            return 0
        side_by_side = cards == 2 and not self.screen.classes.isdisjoint({"-wide", "-huge"})
        width = self.scrollable_content_region.width
        return max(12, (width - 1) // 2 - _FRAME if side_by_side else width - _FRAME)

    def on_resize(self) -> None:
        if self.line is not None:
            self._show_cards((self.line,), winner=None, suggested=None)
        elif self.view is not None:
            self._show_members(self.view)
            self.query_one("#why", Words).put(_why(self.view, self.scrollable_content_region.width))

    def _show_members(self, view: DetailView) -> None:
        suggested = view.suggestion.number if view.suggestion is not None else None
        self._show_cards(view.members, winner=view.conflict.winner, suggested=suggested)

    def _show_cards(self, lines: Sequence[MemberView], *, winner: str | None, suggested: int | None) -> None:
        box = self.query_one("#members")
        missing = len(lines) - len(self._cards)
        if missing > 0:
            fresh = [MemberCard() for _ in range(missing)]
            self._cards += fresh
            box.mount_all(fresh)
        for index, card in enumerate(self._cards):
            card.display = index < len(lines)
            if index < len(lines):
                line = lines[index]
                card.show(
                    line,
                    winner=winner == line.claim.id,
                    suggested=suggested is not None and suggested == line.number,
                    room=self._room(len(lines)),
                )
        box.set_class(len(lines) == 2, "-pair")


def _why(view: DetailView, room: int) -> Content:
    """What each stage said, in two columns; `room` is how many cells there are, 0: not known yet."""
    steps = trace(view.conflict)
    if not steps:
        return Content("")
    width = max(cell_len(step.looked_at) for step in steps)
    found_by = " and ".join(_FOUND_BY.get(who, who) for who in view.conflict.found_by)
    lines = [
        Content.assemble(
            ("Why", "bold $muted"),
            (f"   found {found_by}, {view.conflict.confidence:.0%} sure" if found_by else "", "$muted"),
        )
    ]
    for step in steps:
        sure = f"  {step.sure}" if step.sure else ""
        # A cell is left between the words and the scrollbar.
        *above, last = wrapped(step.found, max(_LEAST, room - width - 3 - len(sure)) if room else 1000)
        heads = [step.looked_at, *[""] * len(above)]
        lines += [
            Content.assemble((fit(head, width + 2), "$muted"), text)
            for head, text in zip(heads, above, strict=False)
        ]
        lines.append(Content.assemble((fit(heads[-1], width + 2), "$muted"), last, (sure, "$muted")))
    return Content("\n").join(lines)
