"""Numbers with units, money, clock times, dates, weekdays and rhythms, found in text and compared."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from app.normalize.units import GLUED_ONLY, MONEY, MONTHS, NUMBER_WORDS, UNITS, WEEKDAYS

Relation = Literal["equal", "differ", "incomparable"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value that can be compared. `dimension` says with what; `low`/`high` bound it in base units."""

    start: int
    end: int
    dimension: str
    low: float
    high: float
    bound: Literal["", "max", "min"] = ""
    rough: bool = False
    step: float = 0.0
    """Half the last written digit, in base units: what rounding may hide."""
    label: bool = False
    """The number is part of a name ("Node 18", "room 3") and not a measure."""
    year: int | None = None


_NUM = r"(?:\d{1,3}(?:[,\u00a0\u202f']\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
_WORDNUM = r"(?:" + "|".join(sorted(NUMBER_WORDS, key=len, reverse=True)) + r")"
_MONTH = r"(?:" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")"
_DAYNAME = r"(?:" + "|".join(sorted(WEEKDAYS, key=len, reverse=True)) + r")"

_CLOCK = re.compile(
    r"\b(?:(?P<h>[01]?\d|2[0-4])[:.h](?P<m>[0-5]\d)(?!\d|[.:]\d)\s*(?P<ap>am|pm|a\.m\.|p\.m\.)?"
    r"|(?P<h2>1[0-2]|0?[1-9])\s*(?P<ap2>am|pm|a\.m\.|p\.m\.)(?!\w)"
    r"|(?P<half>half past|quarter past|quarter to)\s+(?P<hw>\w+)"
    r"|(?P<noon>noon|midday|midnight))",
    re.I,
)
_OCLOCK = re.compile(r"\b(\w+)\s+o['’]clock\b", re.I)
_DATE = re.compile(
    rf"\b(?:(?P<iso>(?P<y>(?:19|20)\d\d)[-/_.](?P<mo>0[1-9]|1[0-2])(?:[-/_.](?P<d>0[1-9]|[12]\d|3[01]))?)(?![\d])"
    rf"|(?:(?:{_DAYNAME})[,.]?\s+)?(?:the\s+)?(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?\s+(?P<m1>{_MONTH})\b\.?(?:,?\s+(?P<y1>(?:19|20)\d\d))?"
    rf"|(?P<m2>{_MONTH})\.?\s+(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:\d)(?:,?\s+(?P<y2>(?:19|20)\d\d))?"
    rf"|(?P<m3>{_MONTH})\.?,?\s+(?P<y3>(?:19|20)\d\d)"
    rf"|(?P<dotd>\d{{1,2}})\.(?P<dotm>0?[1-9]|1[0-2])\.(?P<doty>(?:19|20)\d\d))",
    re.I,
)
_DAYOFMONTH = re.compile(r"\b(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)\b(?:\s+(?:day\s+)?of\s+(?:the|each|every)\s+month)?", re.I)
_WEEKDAY = re.compile(rf"\b({_DAYNAME})\b(?:\s*(?:to|through|till|until|-|–|—)\s*({_DAYNAME})\b)?", re.I)
_EVERY = re.compile(
    rf"\b(?:(?:every|each)\s+(?P<other>other|second)?\s*(?P<n>{_NUM}|{_WORDNUM})?\s*(?P<unit>\w+)"
    rf"|(?P<times>once|twice|thrice|(?:{_NUM}|{_WORDNUM})\s*(?:times|x|×))\s+(?:a|an|per|each|every)\s+(?P<unit2>\w+)"
    r"|(?P<adv>hourly|daily|nightly|weekly|biweekly|fortnightly|monthly|quarterly|yearly|annually))\b",
    re.I,
)
_MEASURE = re.compile(
    rf"(?P<cur>[€$£¥₹])?\s?(?<![\w.,:/#-])(?P<n>{_NUM})(?P<k>[kKM])?(?!\d)"
    rf"(?:\s?(?:-|–|—|to|or)\s?(?P<n2>{_NUM})(?P<k2>[kKM])?(?!\d))?(?P<frac>[½¼¾])?"
    r"(?:(?P<space>\s?)(?P<unit>%|°\s?[CF]\b|[€£]|[a-zA-Zµ²]+(?:/[a-zA-Z]+)?))?"
)  # fmt: skip
_WORDMEASURE = re.compile(rf"\b(?P<n>{_WORDNUM})(?:[- ](?P<n2>{_WORDNUM}))?\b(?:\s+(?P<unit>[a-zA-Z]+))?", re.I)
_TAIL = re.compile(r"\s*(?:[a-zA-Z-]+\s+)?(?:/\s*|(?:per|a|an|each|every)\s+)([a-zA-Z]+)", re.I)
# Telephone numbers, door codes with a leading zero, lap times, part numbers: names made of digits.
_NOT_A_MEASURE = re.compile(r"(?<![\d,.])0\d[\d /-]*\d\b|\b\d{2,}(?:[-/]\d{2,})+\b|\+\d[\d ()-]{6,}\d|\b\d+:\d\d(?::\d\d)?\b|\b\d+(?:\.\d+){2,}\b")
_MAXWORD = re.compile(r"\b(?:max(?:imum)?|up to|at most|no more than|not more than|less than|under|below|within|limit(?:ed)? (?:to|is)|cap(?:ped)?(?: at)?)\W*$", re.I)
_MINWORD = re.compile(r"\b(?:min(?:imum)?|at least|no less than|not less than|more than|over|above)\W*$", re.I)
_ROUGH = re.compile(r"(?:\b(?:about|around|roughly|approx(?:imately)?\.?|ca\.?|circa|some|nearly|almost|close to|-ish)|~|≈)\s*$", re.I)
_PERIOD = {"hourly": 3600.0, "daily": 86400.0, "nightly": 86400.0, "weekly": 604800.0, "biweekly": 1209600.0,
           "fortnightly": 1209600.0, "monthly": 2629800.0, "quarterly": 7889400.0, "yearly": 31557600.0,
           "annually": 31557600.0}  # fmt: skip
