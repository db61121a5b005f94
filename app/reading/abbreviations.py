"""Abbreviations a text introduces itself: "the power supply unit (PSU)", "the PSU (power supply unit)"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_BRACKET = re.compile(r"\s\(([^()]{2,60})\)")
_SHORT = re.compile(r"[A-Z][A-Za-z]{0,5}[A-Z]")
_WORD = re.compile(r"[^\W\d_][\w'’]*")
_END = re.compile(r"[.,;:!?()]")
_SMALL = frozenset("a an and for in of on or the to with".split())
_LONGEST = 80
"""A longer expansion is a sentence that happens to begin with the right letters."""


class Introduced(NamedTuple):
    """One abbreviation, what it stands for, and the bracket that says so."""

    short: str
    long: str
    start: int
    end: int


def introduced(text: str) -> Iterator[Introduced]:
    """Every bracket whose content abbreviates the words before it, or the reverse, letter for letter."""
    if "(" not in text:
        return
    for found in _BRACKET.finditer(text):
        inside = found[1].strip()
        before = _END.split(text[max(0, found.start() - _LONGEST) : found.start()])[-1]
        if _SHORT.fullmatch(inside):
            if long := _expansion(before, inside):
                yield Introduced(inside, long, *found.span())
        elif before and _SHORT.fullmatch(short := before.split()[-1]) and _expansion(inside, short) == inside:
            yield Introduced(short, inside, *found.span())


def without_introduced(text: str) -> str:
    """The text without those brackets, which name nothing new."""
    for found in reversed(list(introduced(text))):
        text = text[: found.start] + text[found.end :]
    return text


def _expansion(text: str, short: str) -> str | None:
    """The last words of a text that begin with these letters; small words may be skipped."""
    found = list(_WORD.finditer(text))
    letters = short.lower()
    for spoken in (found, [w for w in found if w.group().lower() not in _SMALL]):
        last = spoken[-len(letters) :]
        if len(last) == len(letters) and all(
            w.group()[0].lower() == c for w, c in zip(last, letters, strict=True)
        ):
            return text[last[0].start() : last[-1].end()]
    return None
