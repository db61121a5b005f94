"""Numbers with units, money and counts found in text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from app.reading.qualifiers import with_qualifiers
from app.reading.quantity import NUM, WORDNUM, Quantity, number
from app.reading.tokens import STOP
from app.reading.units import (
    CAPITAL_FREE,
    CAPITAL_ONLY,
    GLUED_ONLY,
    MAGNITUDES,
    MONEY,
    NUMBER_WORDS,
    SMALL_ONLY,
    UNITS,
)

# A digit comes first in the pattern, so that the search jumps from digit to digit; what must not precede
# it, and a currency sign that may, are matched backwards.
_MEASURE = re.compile(
    r"(?P<n>\d(?:(?<![\w.,:/#−-]\d)|(?<=\s[−-]\d)|(?<=^[−-]\d))"
    r"(?:\d{0,2}(?:[,\u00a0\u202f']\d{3})+(?:\.\d+)?|\d*,\d{1,2}(?![\d,])|\d*(?:\.\d+)?))"
    r"(?:/(?P<den>[2348])(?![\d/]))?(?P<k>[kKM])?(?!\d)"
    rf"(?:\s{{0,2}}(?:-|–|—|to|or)\s{{0,2}}(?P<n2>{NUM})(?P<k2>[kKM])?(?!\d))?"
    r"(?P<frac>\s?[½¼¾]|\s[13]/[248](?!\d)|\sand a half\b)?"
    r"(?P<mag>\s?(?i:thousand|million|mio|billion|bn)\b|\sM\b)?"
    r"(?:(?P<space>\s?)(?P<unit>%|°\s?[CF]\b|(?i:degrees?\s(?:c|f|celsius|fahrenheit)\b)|[€£]|m[²³23](?!\w)|"
    r"[a-zA-Zµ²]+(?:/[a-zA-Z]+(?:[²³23](?!\w))?)?))?"
)
_COMMA_DECIMAL = re.compile(r"\d+,\d{1,2}")
_MINUS = ("-", "−")
_SIGNS = frozenset("€$£¥₹")
_CODES = tuple(sorted({code for code in MONEY.values() if len(code) == 3}))
_WORDMEASURE = re.compile(
    rf"\b(?P<n>{WORDNUM})(?:[- ](?P<n2>{WORDNUM}))?\b(?P<half>\s+and a half\b)?"
    r"(?P<mag>\s+(?:thousand|million|billion)\b)?"
    r"(?:\s+(?P<unit>[a-zA-Z]+))?",
    re.I,
)
_PART = re.compile(
    r"\b(?:(?P<part>half|a quarter of|three quarters of) an?\s+(?P<unit>[a-z]+)\b"
    # Days and weeks are left out: a full day of work, a whole week of school are shorter ones.
    r"|an? (?:full|whole|entire) (?P<span>hour|month|year)\b"
    r"|(?:(?<=^)|(?<=is )|(?<=for )|(?<=lasts )|(?<=takes )|(?<=about )|(?<=least )|(?<=most )"
    r"|(?<=than )|(?<=: ))"
    r"an hour(?P<more> and a half)?\b)",
    re.I,
)
_PARTS = {"half": 0.5, "a quarter of": 0.25, "three quarters of": 0.75}
# Telephone numbers, door codes with a leading zero, lap times, part numbers: names made of digits.
_NOT_A_MEASURE = re.compile(
    r"(?<![\d,.])0\d[\d /-]*\d\b|\b\d{2,}(?:[-/]\d{2,})+\b|\+\d[\d ()-]{6,}\d"
    r"|\b\d+:\d\d(?::\d\d)?\b|\b\d+(?:\.\d+){2,}\b"
)
_MAYBE_NOT_A_MEASURE = re.compile(r"\d(?:(?<=0)\d|[-/:]\d\d|\.\d+\.\d)|\+\d")
_NAMED_BEFORE = re.compile(
    r"(?:^|[\s(\"'“])(?P<name>[A-ZÀ-Þ][\w'’+#-]*|[a-z]*(?:floor|room)|version|ver|step|chapter|phase|level|rev|lab|gate|"
    r"platform|track|lane|bay|unit|section|page|line|part|paper|grade|year|class|group|zone|house|flat|"
    r"apartment|building|tier)\s$"
)
_NOT_NAMES = STOP | frozenset(
    "max maximum min minimum most least within below above nearly almost between".split()
)
_YEAR = re.compile(r"(?:19|20)\d\d(?![\d.,]\d)(?!\d)")  # "In 2022": no measure either
_SCALE = {"k": 1e3, "K": 1e3, "M": 1e6}
_FRACTION = {"½": 0.5, "¼": 0.25, "¾": 0.75, "1/2": 0.5, "1/4": 0.25, "3/4": 0.75, "1/8": 0.125, "3/8": 0.375,
             "and a half": 0.5}  # fmt: skip
_CELSIUS = frozenset({"°c", "degreec", "degreesc", "degreecelsius", "degreescelsius"})
_DEGREE = 1 / 1.8
"""One degree Fahrenheit in degrees Celsius: 72 °F is 22 °C when rounded."""
_FAHRENHEIT = frozenset({"°f", "degreef", "degreesf", "degreefahrenheit", "degreesfahrenheit"})

_SHARE_NUMBERS = frozenset("three four five six eight ten twelve twenty fifty hundred".split())
# "One request in ten fails" is a share; "one coat in ten minutes", "one lamp in three rooms" are not.
_SHARE = re.compile(
    rf"\bone (?:[a-z]+ )?in (?P<of>{'|'.join(sorted(_SHARE_NUMBERS))})\b"
    r"(?=\W*$|[,.;:)]| (?:is|are|was|of|has|gets|goes|comes|needs|fails|breaks)\b)",
    re.I,
)
_PART_WORDS = frozenset("hour half of full whole entire".split())
MEASURE_WORDS = frozenset(NUMBER_WORDS) | {"half", "hour", "quarter", "quarters", "full", "whole", "entire"}


def names_of_digits(text: str) -> list[tuple[int, int]]:
    """Spans where digits are a name and not a measure; no measure overlaps them."""
    return [m.span() for m in _NOT_A_MEASURE.finditer(text)] if _MAYBE_NOT_A_MEASURE.search(text) else []


def measures(text: str, said: frozenset[str], digits: bool) -> Iterator[Quantity]:
    """Candidates, numerals before number words. `said` are the text's words in lower case."""
    if digits:
        done = 0
        for m in _MEASURE.finditer(text):
            if (q := _measure(text, m, done)) is not None:
                yield with_qualifiers(text, q)
            done = m.end()
    if said.isdisjoint(MEASURE_WORDS):
        return
    if "in" in said and not said.isdisjoint(_SHARE_NUMBERS):
        for m in _SHARE.finditer(text):
            part = 100.0 / (number(m["of"]) or 1.0)
            yield with_qualifiers(text, Quantity(m.start(), m.end(), "percent", part, part, unit=1.0))
    if not said.isdisjoint(_PART_WORDS):
        for m in _PART.finditer(text):
            if (q := _part(m)) is not None:
                yield with_qualifiers(text, q)
    for m in _WORDMEASURE.finditer(text):
        if (q := _word_measure(m)) is not None:
            yield with_qualifiers(text, q)


