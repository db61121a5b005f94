"""How two statements are written down for the judge: the same words in training and in use."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from app.detection.values_apart import values_apart
from app.reading.subjects import DATE_TITLE
from app.words import Claim

MUCH_LATER_DAYS = 180
_PLACE = 90
_SHORTEST_TITLE = 3
_TEXT = 400
_BEFORE = 100


class Said(NamedTuple):
    """A statement and where it stands."""

    text: str
    note: str = ""
    date: str | None = None
    heading: tuple[str, ...] = ()
    parent: str = ""
    before: str = ""
    """The sentence just before it: whom "she" means, what "it" is."""


def said(claim: Claim) -> Said:
    s = claim.statement
    return Said(s.text, claim.note, s.date, s.heading, s.parent or "", s.before or "")


def written(a: Said, b: Said, *, context: bool = True) -> tuple[str, str]:
    """Both texts as the model reads them, a the older: where each stands, a bar, what it says; before the
    second one how much newer it is. With `context`, which a judge has to be taught, also the sentence just
    before each, in brackets, and the values that differ."""
    values = values_apart(a.text[:_TEXT], b.text[:_TEXT]).told if context else ""
    lead = filter(None, (values, gap(a.date, b.date)))
    return _side(a, context), " | ".join((*lead, _side(b, context)))


def gap(a: str | None, b: str | None) -> str:
    """How much newer b is, coarsely: the exact gap would give away more than it can decide."""
    if not a or not b:
        return ""
    try:
        days = (date.fromisoformat(b) - date.fromisoformat(a)).days
    except ValueError:
        return ""
    return "much later" if days >= MUCH_LATER_DAYS else "later" if days > 0 else "same day"


def names_something(title: str) -> bool:
    """A title that is only a date, or a letter or two, names nothing."""
    return not DATE_TITLE.match(title) and len(title.strip()) >= _SHORTEST_TITLE


def _side(side: Said, context: bool) -> str:
    title = side.note if names_something(side.note) else ""
    parts = [title, *(h for h in side.heading if h != title), side.parent.rstrip(":")]
    place = " > ".join(part for part in parts if part)
    text = (_before(side.before) if context else "") + side.text[:_TEXT]
    return f"{place[:_PLACE]} | {text}" if place else text


def _before(before: str) -> str:
    """Of a long sentence the end, from the beginning of a word on."""
    if not before:
        return ""
    if len(before) > _BEFORE:
        before = before[-_BEFORE:].partition(" ")[2] or before[-_BEFORE:]
    return f"({before}) "
