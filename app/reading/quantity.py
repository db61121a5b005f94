"""A quantity: a value that can be compared with another of its dimension."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from app.reading.units import NUMBER_WORDS

Relation = Literal["equal", "differ", "incomparable"]
Bound = Literal["", "max", "min"]

NUM = r"(?:\d{1,3}(?:[,\u00a0\u202f']\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
WORDNUM = r"(?:" + "|".join(sorted(NUMBER_WORDS, key=len, reverse=True)) + r")"
_GROUPING = re.compile(r"[,\u00a0\u202f']")


@dataclass(frozen=True, slots=True)
class Quantity:
    """`dimension` says what it compares with; `low` and `high` bound it in base units.

    "At most 4 kg" reaches from minus infinity to 4, "at least" the other way.
    """

    start: int
    end: int
    dimension: str
    low: float
    high: float
    bound: Bound = ""
    rough: bool = False
    step: float = 0.0
    """Half the last written digit, in base units: what rounding may hide."""
    label: bool = False
    """The number is part of a name ("Node 18", "room 3") and not a measure."""
    year: int | None = None
    unit: float = 0.0
    """The written unit in base units, if that affects what counts as equal."""


def number(text: str) -> float | None:
    """The number a word or numeral stands for."""
    named = NUMBER_WORDS.get(text.lower())
    if named is not None:
        return float(named)
    try:
        return float(_GROUPING.sub("", text))
    except ValueError:
        return None