_DAYISH = {"morning": 86400.0, "evening": 86400.0, "night": 86400.0, "afternoon": 86400.0, "fortnight": 1209600.0}
_COUNTS = {"once": 1.0, "twice": 2.0, "thrice": 3.0}
_NAMED_BEFORE = re.compile(r"(?:^|[\s(\"'“])([A-ZÀ-Þ][\w'’+#-]*|[a-z]{2,}(?<=room)|[a-z]*(?:floor|room|version|ver|step|chapter|phase|level|rev|lab|gate|platform|track|lane|bay|unit|section|page|line|part|paper|grade|year|class|group|zone|house|flat|apartment|building|tier))\s$")  # fmt: skip


def number(text: str) -> float | None:
    """The number a word or numeral stands for."""
    low = text.lower()
    if low in NUMBER_WORDS:
        return float(NUMBER_WORDS[low])
    try:
        return float(re.sub(r"[,\u00a0\u202f']", "", text))
    except ValueError:
        return None


def _step(numeral: str) -> float:
    return 0.5 * 10 ** -len(numeral.split(".")[1]) if "." in numeral else 0.0


def _clock(m: re.Match[str]) -> Quantity | None:
    if m["half"]:
        hour = number(m["hw"])
        if hour is None or not 1 <= hour <= 24:
            return None
        minutes = hour * 60 + {"half past": 30, "quarter past": 15, "quarter to": -15}[m["half"].lower()]
        return Quantity(m.start(), m.end(), "clock12", minutes % 720, minutes % 720)
    if m["noon"]:
        minutes = 0.0 if m["noon"].lower() == "midnight" else 720.0
        return Quantity(m.start(), m.end(), "clock", minutes, minutes)
    hour, minute = float(m["h"] or m["h2"]), float(m["m"] or 0)
    if m["h"] and m.group()[len(m["h"])] == "." and not m["ap"]:
        return None  # 2.30 is a number unless something says otherwise
    half = (m["ap"] or m["ap2"] or "").lower()
    if half.startswith("p") and hour < 12:
        hour += 12
    if half.startswith("a") and hour == 12:
        hour = 0
    return Quantity(m.start(), m.end(), "clock", hour * 60 + minute, hour * 60 + minute)


