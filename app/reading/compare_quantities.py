"""Whether two quantities are equal, differ or cannot be compared."""

from __future__ import annotations

from math import isinf

from app.reading.quantity import Quantity, Relation
from app.reading.units import CALENDAR

_ABOUT = 0.15
_ABOUT_MINUTES = 30.0
_CALENDAR = 0.081
"""Nobody distinguishes four weeks, 30 days and a month."""
_COUNTED = 0.15
"""Nor are twice a week and every third day."""
_RATE = 0.005
_WHOLE = 0.05
"""12 kg is 12.3 kg to someone who rounds to whole numbers; 2 bar is not 2.3 bar."""
_CONVERTED = 0.02
"""6,909 ft is 2,106 m, and 5 miles are 8 km: people who convert also round to whole numbers."""
_HALF = 0.5
_MEASURED = frozenset({"time", "length", "mass", "volume", "temperature", "speed", "area", "energy"})


def relate(a: Quantity, b: Quantity) -> Relation:
    """Are two quantities equal, different or incomparable?"""
    kinds = {a.dimension, b.dimension}
    if kinds == {"clock", "clock12"}:  # half past seven may be either half of the day
        apart = abs(a.low - b.low) % 720
        return "equal" if min(apart, 720 - apart) <= _slack(a, b) else "differ"
    if len(kinds) > 1:
        return "incomparable"
    if a.dimension == "date":
        return _dates(a, b)
    if a.dimension == "weekday":
        return _weekdays(a, b)
    slack = _slack(a, b)
    if a.bound or b.bound:
        return _bounded(a, b, slack)
    if a.low - slack > b.high or b.low - slack > a.high:
        return "differ"
    if a.low == a.high or b.low == b.high or max(abs(a.low - b.low), abs(a.high - b.high)) <= slack:
        return "equal"
    return "incomparable"  # two ranges that overlap


def _dates(a: Quantity, b: Quantity) -> Relation:
    if a.year and b.year and a.year != b.year:
        return "differ"
    if not (a.low % 100 and b.low % 100):  # a month alone contains its days
        return "equal" if a.low // 100 == b.low // 100 else "differ"
    return "equal" if a.low == b.low else "differ"


def _weekdays(a: Quantity, b: Quantity) -> Relation:
    days_a, days_b = (_days(q) for q in (a, b))
    if days_a == days_b:
        return "equal"
    return "incomparable" if days_a <= days_b or days_b <= days_a else "differ"


def _days(q: Quantity) -> frozenset[int]:
    first, last = int(q.low), int(q.high)
    return frozenset(day % 7 for day in range(first, (last if last >= first else last + 7) + 1))


def _bounded(a: Quantity, b: Quantity, slack: float) -> Relation:
    """ "At most 10" and 7 may both hold; "at most 10" and 12 do not; two different limits differ."""
    if a.bound == b.bound:
        edge_a, edge_b = (q.high if q.bound == "max" else q.low for q in (a, b))
        return "equal" if abs(edge_a - edge_b) <= slack else "differ"
    if a.low - slack > b.high or b.low - slack > a.high:
        return "differ"
    if not (a.bound and b.bound):
        limit, other = (a, b) if a.bound else (b, a)
        apart = abs(limit.high - other.high) if limit.bound == "max" else abs(limit.low - other.low)
        if apart <= slack:
            return "equal"
    return "incomparable"


def _converted(a: Quantity, b: Quantity) -> bool:
    """Is neither unit a whole multiple of the other: feet and metres, °F and °C?"""
    if a.dimension not in _MEASURED or a.dimension == "time" or a.unit == b.unit:
        return False  # minutes and hours are one system
    if a.dimension == "temperature":
        return True
    small, large = sorted((a.unit, b.unit))
    return small > 0 and abs(large / small - round(large / small)) > 1e-6


def _slack(a: Quantity, b: Quantity) -> float:
    """How far apart equal values may be written: rounding, "about", months against days."""
    largest = max((abs(x) for q in (a, b) for x in (q.low, q.high) if not isinf(x)), default=0.0)
    slack = max(a.step, b.step) * 1.0001 + 1e-9 * largest
    if a.dimension in ("clock", "clock12"):
        return _ABOUT_MINUTES if a.rough or b.rough else slack
    if a.rough or b.rough:
        return max(slack, _ABOUT * largest)
    if a.unit == b.unit and a.unit and bool(a.step) != bool(b.step) and a.dimension in _MEASURED:
        return max(slack, min(0.5 * a.unit, _WHOLE * largest))
    if _converted(a, b):
        rounded = _HALF * max(a.unit, b.unit)
        return max(slack, _HALF if a.dimension == "temperature" else min(rounded, _CONVERTED * largest))
    if a.dimension == "rate":
        return max(slack, _RATE * largest)
    if a.dimension == "period" and a.unit * b.unit < 0 and a.unit != -b.unit:
        return _COUNTED * largest
    if (
        a.dimension in ("time", "period")
        and abs(a.unit) != abs(b.unit)
        and CALENDAR & {abs(a.unit), abs(b.unit)}
    ):
        return max(slack, _CALENDAR * largest)
    return slack
