"""Numbers with units, money and counts found in text, with what qualifies them: at most, about, per hour."""

from __future__ import annotations

import re
from collections.abc import Iterator

from app.normalize.quantity import NUM, WORDNUM, Bound, Quantity, number
from app.normalize.units import GLUED_ONLY, MONEY, NUMBER_WORDS, UNITS

# A digit comes first in the pattern, so that the search jumps from digit to digit; what must not stand
# before it, and a currency sign that may, are looked for backwards.
_MEASURE = re.compile(
    r"(?P<n>\d(?<![\w.,:/#-]\d)(?:\d{0,2}(?:[,\u00a0\u202f']\d{3})+(?:\.\d+)?|\d*(?:\.\d+)?))(?P<k>[kKM])?(?!\d)"
    rf"(?:\s?(?:-|–|—|to|or)\s?(?P<n2>{NUM})(?P<k2>[kKM])?(?!\d))?(?P<frac>[½¼¾])?"
    r"(?:(?P<space>\s?)(?P<unit>%|°\s?[CF]\b|[€£]|[a-zA-Zµ²]+(?:/[a-zA-Z]+)?))?"
)
_CURRENCY = frozenset("€$£¥₹")
_WORDMEASURE = re.compile(rf"\b(?P<n>{WORDNUM})(?:[- ](?P<n2>{WORDNUM}))?\b(?:\s+(?P<unit>[a-zA-Z]+))?", re.I)
_TAIL = re.compile(r"\s*(?:[a-zA-Z-]+\s+)?(?:/\s*|(?:per|a|an|each|every)\s+)([a-zA-Z]+)", re.I)
# Telephone numbers, door codes with a leading zero, lap times, part numbers: names made of digits.
_NOT_A_MEASURE = re.compile(
    r"(?<![\d,.])0\d[\d /-]*\d\b|\b\d{2,}(?:[-/]\d{2,})+\b|\+\d[\d ()-]{6,}\d"
    r"|\b\d+:\d\d(?::\d\d)?\b|\b\d+(?:\.\d+){2,}\b"
)
_MAYBE_NOT_A_MEASURE = re.compile(r"\d(?:(?<=0)\d|[-/:]\d\d|\.\d+\.\d)|\+\d")
_MAXWORD = re.compile(
    r"\b(?:max(?:imum)?|up to|at most|no more than|not more than|less than|under|below|within|"
    r"limit(?:ed)? (?:to|is)|cap(?:ped)?(?: at)?)\W*$",
    re.I,
)
_MINWORD = re.compile(
    r"\b(?:min(?:imum)?|at least|no less than|not less than|more than|over|above)\W*$", re.I
)
_ROUGH = re.compile(
    r"(?:\b(?:about|around|roughly|approx(?:imately)?\.?|ca\.?|circa|some|nearly|almost|close to|-ish)|~|≈)"
    r"\s*$",
    re.I,
)
_LAST_WORDS = frozenset(
    """max maximum to most than under below within is cap capped at min minimum least over above about around
    roughly approx approximately ca circa some nearly almost ish""".split()
)
"""A text before a measure that ends in none of these qualifies nothing."""
_ENDING_WORD = re.compile(r"\w+")
_NAMED_BEFORE = re.compile(
    r"(?:^|[\s(\"'“])([A-ZÀ-Þ][\w'’+#-]*|[a-z]{2,}(?<=room)|[a-z]*(?:floor|room|version|ver|step|chapter|phase|level|"
    r"rev|lab|gate|platform|track|lane|bay|unit|section|page|line|part|paper|grade|year|class|group|zone|house|flat|"
    r"apartment|building|tier))\s$"
)
_SCALE = {"k": 1e3, "K": 1e3, "M": 1e6}
_FRACTION = {"½": 0.5, "¼": 0.25, "¾": 0.75}

WORDS = frozenset(NUMBER_WORDS)


def names_of_digits(text: str) -> list[tuple[int, int]]:
    """Where digits name rather than measure; no measure overlaps these."""
    return [m.span() for m in _NOT_A_MEASURE.finditer(text)] if _MAYBE_NOT_A_MEASURE.search(text) else []


def measures(text: str, said: frozenset[str], digits: bool) -> Iterator[Quantity]:
    """Candidates, numerals before number words. `said` are the text's words in lower case."""
    if digits:
        done = 0
        for m in _MEASURE.finditer(text):
            if (q := _measure(text, m, done)) is not None:
                yield _qualified(text, q)
            done = m.end()
    if not said.isdisjoint(WORDS):
        for m in _WORDMEASURE.finditer(text):
            if (q := _word_measure(m)) is not None:
                yield _qualified(text, q)