def _date(m: re.Match[str]) -> Quantity:
    if m["iso"]:
        year, month, day = int(m["y"]), int(m["mo"]), int(m["d"] or 0)
    elif m["d1"]:
        year, month, day = int(m["y1"] or 0), MONTHS[m["m1"].lower()], int(m["d1"])
    elif m["d2"]:
        year, month, day = int(m["y2"] or 0), MONTHS[m["m2"].lower()], int(m["d2"])
    elif m["m3"]:
        year, month, day = int(m["y3"]), MONTHS[m["m3"].lower()], 0
    else:
        year, month, day = int(m["doty"]), int(m["dotm"]), int(m["dotd"])
    return Quantity(m.start(), m.end(), "date", month * 100 + day, month * 100 + day, year=year or None)


def _rhythm(m: re.Match[str]) -> Quantity | None:
    if m["adv"]:
        period = _PERIOD[m["adv"].lower()]
    elif m["unit2"]:
        unit = UNITS.get(m["unit2"].lower()) or (("time", _DAYISH[m["unit2"].lower()]) if m["unit2"].lower() in _DAYISH else None)
        times = _COUNTS.get(m["times"].lower()) or number(re.split(r"\s*(?:times|x|×)", m["times"], flags=re.I)[0].strip())
        if unit is None or unit[0] != "time" or not times:
            return None
        period = unit[1] / times
    else:
        name = m["unit"].lower()
        seconds = UNITS[name][1] if name in UNITS and UNITS[name][0] == "time" else _DAYISH.get(name)
        if seconds is None:
            return None
        period = seconds * (number(m["n"]) or 1 if m["n"] else 1) * (2 if m["other"] else 1)
    return Quantity(m.start(), m.end(), "period", period, period, rough=True)


def _measure(text: str, m: re.Match[str]) -> Quantity | None:
    low = number(m["n"])
    if low is None:
        return None
    start, end = m.start("cur") if m["cur"] else m.start("n"), m.end("unit") if m["unit"] else m.end()
    scale = {"k": 1e3, "K": 1e3, "M": 1e6}
    factor = scale.get(m["k"] or "", 1.0)
    low += {"½": 0.5, "¼": 0.25, "¾": 0.75}.get(m["frac"] or "", 0.0)
    high = (number(m["n2"]) or 0.0) if m["n2"] else low
    if m["n2"] and high < low:
        return None
    dimension, unit = "count", (m["unit"] or "").lower().replace(" ", "")
    if m["cur"]:
        dimension = "money:" + MONEY[m["cur"]]
        end = end if unit in ("k", "m") else (m.end("n2") if m["n2"] else m.end("k") if m["k"] else m.end("n"))
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
    label = dimension == "count" and bool(_NAMED_BEFORE.search(text[max(0, start - 24) : start]))
    step = max(_step(m["n"]), _step(m["n2"] or "0")) * factor
    return Quantity(start, end, dimension, low * factor, high * factor, step=step, label=label)


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
    bound: Literal["", "max", "min"] = "max" if _MAXWORD.search(before) else "min" if _MINWORD.search(before) else ""
    rough = q.rough or bool(_ROUGH.search(before))
    low, high, dimension, end, step = q.low, q.high, q.dimension, q.end, q.step
    if dimension == "count" or dimension.startswith("money"):
        tail = _TAIL.match(text, end)
        unit = UNITS.get(tail.group(1).lower()) if tail else None
        if tail and unit and unit[0] == "time":
            if dimension == "count":
                dimension, low, high, step = "rate", low / unit[1], high / unit[1], step / unit[1]
            else:
                dimension += "/" + tail.group(1).lower().rstrip("s")
    return Quantity(q.start, end, dimension, low, high, bound, rough, step, q.label, q.year)


