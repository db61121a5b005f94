"""The day it is, which a test or a screenshot may fix."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta


class Clock:
    """Today and now; `fixed` is an ISO date or time that stands still."""

    def __init__(self, fixed: str | None = None) -> None:
        self.fixed = fixed if fixed is None or "T" in fixed else f"{fixed}T12:00:00.000000+00:00"

    def now(self) -> str:
        return self.fixed or datetime.now(UTC).isoformat(timespec="microseconds")

    def today(self) -> date:
        return date.fromisoformat(self.fixed[:10]) if self.fixed else datetime.now().astimezone().date()

    def in_days(self, days: int) -> str:
        return (self.today() + timedelta(days=days)).isoformat()


def age(day: str, today: date) -> str:
    """How long ago a day was, in the words one would use: "today", "5 days", "7 weeks", "14 months"."""
    days = (today - date.fromisoformat(day[:10])).days
    if days < 0:
        return "ahead"
    if days == 0:
        return "today"
    for unit, length, least in (("year", 365, 730), ("month", 30, 90), ("week", 7, 14)):
        if days >= least:
            return f"{days // length} {unit}s"
    return f"{days} day{'s' if days > 1 else ''}"


def day_in_words(day: str) -> str:
    """2026-05-12 as "12 May 2026"."""
    when = date.fromisoformat(day[:10])
    return f"{when.day} {when:%b} {when.year}"


def until_words(until: str, today: date | None = None) -> str:
    """When a snoozed conflict returns; given `today`, the same year goes without saying."""
    from app.store.changes import UNTIL_CHANGE

    if until[:10] == UNTIL_CHANGE:
        return "until a line changes"
    day = day_in_words(until)
    return f"until {day.removesuffix(f' {today.year}') if today is not None else day}"
