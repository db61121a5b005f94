"""How two statements are written down for the judge: the same words in training and in use."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from app.reading.subjects import DATE_TITLE
from app.words import Claim

MUCH_LATER_DAYS = 180
_CONTEXT = 90
_SHORTEST_TITLE = 3
_TEXT = 400


class Said(NamedTuple):
    """A statement and where it stands."""

    text: str
    note: str = ""
    date: str | None = None
    heading: tuple[str, ...] = ()
    parent: str = ""


def said(claim: Claim) -> Said:
    s = claim.statement
    return Said(s.text, claim.note, s.date, s.heading, s.parent or "")


def written(a: Said, b: Said) -> tuple[str, str]:
    """Both texts as the model reads them, a the older: where each stands, a bar, what it says."""
    when = gap(a.date, b.date)
    return _side(a), (f"{when} | " if when else "") + _side(b)


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


def _side(side: Said) -> str:
    title = side.note if names_something(side.note) else ""
    parts = [title, *(h for h in side.heading if h != title), side.parent.rstrip(":")]
    context = " > ".join(part for part in parts if part)
    text = side.text[:_TEXT]
    return f"{context[:_CONTEXT]} | {text}" if context else text