@lru_cache(maxsize=8192)
def quantities(text: str) -> tuple[Quantity, ...]:
    """Everything measurable in a text, left to right, without overlaps."""
    if not _WORTH_A_LOOK.search(text):
        return ()
    found: list[Quantity] = []
    taken: list[tuple[int, int]] = []

    def add(q: Quantity | None) -> None:
        if q is not None and all(q.end <= s or q.start >= e for s, e in taken):
            found.append(q)
            taken.append((q.start, q.end))

    for m in _DATE.finditer(text):
        add(_date(m))
    for m in _CLOCK.finditer(text):
        add(_clock(m))
    for m in _OCLOCK.finditer(text):
        hour = number(m.group(1))
        if hour is not None:
            add(Quantity(m.start(), m.end(), "clock12", hour * 60 % 720, hour * 60 % 720))
    for m in _EVERY.finditer(text):
        add(_rhythm(m))
    for m in _WEEKDAY.finditer(text):
        if m.group(1).lower() not in ("sun", "sat", "mon", "wed", "fri") or m.group(1)[0].isupper():
            first = WEEKDAYS[m.group(1).lower()]
            last = WEEKDAYS[m.group(2).lower()] if m.group(2) else first
            add(Quantity(m.start(), m.end(), "weekday", first, last))
    for m in _DAYOFMONTH.finditer(text):
        if "month" in m.group().lower() or m.group().lower().startswith("the "):
            add(Quantity(m.start(), m.end(), "monthday", float(m.group(1)), float(m.group(1))))
    taken.extend(m.span() for m in _NOT_A_MEASURE.finditer(text))
    for m in _MEASURE.finditer(text):
        q = _measure(text, m)
        add(_qualified(text, q) if q else None)
    for m in _WORDMEASURE.finditer(text):
        q = _word_measure(m)
        add(_qualified(text, q) if q else None)
    return tuple(sorted(found, key=lambda q: q.start))


_WORTH_A_LOOK = re.compile(
    rf"\d|\b(?:{_WORDNUM}|{_DAYNAME}|every|each|once|twice|hourly|daily|nightly|weekly|biweekly|fortnightly|monthly|quarterly|yearly|annually|noon|midday|midnight)\b",
    re.I,
)


def relate(a: Quantity, b: Quantity) -> Relation:
    """Do two quantities say the same, something else, or nothing about each other?"""
    kinds = {a.dimension, b.dimension}
    if kinds == {"clock", "clock12"}:  # half past seven may be either half of the day
        return "equal" if abs(a.low - b.low) % 720 == 0 else "differ"
    if kinds == {"time", "period"} or len(kinds) > 1:
        return "incomparable"
    if a.dimension == "date":
        if a.year and b.year and a.year != b.year:
            return "differ"
        if not (a.low % 100 and b.low % 100):  # a month alone contains its days
            return "equal" if a.low // 100 == b.low // 100 else "differ"
        return "equal" if a.low == b.low else "differ"
    if a.dimension == "weekday":
        return "equal" if (a.low, a.high) == (b.low, b.high) else "differ"
    slack = max(a.step, b.step) * 1.0001 + 1e-9 * max(abs(a.high), abs(b.high))
    if a.rough or b.rough:
        slack = max(slack, 0.15 * max(abs(a.high), abs(b.high))) if a.dimension != "period" else 0.05 * max(a.high, b.high)
    if a.low - slack <= b.high and b.low - slack <= a.high:
        return "equal"
    if a.bound != b.bound:  # "at most 10" and "7" agree; "at most 10" and "12" do not
        if "max" in (a.bound, b.bound) and "min" not in (a.bound, b.bound):
            top, other = (a, b) if a.bound == "max" else (b, a)
            return "differ" if other.low > top.high + slack else "incomparable"
        if "min" in (a.bound, b.bound) and "max" not in (a.bound, b.bound):
            floor, other = (a, b) if a.bound == "min" else (b, a)
            return "differ" if other.high < floor.low - slack else "incomparable"
        return "incomparable"
    return "differ"