def _measure(text: str, m: re.Match[str], done: int) -> Quantity | None:
    low, high, factor = _numbers(m)
    if high < low:
        return None
    start, end = m.start("n"), m.end("unit") if m["unit"] else m.end()
    comma = _COMMA_DECIMAL.fullmatch(m["n"]) is not None
    negative = start > 0 and text[start - 1] in _MINUS
    money, sign = _currency_before(text, start - negative, done)
    dimension, worth, unit = "count", 0.0, (m["unit"] or "").lower().replace(" ", "")
    if money:
        start, dimension, end = sign, "money:" + money, end if unit in ("k", "m") else _number_end(m)
    elif unit in MONEY:
        dimension = "money:" + MONEY[unit]
    elif unit in _CELSIUS:
        dimension = "temperature"
    elif unit in _FAHRENHEIT:
        low, high = -low if negative else low, -high if negative else high
        dimension, low, high, negative = "temperature", (low - 32) / 1.8, (high - 32) / 1.8, False
    elif known := _unit(m["unit"] or "", bool(m["space"])):
        dimension, worth = known
    else:  # an unknown word after the number is what is counted, not a unit
        if (m["unit"] and not m["space"]) or negative or (comma and m["n"][-2] == ","):
            return None  # 4k7, 3rd, 2x: a label, not a measure; "3,4": a list, but "2,90" a price
        end = _number_end(m)
    if negative and unit not in _FAHRENHEIT:
        low, high, start = -high, -low, start - 1 if not money else start
    label = dimension == "count" and _names(text, start)
    factor *= worth or 1.0
    step = max(_step(m["n"]), _step(m["n2"] or "0")) * factor
    scale = _DEGREE if unit in _FAHRENHEIT else worth
    return Quantity(start, end, dimension, low * factor, high * factor, step=step, label=label, unit=scale)


