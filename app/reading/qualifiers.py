"""Words around a measure that change it: at most, about, per month, "1 h 30 min" in two pieces."""

from __future__ import annotations

import re
from dataclasses import replace
from math import inf

from app.reading.quantity import Bound, Quantity
from app.reading.units import PER_NAMES, UNITS

# These belong to the value: the mass is "at most 4 kg".
_BEFORE = re.compile(
    r"(?:\b(?P<min>at least|no less than|not less than|no fewer than|over|above)"
    r"|\b(?P<max>up to|at most|no more than|not more than|less than|fewer than|under|below|within)"
    r"|\b(?P<more>more than)"
    r"|(?<![-=<>])(?:(?P<lt><=?|≤)|(?P<gt>>=?|≥))"
    r"|\b(?P<near>about|around|roughly|approx(?:imately)?\.?|ca\.?|circa|some|nearly|almost|close to)|[~≈]"
    r"|\bbetween)\s*$",
    re.I,
)
# These name what has the value ("the limit is 4 kg"); they only affect how it is read.
_LIMIT = re.compile(
    r"(?:(?P<max>\b(?:max(?:imum)?\.?(?: of| is)?|limit(?:ed)? (?:to|is|of)|cap(?:ped)?(?: at| of| is)?))"
    r"|(?P<min>\b(?<!\d )(?<!\d)min(?:imum)?\.?(?: of| is)?))\W*$",
    re.I,
)
_AFTER = re.compile(
    r"(?P<min>\+(?![\w+])|\s(?:or (?:more|above|over|older)|at least|minimum)\b)"
    r"|(?P<max>\s(?:or (?:less|fewer|under)|at most|max(?:imum)?|tops)\b)"
    r"|(?P<near>\s(?:or so|give or take)\b)",
    re.I,
)
_LAST_WORDS = frozenset(
    """to most than under below within is of max maximum cap capped at min minimum least over above about
    around roughly approx approximately ca circa some nearly almost between""".split()
)
"""Text before a measure that ends in none of these, nor in a sign, does not qualify it."""
_FIRST_WORDS = ("or ", "at ", "ma", "mi", "to", "gi")
_SIGNS = frozenset("~≈<>=≤≥")
_WORD = re.compile(r"\w+")
_TAIL = re.compile(r"\s*(?:[a-zA-Z-]+\s+)?(?:/\s*|(?:per|a|an|each|every)\s+)([a-zA-Z]+)", re.I)
_DIRECT_TAIL = re.compile(r"\s*(?:/|(?:per|an?|each|every)\s)\s*([a-zA-Z]+)", re.I)
_ADVERBS = {"hourly": "hour", "daily": "day", "weekly": "week", "monthly": "month", "quarterly": "quarter",
            "yearly": "year", "annually": "year"}  # fmt: skip
_JOINT = re.compile(r"\s*(?:and\s+|,\s*)?")
_PIECES = frozenset({"time", "length", "mass"})


def with_qualifiers(text: str, q: Quantity) -> Quantity:
    """Add what surrounds a measure: per-time, at most, about."""
    start, end, bound, rough = q.start, q.end, q.bound, q.rough
    before = text[max(0, start - 24) : start]
    if before:
        last = _WORD.findall(before)
        if (last and last[-1].lower() in _LAST_WORDS) or before.rstrip()[-1:] in _SIGNS:
            start, bound, rough = _led(before, start)
    low, high, dimension, step = q.low, q.high, q.dimension, q.step
    if dimension == "count" or dimension.startswith("money"):
        if (
            (tail := _TAIL.match(text, end))
            and (unit := UNITS.get(tail.group(1).lower()))
            and unit[0] == "time"
        ):
            if dimension == "count":
                dimension, low, high, step = "rate", low / unit[1], high / unit[1], step / unit[1]
            else:
                dimension += "/" + PER_NAMES.get(unit[1], tail.group(1).lower())
            if direct := _DIRECT_TAIL.match(
                text, end
            ):  # "€40 per month" is one value; in "10 pages a day" the
                end = direct.end()  # pages and the day stay with the subject
    elif dimension in ("bytes", "volume", "length", "energy") and (tail := _DIRECT_TAIL.match(text, end)):
        unit = UNITS.get(tail.group(1).lower())
        if unit and unit[0] == "time":
            dimension, end = dimension + "/time", tail.end()
            low, high, step = low / unit[1], high / unit[1], step / unit[1]
    after = text[end : end + 12]
    if after[:1] == "+" or after[1:4].lower().startswith(_FIRST_WORDS):
        end, bound, rough = _followed(text, end, bound, rough)
    if bound == "max":
        low = -inf
    elif bound == "min":
        high = inf
    if (start, end, dimension, bound, rough) == (q.start, q.end, q.dimension, q.bound, q.rough):
        return q
    return Quantity(start, end, dimension, low, high, bound, rough, step, q.label, q.year, q.unit)


def with_nearness(text: str, q: Quantity) -> Quantity:
    """ "Around 5 pm": a clock time that is not exact."""
    before = text[max(0, q.start - 24) : q.start]
    m = _BEFORE.search(before) if before else None
    if m is None or (not m["near"] and m.group().strip() not in ("~", "≈")):
        return q
    return replace(q, start=q.start - len(before) + m.start(), rough=True)


def _led(before: str, start: int) -> tuple[int, Bound, bool]:
    if m := _BEFORE.search(before):
        bound: Bound = "max" if m["max"] or m["lt"] else "min" if m["min"] or m["gt"] or m["more"] else ""
        rough = bool(m["near"]) or m.group().strip() in ("~", "≈")
        return start - len(before) + m.start(), bound, rough
    if m := _LIMIT.search(before):
        return start, "max" if m["max"] else "min", False
    return start, "", False


def _followed(text: str, end: int, bound: Bound, rough: bool) -> tuple[int, Bound, bool]:
    m = _AFTER.match(text, end)
    if m is None:
        return end, bound, rough
    if m["near"]:
        return m.end(), bound, True
    return m.end(), "max" if m["max"] else "min", rough


def join_pieces(text: str, found: list[Quantity]) -> list[Quantity]:
    """One value written in two pieces, left to right: "1 h 30 min", "6 ft 2", "$5 monthly"."""
    out: list[Quantity] = []
    for q in found:
        whole = _joined(text, out[-1], q) if out else None
        if whole is None:
            out.append(q)
        else:
            out[-1] = whole
    return out


def _joined(text: str, first: Quantity, second: Quantity) -> Quantity | None:
    gap = text[first.end : second.start]
    if second.dimension == "period" and not gap.strip() and first.dimension.startswith("money:"):
        name = _ADVERBS.get(text[second.start : second.end].lower())
        if name and "/" not in first.dimension:
            return replace(first, end=second.end, dimension=f"{first.dimension}/{name}")
        return None
    if (
        first.dimension not in _PIECES
        or second.bound
        or second.low != second.high
        or not _JOINT.fullmatch(gap)
    ):
        return None
    more, unit = second.low, second.unit
    if first.dimension == "time" and second.dimension == "length" and second.unit == 1.0 and more < 60:
        more, unit = more * 60, 60.0  # "1h 30m": the m is for minutes
    elif first.dimension != second.dimension:
        return None
    if not unit < first.unit or more >= first.unit:
        return None
    return replace(
        first, end=second.end, low=first.low + more, high=first.high + more, step=second.step, unit=unit
    )
