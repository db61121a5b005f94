"""Everything measurable in a text: numbers with units, money, clock times, dates, weekdays, rhythms."""

from __future__ import annotations

import re
from functools import lru_cache

from app.reading import measures, times
from app.reading.compare_quantities import relate
from app.reading.qualifiers import join_pieces, with_nearness
from app.reading.quantity import Quantity, Relation, number

_BETWEEN = re.compile(r"(?<=\bbetween )(\S+(?: \w+)?) and (?=\S)", re.I)
_WORD = re.compile(r"[a-z]+")
_DIGIT = re.compile(r"\d")
_WORDS = times.TIME_WORDS | measures.MEASURE_WORDS
# The few letters that case-insensitive patterns take for others; unmapped, they would miss the tables.
_LOOKALIKES = {0x130: "I", 0x131: "i", 0x17F: "s", 0x212A: "K"}


@lru_cache(maxsize=8192)
def quantities(text: str) -> tuple[Quantity, ...]:
    """Everything measurable in a text, left to right, without overlaps."""
    digits = _DIGIT.search(text) is not None
    if not text.isascii():
        text = text.translate(_LOOKALIKES)
    said = frozenset(_WORD.findall(text.lower()))
    if not digits and said.isdisjoint(_WORDS):
        return ()
    if (
        "between" in said
    ):  # "between 3 and 5" is a range like "3 to 5"; of the same length, so that places stay
        text = _BETWEEN.sub(r"\1  to ", text)
    found: list[Quantity] = []
    taken: list[tuple[int, int]] = []
    for q in times.times(text, said, digits):
        if _free(q, taken):
            q = with_nearness(text, q) if q.dimension in ("clock", "clock12") else q
            found.append(q)
            taken.append((q.start, q.end))
    if digits:
        taken.extend(measures.names_of_digits(text))
    for q in measures.measures(text, said, digits):
        if _free(q, taken):
            found.append(q)
            taken.append((q.start, q.end))
    if len(found) > 1:
        found = join_pieces(text, sorted(found, key=lambda q: q.start))
    return tuple(found)


def _free(q: Quantity, taken: list[tuple[int, int]]) -> bool:
    return not any(q.end > start and q.start < end for start, end in taken)


__all__ = ["Quantity", "Relation", "number", "quantities", "relate"]
