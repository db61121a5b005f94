"""One member of a conflict as a card: its words in their surroundings, where they stand, what differs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import events
from textual.content import Content
from textual.message import Message

from app.cells import clip
from app.plain import shown, shown_lines
from app.tui.clock import day_in_words
from app.tui.widgets.words import Words
from app.tui.wording import LAYER_GLYPH, LAYER_WORD, STATUS_WORD

if TYPE_CHECKING:
    from app.tui.difference import Span
    from app.tui.reading import MemberView

_LONGEST = 2000


class MemberCard(Words):
    """A numbered card; the marked one is what is opened, copied or written back."""

    @dataclass(eq=False, repr=False)
    class Picked(Message):
        """The person clicked the card; twice means that the note is to be opened."""

        number: int
        twice: bool

    def __init__(self) -> None:
        super().__init__()
        self.number = 0

    def show(self, member: MemberView, *, winner: bool, suggested: bool, room: int) -> None:
        """Fill it in; `room` is how many cells a line around it may take, 0: show its own words alone."""
        self.number = member.number
        claim = member.claim
        self.set_class(claim.status == "superseded", "-superseded")
        mark = ("  ✓ kept", "$success") if winner else ("  ★ suggested" if suggested else "", "$success")
        number = (f" {member.number} ", "bold reverse") if member.number else ("", "")
        self.border_title = Content.assemble(number, f" {shown(claim.note)}", mark)
        self.border_subtitle = _facts(member)
        text = _text(member, room) if room else [_own(member)]
        self.put(Content("\n").join([*text, *_where(member)]))

    def on_click(self, event: events.Click) -> None:
        self.post_message(self.Picked(self.number, twice=event.chain > 1))


def _text(member: MemberView, room: int) -> list[Content]:
    """The lines around it, one on the screen for each: they are there to place it, not to be read whole."""
    around = member.around
    return [
        *(Content.styled(clip(line, room), "$muted") for line in around.above),
        _own(member),
        *(Content.styled(clip(line, room), "$muted") for line in around.below),
    ]


def _own(member: MemberView) -> Content:
    """The lines the statement stands on, the rest of them muted."""
    around = member.around
    lead, tail = (_plain(around.lead), "$muted"), (_plain(around.tail), "$muted")
    struck = member.claim.statement.struck or member.claim.status == "superseded"
    words = _marked(around.words, member.differs)
    return Content.assemble(lead, words.stylize("strike") if struck else words, tail)


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


def _facts(member: MemberView) -> Content:
    """Its date and layer, and what became of it."""
    claim = member.claim
    date = claim.statement.date
    glyph = "" if claim.layer == "memory" else f"{LAYER_GLYPH[claim.layer]} "
    facts = [day_in_words(date) if date else "undated", glyph + LAYER_WORD[claim.layer]]
    if word := STATUS_WORD[claim.status] or ("struck out" if claim.statement.struck else ""):
        facts.append(word)
    return Content.styled(" · ".join(facts), "$muted")


def _where(member: MemberView) -> list[Content]:
    place = f"{shown(member.claim.statement.path)}:{member.around.line}"
    lines = [Content.styled(place, "$primary")]
    if not member.around.current:
        lines.append(Content.styled("The note no longer says this at that line.", "$warning"))
    return lines
