"""Clock times, dates, weekdays and rhythms found in text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from app.calendar_names import ANY_MONTH, ANY_WEEKDAY, MONTHS, WEEKDAYS
from app.reading.quantity import NUM, WORDNUM, Quantity, number
from app.reading.tokens import STOP
from app.reading.units import UNITS

_MONTH = ANY_MONTH
_DAYNAME = ANY_WEEKDAY

_CLOCK = re.compile(
    r"\b(?:(?P<h>[01]?\d|2[0-4])[:.h](?P<m>[0-5]\d)(?!\d|[.:]\d)\s*(?P<ap>am|pm|a\.m\.|p\.m\.)?"
    r"|(?P<h2>1[0-2]|0?[1-9])\s*(?P<ap2>am|pm|a\.m\.|p\.m\.)(?!\w)"
    r"|(?P<half>half past|quarter past|quarter to)\s+(?P<hw>\w+)"
    r"|(?P<noon>noon|midday|midnight)\b)",
    re.I,
)
_CLOCK_WORDS = frozenset("am pm m half quarter noon midday midnight".split())
_CLOCK_DIGITS = re.compile(r"\d[:.hH]\d")
_OCLOCK = re.compile(r"\b(\w+)\s+o['’]clock\b", re.I)
_HOURS = "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
# "Open till six, so …", "at seven in the gym", "before half five"; but "at six sites", "from two to three".
_BY_WORD = re.compile(
    rf"\b(?:at|by|till|until|before|after)\s+(?:about\s+|around\s+)?"
    rf"(?P<at>(?P<half>half\s+)?(?P<hour>{_HOURS}))\b"
    r"(?=\W*$|[,.;:)]|\s+(?:in the|on|sharp|tonight|today|every|each|but|so|then|when|because|with|at)\b)",
    re.I,
)
_COUNTED = re.compile(
    r"\b(?:(?:divid|multipl|reduc|increas|rais|lower|scal)\w*|cut|up|down)(?: it)? by\s"
    r"|\b(?:capped|limited|fixed|stuck) at\s",
    re.I,
)
"""What precedes a number that is not an hour."""
_HOUR_WORDS = frozenset(_HOURS.split("|"))
_DATE = re.compile(
    rf"\b(?:(?P<iso>(?P<y>(?:19|20)\d\d)[-/_.](?P<mo>0[1-9]|1[0-2])(?:[-/_.](?P<d>0[1-9]|[12]\d|3[01]))?)(?![\d])"
    rf"|(?:(?:{_DAYNAME})[,.]?\s+)?(?:the\s+)?(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?\s+(?P<m1>{_MONTH})\b\.?"
    rf"(?:,?\s+(?P<y1>(?:19|20)\d\d))?"
    rf"|(?P<m2>{_MONTH})\.?\s+(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\b(?!:\d)(?:,?\s+(?P<y2>(?:19|20)\d\d))?"
    rf"|(?P<m3>{_MONTH})\.?,?\s+(?P<y3>(?:19|20)\d\d)"
    rf"|(?P<dotd>\d{{1,2}})\.(?P<dotm>0?[1-9]|1[0-2])\.(?P<doty>(?:19|20)\d\d))",
    re.I,
)
_DATE_DIGITS = re.compile(r"\d\d[-/_.]\d\d|\d\.\d\d?\.")
_DAYOFMONTH = re.compile(
    r"\b(?:the\s+)?(\d{1,2})(?:st|nd|rd|th)\b"
    r"(?:\s+(?:day\s+)?(?:of\s+the|(?:of\s+)?(?:each|every))\s+month)?",
    re.I,
)
_FOLLOWS = re.compile(r"[ -]([^\W\d_]+)")
_AFTER_A_DAY = frozenset("instead latest earliest onwards onward since unless until till through".split())
_ORDINAL_TAILS = frozenset("st nd rd th".split())
_WEEKDAY = re.compile(rf"\b({_DAYNAME})\b(?:\s*(?:to|through|till|until|-|–|—)\s*({_DAYNAME})\b)?", re.I)
_EVERY = re.compile(
    rf"\b(?:(?:every|each)\s++(?:(?P<other>other|second)\s*+)?(?:(?P<n>{NUM}|{WORDNUM})\s*+)?(?P<unit>\w+)"
    rf"|(?P<times>once|twice|thrice|(?:{NUM}|{WORDNUM})\s*(?:times|x|×))\s+(?:a|an|per|each|every)\s+(?P<unit2>\w+)"
    r"|(?P<adv>hourly|daily|nightly|weekly|biweekly|fortnightly|monthly|quarterly|yearly|annually))\b",
    re.I,
)
_TIMES = re.compile(r"\s*(?:times|x|×)", re.I)
_PERIOD = {
    "hourly": 3600.0, "daily": 86400.0, "nightly": 86400.0, "weekly": 604800.0, "biweekly": 1209600.0,
    "fortnightly": 1209600.0, "monthly": 2629800.0, "quarterly": 7889400.0, "yearly": 31557600.0,
    "annually": 31557600.0,
}  # fmt: skip
_DAYISH = {
    "morning": 86400.0, "evening": 86400.0, "night": 86400.0, "afternoon": 86400.0, "fortnight": 1209600.0,
}  # fmt: skip
_COUNTS = {"once": 1.0, "twice": 2.0, "thrice": 3.0}
_RHYTHM_WORDS = frozenset({"every", "each", "times", "x", *_COUNTS, *_PERIOD})
# "sun", "sat", "mon": surely a day only with a capital.
_SHY_DAYS = frozenset("sun sat mon wed fri".split())
_MONTH_WORDS = frozenset(MONTHS)
_DAY_WORDS = frozenset(WEEKDAYS)

TIME_WORDS = _CLOCK_WORDS | _DAY_WORDS | _RHYTHM_WORDS | {"clock"}
"""A text with neither a digit nor one of these names no time."""


def times(text: str, said: frozenset[str], digits: bool) -> Iterator[Quantity]:
    """Candidates, the surest kind first. `said` are the text's words in lower case: a pattern is tried only
    if one of its words, or its digits, occurs."""
    if digits and (not said.isdisjoint(_MONTH_WORDS) or _DATE_DIGITS.search(text)):
        for m in _DATE.finditer(text):
            # "only 3 may enter", "they march 12 km": in small letters these two are verbs.
            if (m["m1"] or m["m2"]) not in ("may", "march"):
                yield _date(m)
    if not said.isdisjoint(_CLOCK_WORDS) or (digits and _CLOCK_DIGITS.search(text)):
        for m in _CLOCK.finditer(text):
            if (q := _clock(m)) is not None:
                yield q
    if "clock" in said:
        for m in _OCLOCK.finditer(text):
            hour = number(m.group(1))
            if hour is not None:
                yield Quantity(m.start(), m.end(), "clock12", hour * 60 % 720, hour * 60 % 720)
    if not said.isdisjoint(_HOUR_WORDS):
        for m in _BY_WORD.finditer(text):
            counted = _COUNTED.search(text, 0, m.start("at"))
            if counted and counted.end() == m.start("at"):
                continue
            minutes = ((number(m["hour"]) or 0.0) * 60 + (30 if m["half"] else 0)) % 720
            yield Quantity(m.start("at"), m.end("at"), "clock12", minutes, minutes)
    if digits and not said.isdisjoint(_ORDINAL_TAILS):
        for m in _DAYOFMONTH.finditer(text):
            low = m.group().lower()
            if "month" in low or (low.startswith("the ") and not _counts_a_thing(text, m.end())):
                yield Quantity(m.start(), m.end(), "monthday", float(m.group(1)), float(m.group(1)))
    if not said.isdisjoint(_RHYTHM_WORDS) or "×" in text:
        for m in _EVERY.finditer(text):
            if (q := _rhythm(m)) is not None:
                yield q
    if not said.isdisjoint(_DAY_WORDS):
        for m in _WEEKDAY.finditer(text):
            if m.group(1).lower() not in _SHY_DAYS or m.group(1)[0].isupper():
                first = WEEKDAYS[m.group(1).lower()]
                last = WEEKDAYS[m.group(2).lower()] if m.group(2) else first
                yield Quantity(m.start(), m.end(), "weekday", first, last)


def _counts_a_thing(text: str, end: int) -> bool:
    """Is the ordinal that ends here one of several things ("the 4th shelf") rather than a day?"""
    follows = _FOLLOWS.match(text, end)
    return bool(follows and follows[1].lower() not in STOP | _AFTER_A_DAY)


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
    minutes = (hour * 60 + minute) % 1440
    return Quantity(m.start(), m.end(), "clock", minutes, minutes)


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
        period = seconds = _PERIOD[m["adv"].lower()]
    elif m["unit2"]:
        seconds = _seconds(m["unit2"]) or 0.0
        times = _COUNTS.get(m["times"].lower()) or number(_TIMES.split(m["times"])[0].strip())
        if not seconds or not times:
            return None
        period = seconds / times
    else:
        seconds = _seconds(m["unit"]) or 0.0
        if not seconds:
            return None
        period = seconds * (number(m["n"]) or 1 if m["n"] else 1) * (2 if m["other"] else 1)
    # "Twice a week" and "every three days" count differently: the sign of the unit keeps them apart.
    return Quantity(m.start(), m.end(), "period", period, period, unit=-seconds if m["unit2"] else seconds)


def _seconds(name: str) -> float | None:
    dimension, worth = UNITS.get(name.lower(), ("", 0.0))
    return worth if dimension == "time" else _DAYISH.get(name.lower())