def _numbers(m: re.Match[str]) -> tuple[float, float, float]:
    """Lowest, highest, and the factor for both."""
    low = _decimal(m["n"])
    if m["den"]:
        low /= float(m["den"])
    low += _FRACTION.get((m["frac"] or "").strip(), 0.0)
    magnitude = MAGNITUDES.get((m["mag"] or "").strip().lower(), 1.0)
    first, second = _SCALE.get(m["k"] or "", 1.0), _SCALE.get(m["k2"] or "", 1.0)
    if not m["n2"]:
        return low, low, first * magnitude
    high = _decimal(m["n2"])
    if not (m["k"] and m["k2"]) and low <= high:  # "10-12k", "10k-12": the letter applies to both
        return low, high, max(first, second) * magnitude
    return low * first, high * second, magnitude


def _decimal(numeral: str) -> float:
    if _COMMA_DECIMAL.fullmatch(numeral):
        numeral = numeral.replace(",", ".")
    return number(numeral) or 0.0


def _number_end(m: re.Match[str]) -> int:
    return max(m.end(group) for group in ("n", "den", "k", "n2", "k2", "frac", "mag"))


def _unit(written: str, spaced: bool) -> tuple[str, float] | None:
    """(dimension, worth) of a unit as written, or of a unit per another."""
    unit = written.lower()
    if len(unit) == 1 and ((unit in SMALL_ONLY) if written.isupper() else (unit in CAPITAL_ONLY)):
        return None
    if unit in UNITS:
        return None if spaced and unit in GLUED_ONLY and written not in CAPITAL_FREE else UNITS[unit]
    of, slash, per = unit.partition("/")
    if not slash or per not in UNITS:
        return None
    dimension, worth = UNITS[per]
    if of in UNITS and of not in GLUED_ONLY:
        return f"{UNITS[of][0]}/{dimension}", UNITS[of][1] / worth
    return ("rate", 1 / worth) if dimension == "time" else None


def _currency_before(text: str, start: int, done: int) -> tuple[str, int]:
    """The currency whose sign or code precedes a number, at most one blank away, and its position."""
    at = start - 1
    if at >= done and text[at].isspace():
        at -= 1
    if at >= done and text[at] in _SIGNS:
        return MONEY[text[at]], at
    code = text[max(done, at - 2) : at + 1]
    if code in _CODES and not (at > 2 and text[at - 3].isalnum()):
        return code, at - 2
    return "", start


def _names(text: str, start: int) -> bool:
    """A capitalised word or "room", "step" right before makes the number part of a name."""
    if start == 0 or not text[start - 1].isspace():
        return False
    m = _NAMED_BEFORE.search(text[max(0, start - 24) : start])
    return m is not None and (m["name"].lower() not in _NOT_NAMES or _YEAR.match(text, start) is not None)


def _step(numeral: str) -> float:
    """Half the last written digit after the point."""
    point = "," if _COMMA_DECIMAL.fullmatch(numeral) else "."
    return 0.5 * 10 ** -len(numeral.split(point)[1]) if point in numeral else 0.0


def _word_measure(m: re.Match[str]) -> Quantity | None:
    low = number(m["n"]) or 0.0
    second = number(m["n2"]) if m["n2"] else None
    if second is not None:
        low = low * second if second in (100, 12) else low + second
    low += 0.5 if m["half"] else 0.0
    low *= MAGNITUDES.get((m["mag"] or "").strip().lower(), 1.0)
    unit = (m["unit"] or "").lower()
    if unit in MONEY:
        return Quantity(m.start(), m.end(), "money:" + MONEY[unit], low, low)
    if unit in UNITS and len(unit) > 1 and unit not in GLUED_ONLY and unit not in ("second", "quarter"):
        dimension, worth = UNITS[unit]
        return Quantity(m.start(), m.end(), dimension, low * worth, low * worth, unit=worth)
    if m["n"].lower() == "one" and not (m["n2"] or m["half"] or m["mag"]):
        return None  # "one of them", "the second one": rarely a count
    end = max(m.end(group) for group in ("n", "n2", "half", "mag"))
    return Quantity(m.start(), end, "count", low, low)


def _part(m: re.Match[str]) -> Quantity | None:
    """Half a litre, three quarters of an hour, a full day, an hour and a half."""
    if m["span"]:
        worth = UNITS[m["span"].lower()][1]
        return Quantity(m.start(), m.end(), "time", worth, worth, unit=worth)
    if not m["part"]:
        much = 3600.0 * (1.5 if m["more"] else 1.0)
        return Quantity(m.start(), m.end(), "time", much, much, unit=3600.0)
    dimension, worth = UNITS.get(m["unit"].lower(), ("", 0.0))
    if not worth or len(m["unit"]) == 1:
        return None
    much = _PARTS[m["part"].lower()] * worth
    return Quantity(m.start(), m.end(), dimension, much, much, unit=worth)