def _currency_before(text: str, start: int, done: int) -> int:
    """Where a currency sign stands before a number, at most one blank away; -1 for none."""
    at = start - 1
    if at >= done and text[at].isspace():
        at -= 1
    return at if at >= done and text[at] in _CURRENCY else -1


def _measure(text: str, m: re.Match[str], done: int) -> Quantity | None:
    low = number(m["n"])
    if low is None:
        return None
    start, end = m.start("n"), m.end("unit") if m["unit"] else m.end()
    sign = _currency_before(text, start, done)
    factor = _SCALE.get(m["k"] or "", 1.0)
    low += _FRACTION.get(m["frac"] or "", 0.0)
    high = (number(m["n2"]) or 0.0) if m["n2"] else low
    if m["n2"] and high < low:
        return None
    dimension, unit = "count", (m["unit"] or "").lower().replace(" ", "")
    if sign >= 0:
        start, dimension = sign, "money:" + MONEY[text[sign]]
        end = (
            end if unit in ("k", "m") else (m.end("n2") if m["n2"] else m.end("k") if m["k"] else m.end("n"))
        )
        unit = ""
    elif unit in MONEY:
        dimension = "money:" + MONEY[unit]
    elif unit in ("°c", "°f"):
        dimension = "temperature"
        if unit == "°f":
            low, high = (low - 32) / 1.8, (high - 32) / 1.8
    elif unit in UNITS and (unit not in GLUED_ONLY or not m["space"]):
        dimension, worth = UNITS[unit]
        factor *= worth
    elif "/" in unit and unit.split("/")[1] in UNITS and UNITS[unit.split("/")[1]][0] == "time":
        dimension = "rate"
        factor /= UNITS[unit.split("/")[1]][1]
    else:  # an unknown word after the number is what is counted, not a unit
        if m["unit"] and not m["space"]:
            return None  # 4k7, 3rd, 2x: a label, not a measure
        end = m.end("n2") if m["n2"] else m.end("frac") if m["frac"] else m.end("k") if m["k"] else m.end("n")
    label = dimension == "count" and _names(text, start)
    step = max(_step(m["n"]), _step(m["n2"] or "0")) * factor
    return Quantity(start, end, dimension, low * factor, high * factor, step=step, label=label)


def _names(text: str, start: int) -> bool:
    """A capitalised word or "room", "step" right before makes the number part of a name."""
    return (
        start > 0
        and text[start - 1].isspace()
        and _NAMED_BEFORE.search(text[max(0, start - 24) : start]) is not None
    )


def _step(numeral: str) -> float:
    return 0.5 * 10 ** -len(numeral.split(".")[1]) if "." in numeral else 0.0


def _word_measure(m: re.Match[str]) -> Quantity | None:
    low = number(m["n"])
    second = number(m["n2"]) if m["n2"] else None
    if low is None:
        return None
    if second is not None:
        low = low * second if second in (100, 12) else low + second
    unit = (m["unit"] or "").lower()
    if unit in MONEY:
        return Quantity(m.start(), m.end(), "money:" + MONEY[unit], low, low)
    if unit in UNITS and unit not in GLUED_ONLY and unit not in ("second", "quarter"):
        dimension, worth = UNITS[unit]
        return Quantity(m.start(), m.end(), dimension, low * worth, low * worth)
    if m["n"].lower() == "one" and not m["n2"]:
        return None  # "one of them", "the second one": rarely a count
    end = m.end("n2") if m["n2"] else m.end("n")
    return Quantity(m.start(), end, "count", low, low)


def _qualified(text: str, q: Quantity) -> Quantity:
    """Add what stands around a measure: per-time, at most, about."""
    before = text[max(0, q.start - 24) : q.start]
    bound: Bound = ""
    rough = q.rough
    ending = _ENDING_WORD.findall(before)
    if (ending and ending[-1].lower() in _LAST_WORDS) or before.rstrip()[-1:] in ("~", "≈"):
        bound = "max" if _MAXWORD.search(before) else "min" if _MINWORD.search(before) else ""
        rough = rough or _ROUGH.search(before) is not None
    low, high, dimension, step = q.low, q.high, q.dimension, q.step
    if dimension == "count" or dimension.startswith("money"):
        tail = _TAIL.match(text, q.end)
        unit = UNITS.get(tail.group(1).lower()) if tail else None
        if tail and unit and unit[0] == "time":
            if dimension == "count":
                dimension, low, high, step = "rate", low / unit[1], high / unit[1], step / unit[1]
            else:
                dimension += "/" + tail.group(1).lower().rstrip("s")
    return Quantity(q.start, q.end, dimension, low, high, bound, rough, step, q.label, q.year)
