"""One member of a conflict as a card: its words in their surroundings, where they stand, what differs."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from app.plain import shown, shown_lines
from app.tui.clock import day_in_words
from app.tui.difference import Span
from app.tui.reading import MemberView
from app.tui.widgets.words import Words
from app.tui.wording import LAYER_GLYPH, LAYER_WORD

_LONGEST = 2000


class MemberCard(Words):
    """A numbered card; the marked one is what is opened, copied or written back."""

    @dataclass
    class Picked(Message):
        """The person clicked the card."""

        card: MemberCard
        number: int

        @property
        def control(self) -> Widget:
            return self.card

    def __init__(self) -> None:
        super().__init__()
        self.number = 0

    def show(self, member: MemberView, *, winner: bool, suggested: str, roomy: bool) -> None:
        self.number = member.number
        claim = member.claim
        self.set_class(claim.status == "superseded", "-superseded")
        kept = " ✓ kept" if winner else ""
        self.border_title = Content.assemble(
            (f" {member.number} ", "bold reverse"), f" {shown(claim.note)}", (kept, "$success")
        )
        self.border_subtitle = Content.styled(f"suggested: {suggested}", "$success") if suggested else ""
        text = _text(member) if roomy else [_own(member)]
        self.put(Content("\n").join([*text, *_where(member)]))

    async def on_click(self, event: events.Click) -> None:
        self.post_message(self.Picked(self, self.number))
        if event.chain > 1:
            await self.screen.run_action("screen.edit")


def _text(member: MemberView) -> list[Content]:
    around = member.around
    lines = [Content.styled(line, "$muted") for above in around.above for line in shown_lines(above)]
    lines.append(_own(member))
    lines += [Content.styled(line, "$muted") for below in around.below for line in shown_lines(below)]
    return lines


def _own(member: MemberView) -> Content:
    """The lines the statement stands on, the rest of them muted."""
    around = member.around
    lead, tail = (_plain(around.lead), "$muted"), (_plain(around.tail), "$muted")
    return Content.assemble(lead, _marked(around.words, member.differs), tail)


def _plain(text: str) -> str:
    return "\n".join(shown_lines(text)) if text else ""


def _marked(words: str, spans: tuple[Span, ...]) -> Content:
    """The words with what differs marked; each piece is made plain by itself, so the places stay right."""
    cut = words[:_LONGEST]
    pieces: list[Content] = []
    at = 0
    for start, end in spans:
        pieces += [Content.styled(_kept(cut[at:start]), "bold"),
                   Content.styled(_kept(cut[start:end]), "bold $mark-text on $mark")]  # fmt: skip
        at = end
    pieces.append(Content.styled(_kept(cut[at:]), "bold"))
    if len(words) > len(cut):
        pieces.append(Content.styled(f" … ({len(words) - len(cut):,} more characters)", "$muted"))
    return Content.assemble(*pieces)


def _kept(text: str) -> str:
    """Made plain, line ends kept."""
    return "\n".join(shown(line) for line in text.split("\n"))


def _where(member: MemberView) -> list[Content]:
    claim, around = member.claim, member.around
    date = claim.statement.date
    glyph = "" if claim.layer == "memory" else f"{LAYER_GLYPH[claim.layer]}\N{NO-BREAK SPACE}"
    facts = [day_in_words(date) if date else "undated", glyph + LAYER_WORD[claim.layer]]
    if claim.status != "active":
        facts.append(claim.status)
    place = Content.styled(f"{shown(claim.statement.path)}:{around.line}", "$primary")
    told = Content.styled(" · ".join(facts), "$muted")
    lines = [Content.assemble(place, (" · ", "$muted"), told)]
    if not around.current:
        lines.append(Content.styled("The note no longer says this at that line.", "$warning"))
    return lines
