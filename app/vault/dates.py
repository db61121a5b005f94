"""Dates and clock times as people write them: ISO out, None where the day is not certain."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache

from app.calendar_names import ANY_MONTH, ANY_WEEKDAY, MONTHS

_MONTH = rf"{ANY_MONTH}\.?"
_WEEKDAY = rf"{ANY_WEEKDAY}\.?"
_YEAR = r"(?:19|20|21)\d\d"
_TIME_TAIL = r"(?:[T ]\d{1,2}:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:\s?(?:Z|[+-]\d\d:?\d\d))?)?"

_DATE = re.compile(
    rf"""(?:{_WEEKDAY},?\s+)?(?:the\s+)?(?:
      (?P<y1>{_YEAR})(?P<sep>[-/._])(?P<m1>\d{{1,2}})(?P=sep)(?P<d1>\d{{1,2}})(?!\d){_TIME_TAIL}
    | (?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\.?\s+(?:of\s+)?(?P<m2>{_MONTH}),?\s+(?P<y2>{_YEAR})(?!\d)
    | (?P<m3>{_MONTH})\s+(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y3>{_YEAR})(?!\d)
    | (?P<d4>\d{{1,2}})\.\s?(?P<m4>\d{{1,2}})\.\s?(?P<y4>{_YEAR})(?!\d)
    | (?P<a5>\d{{1,2}})(?P<sep5>[-/])(?P<b5>\d{{1,2}})(?P=sep5)(?P<y5>{_YEAR})(?!\d)
    )(?:,?\s+\(?{_WEEKDAY}(?!\w)\)?)?""",
    re.IGNORECASE | re.VERBOSE,
)


def _iso(year: int, month: int, day: int) -> str | None:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return None


def _month_number(name: str) -> int:
    return MONTHS[name.rstrip(".").lower()]


def _found(match: re.Match[str]) -> str | None:
    group = match.group
    if group("y1"):
        return _iso(int(group("y1")), int(group("m1")), int(group("d1")))
    if group("y2"):
        return _iso(int(group("y2")), _month_number(group("m2")), int(group("d2")))
    if group("y3"):
        return _iso(int(group("y3")), _month_number(group("m3")), int(group("d3")))
    if group("y4"):
        return _iso(int(group("y4")), int(group("m4")), int(group("d4")))
    first, second, year = int(group("a5")), int(group("b5")), int(group("y5"))
    # 3/8/2026 is March to some and August to others: only an impossible month decides.
    if first == second or second > 12 >= first:
        return _iso(year, first, second)
    if first > 12 >= second:
        return _iso(year, second, first)
    return None


def parse_date(text: str) -> str | None:
    """The ISO date that `text` is, if it is a date (a clock time may follow) and nothing else."""
    text = text.strip().strip("[]()\"'").strip()
    if len(text) > 60:
        return None
    match = _DATE.fullmatch(text)
    return _found(match) if match else None


# A date that opens a statement is its date unless the sentence is about the day itself
# ("9 March 2026 is the deadline") or the date opens a range.
_OPENING = re.compile(
    r"(?:(?:updated?|edit(?:ed)?|checked|status|log|entry|note|added)\b:?\s+)?[\[(*\s]{0,6}(?=[\w])",
    re.IGNORECASE,
)
_SUBJECT_OR_RANGE = re.compile(
    r"[\])*\s]*(?:(?:is|was|are|were|will|would|has|had|remains?|stays?|works|suits|could|might|may|must|should|can"
    r"|to|until|till|through|and|or)\b"
    rf"|(?:[-–—]|->|→)\s*(?:\d{{1,2}}\.?\s+{_MONTH}|\d{{4}}[-/.]|{_MONTH}\s))",
    re.IGNORECASE,
)


def leading_date(text: str) -> tuple[str, int] | None:
    """The date a statement or heading opens with, and the offset at which it ends."""
    opening = _OPENING.match(text)
    if opening is None:
        return None
    match = _DATE.match(text, opening.end())
    if match is None:
        return None
    end = match.end()
    if end < len(text) and (text[end].isalnum() or text[end] in "%€$£"):
        return None
    if _SUBJECT_OR_RANGE.match(text, end):
        return None
    found = _found(match)
    return (found, end) if found else None


_HEADING_END = re.compile(r"(?:[(\[,–—:|·]\s*|\s-\s+)([^()\[\],–—|·]{6,40}(?:,\s*\d{4})?)[)\]]*\s*$")


def heading_date(heading: str) -> str | None:
    """The day a heading stands for: it opens with the date, or ends with it set apart."""
    leading = leading_date(heading)
    if leading:
        return leading[0]
    if not heading or not any(c.isdigit() for c in heading[-12:]):
        return None
    match = _HEADING_END.search(heading[-60:])
    return parse_date(match.group(1)) if match else None


_AS_OF = re.compile(r"(?:as of|as at|valid from|status as of)\s+(?:today,?\s+)?", re.IGNORECASE)


def as_of_date(text: str) -> str | None:
    """The day of "As of 30 October 2025 …": good enough where nothing else dates the statement."""
    opening = _AS_OF.match(text)
    match = _DATE.match(text, opening.end()) if opening else None
    return _found(match) if match else None


_CLOCK = re.compile(
    r"[\[(*\s~]{0,4}(?:at\s+)?(?:(?P<h>[01]?\d|2[0-3])[:.](?P<m>[0-5]\d)(?:[:.][0-5]\d)?\s?(?P<ap>[ap]\.?m\b\.?)?"
    r"|(?P<h2>1[0-2]|0?[1-9])\s?(?P<ap2>[ap]\.?m\b\.?)|(?P<h3>[01]\d|2[0-3])h(?P<m3>[0-5]\d))"
    r"(?![\d%€$£])(?P<tail>[\])*]*(?:\s*[-–—:,|]|\s|$))",
    re.IGNORECASE,
)
_NOT_A_LOG = re.compile(
    r"[\s\])*]*(?:(?:is|was|to|until|till|and|or|every|on|sharp|works|km|kg|g|l|ml|m|cm|mm|miles?|euros?|eur|usd|gbp|bar|percent"
    r"|hours?|hrs?|h|min(?:utes?)?|[-–—]\s*\d)\b|[-–—]\s*\d)",
    re.IGNORECASE,
)


def leading_time(text: str, start: int = 0) -> str | None:
    """The clock time a log line opens with, as HH:MM; `start` skips a leading date."""
    match = _CLOCK.match(text, start)
    if match is None:
        return None
    group = match.group
    hour = int(group("h") or group("h2") or group("h3"))
    minute = int(group("m") or group("m3") or 0)
    half = (group("ap") or group("ap2") or "").lower()
    if group("h") and not half and ":" not in match.group(0)[: match.start("tail") - match.start()]:
        return None  # "9.30" alone may be a price or a version
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    if _NOT_A_LOG.match(text, match.start("tail")):
        return None
    return f"{hour:02d}:{minute:02d}"


_MOMENT = re.compile(
    r"\[([^\]]*)\]|YYYY|YY|MMMM|MMM|MM|M|DDDD|DDD|Do|DD|D|dddd|ddd|dd|d|E|WW|W|ww|w|gggg|GGGG|Q|HH|mm|ss"
)
_MOMENT_PARTS = {
    "YYYY": rf"(?P<y>{_YEAR})",
    "YY": r"(?P<yy>\d\d)",
    "MMMM": rf"(?P<name>{_MONTH})",
    "MMM": rf"(?P<name>{_MONTH})",
    "MM": r"(?P<m>\d\d)",
    "M": r"(?P<m>\d\d?)",
    "Do": r"(?P<d>\d\d?)(?:st|nd|rd|th)",
    "DD": r"(?P<d>\d\d)",
    "D": r"(?P<d>\d\d?)",
    "dddd": r"[^\W\d]+\.?",
    "ddd": r"[^\W\d]+\.?",
    "dd": r"[^\W\d]+\.?",
}


@lru_cache(maxsize=64)
def _moment_regex(format_: str) -> re.Pattern[str] | None:
    """A moment.js format as a regular expression over the end of a path; None without a full date in it."""
    parts: list[str] = []
    named: set[str] = set()
    position = 0
    for token in _MOMENT.finditer(format_):
        parts.append(re.escape(format_[position : token.start()]))
        position = token.end()
        if token.group(1) is not None:
            parts.append(re.escape(token.group(1)))
            continue
        part = _MOMENT_PARTS.get(token.group(0), r"\w+")
        for name in re.findall(r"\?P<(\w+)>", part):
            if name in named:  # a format may repeat the year for its folder: it has to be the same one
                part = f"(?P={name})"
            named.add(name)
        parts.append(part)
    parts.append(re.escape(format_[position:]))
    if "d" not in named or not ({"y", "yy"} & named) or not ({"m", "name"} & named):
        return None
    return re.compile(r"(?:^|/)" + "".join(parts) + "$", re.IGNORECASE)


_NAME_END = re.compile(rf"(?:^|[\s(_-])({_YEAR}-\d\d-\d\d)\)?$")


def daily_date(path_without_suffix: str, formats: tuple[str, ...]) -> str | None:
    """The day a note's name stands for: a daily-note format, or a name that opens or ends with a date."""
    for format_ in formats:
        regex = _moment_regex(format_)
        match = regex.search(path_without_suffix) if regex else None
        if match is None:
            continue
        found = match.groupdict()
        year = int(found["y"]) if found.get("y") else 2000 + int(found["yy"])
        month = int(found["m"]) if found.get("m") else _month_number(found["name"])
        iso = _iso(year, month, int(found["d"]))
        if iso:
            return iso
    name = path_without_suffix.rsplit("/", 1)[-1]
    leading = leading_date(name.replace("_", "-", 2) if name[:4].isdigit() else name)
    if leading:
        return leading[0]
    match = _NAME_END.search(name)
    return parse_date(match.group(1)) if match else None
