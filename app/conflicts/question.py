"""The yes/no question of a conflict, worded so that it can be answered without the notes."""

from __future__ import annotations

import re
from typing import Protocol

from app.reading.main_clause import main_clause
from app.words import Claim, Norm

_LIMIT = 90
_COPULA = re.compile(r"^(?P<subject>.{2,70}?)\s+(?P<verb>is|are)\s+(?P<rest>(?!not\b|no\b).+)$", re.I)
_LABEL = re.compile(r"^[A-Z][\w ]{0,24}:\s+(?=\w+\b.*\b(?:is|are)\b)")
_FEWEST_WORDS = 5
_TIME = re.compile(r"^\d{1,2}[:.]\d\d\s+")
_SMALL = frozenset("the our my a an this that these those his her their its all every each no some".split())


class ClaimWithNorm(Protocol):
    """A claim and the one of its norms that is asked about."""

    @property
    def claim(self) -> Claim: ...

    @property
    def norm(self) -> Norm: ...


def question(old: ClaimWithNorm, new: ClaimWithNorm | None = None) -> str:
    """Asks about the older or the returned side: "Is the garage door code still 4411?". If their trust
    differs, about the less trusted one: the other is taken to be right."""
    if new is not None and new.claim.trust < old.claim.trust:
        old = new
    statement = old.claim.statement
    clause = _LABEL.sub("", main_clause(statement.text)).strip(" .!")
    found = _COPULA.match(clause) if statement.form in ("sentence", "bullet") else None
    if found and len(clause) <= _LIMIT and _nameable(found["subject"]):
        return f"{found['verb'].capitalize()} {_inside(found['subject'])} still {found['rest']}?"
    if statement.form not in ("sentence", "bullet") and old.norm.value:
        return f"Is “{_clip(old.norm.subject)}” still {_clip(old.norm.value)}?"
    return f"Does “{_clip(_telling(clause, statement.text))}” still hold?"


def _telling(clause: str, text: str) -> str:
    """The clause, or the whole statement if the clause is too short to say anything: "Good one for
    parties"."""
    return clause if len(clause.split()) >= _FEWEST_WORDS else _TIME.sub("", text).strip(" .!")


def _nameable(subject: str) -> bool:
    """Does it read well after "Is"? Only if it is surely a name or begins with a small word."""
    first = subject.partition(" ")[0]
    return (
        first.lower() in _SMALL
        or first.endswith(("'s", "’s"))
        or any(c.isupper() or c.isdigit() for c in first[1:])
    )


def _inside(subject: str) -> str:
    """The subject as it stands inside a sentence."""
    first, space, rest = subject.partition(" ")
    return first.lower() + space + rest if first.lower() in _SMALL else subject


def _clip(text: str) -> str:
    """Shorten, preferably between words."""
    if len(text) <= _LIMIT:
        return text
    whole, _, cut = text[: _LIMIT - 1].rpartition(" ")
    return (whole if len(cut) < _LIMIT // 3 else text[: _LIMIT - 1]).rstrip(" ,;:") + "…"
