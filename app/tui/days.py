"""A day as a person types it: a date, part of one, or words like "last week"."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Sequence
from datetime import date, timedelta

from app.calendar_names import MONTH_NAMES, WEEKDAY_NAMES
from app.vault.dates import parse_date

_NAMED = {"today": 0, "now": 0, "yesterday": -1, "tomorrow": 1}
_UNIT = "d|days?|w|weeks?|m|months?|y|years?"
_AWAY = re.compile(
    rf"(?:(?P<ago>\d{{1,4}})\s*(?P<a>{_UNIT})\s+ago|(?:in\s+)?(?P<sign>[+-]?)(?P<on>\d{{1,4}})\s*(?P<o>{_UNIT})"
    r"|(?P<which>last|next)\s+(?P<unit>week|month|year))"
)
_MONTH = re.compile(r"(?P<month>[a-z]{3,9})\.?(?:\s+(?P<year>\d{4}))?")
_OF_MONTH = re.compile(
    r"(?P<day>\d{1,2})(?:st|nd|rd|th)?\.?\s+(?P<month>[a-z]{3,9})|(?P<m2>[a-z]{3,9})\s+(?P<d2>\d{1,2})"
)


def day_from(typed: str, today: date, *, ahead: bool = False) -> str | None:
    """The ISO date meant, or None. A month or a year is its first day; a day without a year is the one
    just past, or with `ahead` the next one."""
    text = " ".join(typed.casefold().split())
    if not text:
        return None
    if whole := parse_date(typed):
        return whole
    try:
        found = _part(text) or _relative(text, today) or _yearless(text, today, ahead)
    except (ValueError, OverflowError):
        return None
    return found.isoformat() if found else None


def _part(text: str) -> date | None:
    """A year, or a month of a year."""
    if match := re.fullmatch(r"(\d{4})(?:[-/.](\d{1,2}))?", text):
        return date(int(match[1]), int(match[2] or 1), 1)
    if (match := _MONTH.fullmatch(text)) and match["year"]:
        month = _index(match["month"], MONTH_NAMES)
        return date(int(match["year"]), month + 1, 1) if month is not None else None
    return None


def _relative(text: str, today: date) -> date | None:
    if text in _NAMED:
        return today + timedelta(days=_NAMED[text])
    match = _AWAY.fullmatch(text)
    if match is None:
        return None
    if match["which"]:
        return _away(today, -1 if match["which"] == "last" else 1, match["unit"][0])
    if match["ago"]:
        return _away(today, -int(match["ago"]), match["a"][0])
    return _away(today, -int(match["on"]) if match["sign"] == "-" else int(match["on"]), match["o"][0])


def _away(today: date, count: int, unit: str) -> date:
    if unit in "dw":
        return today + timedelta(days=count * (7 if unit == "w" else 1))
    months = today.year * 12 + today.month - 1 + count * (12 if unit == "y" else 1)
    year, month = divmod(months, 12)
    return date(year, month + 1, min(today.day, monthrange(year, month + 1)[1]))


def _yearless(text: str, today: date, ahead: bool) -> date | None:
    """A weekday, a month, or a day of a month, of the time nearest to today on the side wanted."""
    weekday = _index(text, WEEKDAY_NAMES)
    if weekday is not None:
        away = (weekday - today.weekday()) % 7 or 7 if ahead else -((today.weekday() - weekday) % 7)
        return today + timedelta(days=away)
    match = _OF_MONTH.fullmatch(text)
    month = _index((match["month"] or match["m2"]) if match else text, MONTH_NAMES)
    if month is None:
        return None
    day = int(match["day"] or match["d2"]) if match else 1
    this = date(today.year, month + 1, day)
    if ahead:
        return this if this > today else date(today.year + 1, month + 1, day)
    return this if this <= today else date(today.year - 1, month + 1, day)


def _index(name: str, names: Sequence[str]) -> int | None:
    """Which of the names it is, written out or cut to three letters or more."""
    return next((place for place, full in enumerate(names) if len(name) > 2 and full.startswith(name)), None)
