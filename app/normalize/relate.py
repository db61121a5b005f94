"""Two quantities side by side: the same, something else, or nothing about each other."""

from __future__ import annotations

from app.normalize.quantity import Quantity, Relation


def relate(a: Quantity, b: Quantity) -> Relation:
    """Do two quantities say the same, something else, or nothing about each other?"""
    kinds = {a.dimension, b.dimension}
    if kinds == {"clock", "clock12"}:  # half past seven may be either half of the day
        return "equal" if abs(a.low - b.low) % 720 == 0 else "differ"
    if len(kinds) > 1:
        return "incomparable"
    if a.dimension == "date":
        if a.year and b.year and a.year != b.year:
            return "differ"
        if not (a.low % 100 and b.low % 100):  # a month alone contains its days
            return "equal" if a.low // 100 == b.low // 100 else "differ"
        return "equal" if a.low == b.low else "differ"
    if a.dimension == "weekday":
        return "equal" if (a.low, a.high) == (b.low, b.high) else "differ"
    slack = _slack(a, b)
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


def _slack(a: Quantity, b: Quantity) -> float:
    """How far apart two equal values may be written: rounding, and "about"."""
    largest = max(abs(a.high), abs(b.high))
    slack = max(a.step, b.step) * 1.0001 + 1e-9 * largest
    if a.rough or b.rough:
        return max(slack, 0.15 * largest) if a.dimension != "period" else 0.05 * max(a.high, b.high)
    return slack
