"""Where a block stands: headings, the bullet or line it hangs under, the quote it is in, the date over it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from app.vault.blocks import Block, Item, Listing, Quote
from app.vault.dates import heading_date
from app.vault.inline import clean_line

ONLY_URL = re.compile(r"\W*+(?:https?://|www\.|mailto:)\S++\W*+")
_BOLD_ONLY = re.compile(r"(\*\*|__)(?!\s)(?:(?!\1).)+\1[:.]?[ \t]*$")
_SHORT_CHARS, _SHORT_WORDS = 60, 7
MAX_HEADING = 400
"""Characters of a heading or title; it stands over every statement, so all that read those read it too."""


@dataclass(slots=True)
class Place:
    """Everything about where a block stands that its statements share."""

    heading: tuple[str, ...]
    parent: str | None
    date: str | None
    time: str | None
    quoted: bool
    listed: bool
    task: Literal["open", "done"] | None = None
    struck: bool = False


@dataclass(slots=True)
class _Heading:
    level: int
    text: str
    date: str | None


class Surroundings:
    """Follows the headings, and the lines that act as headings, through a note."""

    def __init__(self) -> None:
        self.first_h1: str | None = None
        self._headings: list[_Heading] = []
        self._path: tuple[str, ...] = ()
        self._date: str | None = None
        self._pseudo: _Heading | None = None

    def heading(self, block: Block) -> None:
        text = clean_line(block.content)[:MAX_HEADING]
        if block.item:
            # In an outline a heading is a block like any other: what is indented hangs under it.
            block.item.text = block.item.text or text
            block.item.date = heading_date(text)
            block.item.started = True
            return
        if block.quote:
            return
        if self.first_h1 is None and block.level == 1:
            self.first_h1 = text
        headings = self._headings
        while headings and headings[-1].level >= block.level:
            headings.pop()
        if text:
            headings.append(_Heading(block.level, text, heading_date(text)))
        self._pseudo = None
        self._refresh_path()

    def _refresh_path(self) -> None:
        headings = [*self._headings, self._pseudo] if self._pseudo else self._headings
        self._path = tuple(heading.text for heading in headings)
        self._date = next((h.date for h in reversed(headings) if h.date), None)

    def place(self, block: Block) -> Place:
        item, quote = block.item, block.quote
        path = self._path
        date = self._date
        parent: str | None = None
        time: str | None = None
        listing = block.listing or (item.listing if item else None)
        if listing:
            outer = item if block.listing else listing.item
            top = _top(listing)
            if top.heading:
                path = (*path, top.heading)
            parent = listing.lead or (outer.text if outer else None) or None
            date = top.date or date
            inherited = _inherited(item)
            if inherited:
                date = inherited.date or date
                time = inherited.time
        quoted = False
        if quote:
            quoted = quote.quoted
            titles = _titles(quote)
            if titles:
                path = (*path, *titles)
        return Place(path, parent, date, time, quoted, item is not None and block.listing is None)

    def lead(self, listing: Listing, source: str, text: str, alone: bool) -> bool:
        """Let the last line before a list stand over it; whether it does nothing else."""
        bold = is_bold_line(source)
        if ONLY_URL.fullmatch(text):
            return False
        name = text.rstrip(":").strip()
        if bold and alone:
            # The list is what the line is about; it does not reach further.
            self._pseudo = None
            self._refresh_path()
            listing.heading = name
        elif source.rstrip("*_ ").endswith(":"):
            listing.lead = text
        elif bold or (
            len(text) <= _SHORT_CHARS and text.count(" ") < _SHORT_WORDS and text[-1:] not in ".!?…,;:"
        ):
            listing.heading = name
        else:
            return False
        listing.date = heading_date(name)
        return is_label(name)

    def bold_line(self, text: str) -> bool:
        """A paragraph all in bold is a small heading for what follows; whether it is nothing else."""
        name = text.rstrip(":").strip()
        self._stand_over(name)
        return is_label(name)

    def _stand_over(self, name: str) -> None:
        if name:
            self._pseudo = _Heading(9, name, heading_date(name))
            self._refresh_path()


def is_bold_line(source: str) -> bool:
    return source.startswith(("**", "__")) and _BOLD_ONLY.match(source) is not None


def is_label(text: str) -> bool:
    """Too short to say anything: at most three words and no figure."""
    return text.count(" ") < 3 and not any(c.isdigit() for c in text)


def _top(listing: Listing) -> Listing:
    """The outermost list: what stands before it holds for everything in it."""
    while listing.item:
        listing = listing.item.listing
    return listing


def _inherited(item: Item | None) -> Item | None:
    """The nearest item, from this one outwards, that carries a date or time."""
    while item:
        if item.date or item.time:
            return item
        item = item.listing.item
    return None


def _titles(quote: Quote | None) -> tuple[str, ...]:
    titles: list[str] = []
    while quote:
        if quote.title:
            titles.append(quote.title)
        quote = quote.outer
    return tuple(reversed(titles))
