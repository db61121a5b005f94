"""Do two statements differ in something one can point at? Only then does a judge's word count in a vault."""

from __future__ import annotations

import re
from typing import Literal

from app.calendar_names import SHORT_MONTHS, one_of
from app.detection.opposites import opposite
from app.reading.quantities import Quantity, quantities, relate
from app.reading.tokens import STOP, stem, words

Kind = tuple[str, str]
"""What a quantity is comparable by: its dimension, and the word it belongs to where that says little."""
Contrast = Literal["values", "polarity", "opposites", "same value", "none"]
_NEGATION = re.compile(
    r"\b(?:not(?! (?:just|only|merely|necessarily))|no|never|none|nobody|nothing|nor|neither|without)\b"
    r"|\bcannot\b|n['’]t\b",
    re.I,
)
_DENIED = re.compile(rf"(?:{_NEGATION.pattern})[^,.;:|)]*", re.I)
_CORRECTS = re.compile(r"[,;(–—-]\s*$")
_PHRASE = re.compile(r"[^,.;:|)]*")
_AFTER = re.compile(r"[ -]([^\W\d_]+)")
# A moment to the second, as notes are numbered by: it names a note, and counts nothing.
_STAMP = re.compile(r"(?:19|20)\d{10,12}")
_ONE = re.compile(r"\b(?:one|(?:a|the) single)(?= [^\W\d_])", re.I)


_MONTH = re.compile(
    rf"(?<!\d )\b({one_of(month.title() for month in SHORT_MONTHS)})"
    r"(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?\b(?!\.?\s+\d)"
)
_MONTHS: Kind = ("months", "")


def kinds(text: str, *, counts: bool = True) -> frozenset[Kind]:
    """Everything that a text measures: who measures the same may give another value for it."""
    found = frozenset(kind for kind, _ in _comparable(text, counts))
    return found | {_MONTHS} if _months(text) else found


def _months(text: str) -> frozenset[str]:
    """The months that a text counts up, of which no single one is a date: "Mar, Jun, Sep, Dec"."""
    named = frozenset(_MONTH.findall(text))
    return named if len(named) > 1 else frozenset()


def contrast(a: str, b: str, *, counts: bool = True) -> Contrast:
    """Other values of one kind, one of the two denied, opposite words, one value in common, or none of that.

    Without `counts` bare numbers tell nothing, as in a table's row, where the header says what they count;
    and a "not" there is about its own cell.
    """
    valued = _valued(_comparable(a, counts), _comparable(b, counts))
    if valued == "values" or _in_other_months(a, b):
        return "values"
    one, other = _denies(a, b, row=not counts), _denies(b, a, row=not counts)
    if one != other or (one and other and (_takes_back(a, b) or _takes_back(b, a))):
        return "polarity"
    return "opposites" if valued == "none" and opposite(a, b) else valued


def _in_other_months(a: str, b: str) -> bool:
    left, right = _months(a), _months(b)
    return bool(left and right) and not left & right


def _takes_back(text: str, other: str) -> bool:
    """Both deny something: does this one deny what the other affirms?"""
    affirmed = {stem(w) for w in words(_DENIED.sub("", other)) if w.lower() not in STOP}
    denied = (words(found[0]) for found in _DENIED.finditer(text))
    return any(len({stem(w) for w in some if w.lower() not in STOP} & affirmed) > 1 for some in denied)


def _denies(text: str, other: str, *, row: bool) -> bool:
    """Does it deny something? "Tabs, not spaces" denies only spaces, which the other has to speak of."""
    for found in _NEGATION.finditer(text):
        if not row and not _CORRECTS.search(text[: found.start()]):
            return True
        phrase = _PHRASE.match(text, found.end())
        denied = {stem(w) for w in words(phrase[0] if phrase else "") if w.lower() not in STOP}
        if denied & {stem(w) for w in words(other)}:
            return True
    return False


def _valued(left: list[tuple[Kind, Quantity]], right: list[tuple[Kind, Quantity]]) -> Contrast:
    met = [relate(x, y) for kind_x, x in left for kind_y, y in right if kind_x == kind_y]
    if not met:
        return "none"
    return "values" if all(relation == "differ" for relation in met) else "same value"


def _comparable(text: str, counts: bool) -> list[tuple[Kind, Quantity]]:
    """Each quantity with what it is comparable by: its dimension, and where that says little, the word it
    belongs to. "Three doors" says nothing about two windows, nor a yearly report about a monthly bill."""
    found: list[tuple[Kind, Quantity]] = []
    for q in quantities(text):
        kind = "clock" if q.dimension == "clock12" else q.dimension
        beside = ""
        if kind == "count":
            if not counts or _STAMP.fullmatch(text, q.start, q.end):
                continue
            beside = _word_before(text, q) if q.label else _word_after(text, q) or _word_before(text, q)
        elif kind == "period" and text[q.start : q.end].lower().endswith("ly"):
            beside = _word_after(text, q)
        found.append(((kind, beside), q))
    if counts:  # what is hardly a number by itself is one beside "two puffs"
        alone = (Quantity(m.start(), m.end(), "count", 1.0, 1.0) for m in _ONE.finditer(text))
        found += [(("count", noun), q) for q in alone if (noun := _word_after(text, q))]
    return found


def _word_after(text: str, q: Quantity) -> str:
    near = _AFTER.match(text, q.end)
    return stem(near[1]) if near and near[1].lower() not in STOP else ""


def _word_before(text: str, q: Quantity) -> str:
    """The nearest word that tells something: of "the code is 4823" the code."""
    told = [w for w in words(text[: q.start]) if w.lower() not in STOP]
    return stem(told[-1]) if told else ""
