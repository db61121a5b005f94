"""The names of months and weekdays, in every form that people write, and patterns made of them."""

from __future__ import annotations

from collections.abc import Iterable

MONTH_NAMES = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
)  # fmt: skip
WEEKDAY_NAMES = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
SHORT_MONTHS = tuple(name[:3] for name in MONTH_NAMES)
SHORT_WEEKDAYS = tuple(name[:3] for name in WEEKDAY_NAMES)
_MORE_MONTHS = {"september": ("sept",)}
_MORE_WEEKDAYS = {"tuesday": ("tues",), "wednesday": ("weds",), "thursday": ("thur", "thurs")}

MONTHS = {
    form: number
    for number, name in enumerate(MONTH_NAMES, 1)
    for form in (name, name[:3], *_MORE_MONTHS.get(name, ()))
}
"""1 for January, by all its forms."""
WEEKDAYS = {
    form: number
    for number, name in enumerate(WEEKDAY_NAMES)
    for form in (name, f"{name}s", name[:3], *_MORE_WEEKDAYS.get(name, ()))
}
"""0 for Monday, by all its forms."""


def one_of(forms: Iterable[str]) -> str:
    """A pattern for any of these, the longest first."""
    return "|".join(sorted(forms, key=len, reverse=True))


ANY_MONTH = rf"(?:{one_of(MONTHS)})"
ANY_WEEKDAY = rf"(?:{one_of(WEEKDAYS)})"
MONTH_BEGINNING = rf"(?:{one_of(SHORT_MONTHS)})"
"""The first three letters, whatever follows."""
