"""Which values two texts give differently, and which alike: amounts, times, dates, codes.

A model that reads word pieces easily overlooks that 2208 is not 2280, or that 60 s are a minute.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from app.reading.compare_quantities import relate
from app.reading.quantities import quantities
from app.reading.quantity import Quantity

_READ = 600
"""Characters of a text that are looked at: a line may be of any length."""
_COMPARED = 20
"""Of the values found there, so many are compared."""
_MOST = 3
_TOLD = 120
_OF_A_KIND = 2
_LONGEST = 24
# A word with a digit and something else in it, or digits in groups: a plate, a version, a telephone number.
_CODE = re.compile(r"(?<![\w.-])(?:\+?\d{2,}(?: \d{2,})+|(?=[\w.-]*\d)\w+(?:[.-]\w+)*)(?![\w-])")
_LETTER = re.compile(r"[^\W\d]")
_DIGIT = re.compile(r"\d")


class Values(NamedTuple):
    """The values of two texts."""

    codes: tuple[tuple[str, str], ...]
    """Codes of one shape, such as two number plates, of which each stands in one text only."""
    amounts: tuple[tuple[str, str], ...]
    """Amounts of one dimension, of which nothing in the other text equals either."""
    both: tuple[str, ...]
    """Amounts that both give, as the first text has them."""

    @property
    def told(self) -> str:
        """In a few words, what differs first: "2.5 mg vs 5 mg, both every morning"."""
        differing = dict.fromkeys((*self.codes, *self.amounts))
        told = (*(f"{one} vs {other}" for one, other in differing), *(f"both {one}" for one in self.both))
        return ", ".join(told[:_MOST])[:_TOLD]


@lru_cache(maxsize=4096)
def values_apart(a: str, b: str) -> Values:
    a, b = a[:_READ], b[:_READ]
    left, right = quantities(a)[:_COMPARED], quantities(b)[:_COMPARED]
    both = tuple(_text(a, x) for x in left if any(relate(x, y) == "equal" for y in right))
    return Values(tuple(_codes(a, b)), tuple(_amounts(a, b, left, right)), both)


def _amounts(
    a: str, b: str, left: Sequence[Quantity], right: Sequence[Quantity]
) -> Iterable[tuple[str, str]]:
    only_a = [x for x in left if not any(relate(x, y) == "equal" for y in right)]
    only_b = [y for y in right if not any(relate(x, y) == "equal" for x in left)]
    for kind in dict.fromkeys(_kind(x) for x in only_a):
        ours, theirs = ([q for q in some if _kind(q) == kind] for some in (only_a, only_b))
        if any(relate(x, y) == "differ" for x in ours for y in theirs):
            yield _named(a, ours), _named(b, theirs)


def _kind(q: Quantity) -> str:
    return "clock" if q.dimension == "clock12" else q.dimension


def _named(text: str, some: Sequence[Quantity]) -> str:
    return " and ".join(_text(text, q) for q in some[:_OF_A_KIND])


def _text(text: str, q: Quantity) -> str:
    """As written; a number word as digits."""
    written = text[q.start : q.end].strip()[:_LONGEST]
    return f"{q.low:g}" if q.dimension == "count" and q.low == q.high and written.isalpha() else written


def _codes(a: str, b: str) -> Iterable[tuple[str, str]]:
    left, right = _coded(a), _coded(b)
    for code, written in left.items():
        for other, written_there in right.items():
            if code not in right and other not in left and _shape(code) == _shape(other):
                yield written, written_there


def _coded(text: str) -> dict[str, str]:
    """Codes by their letters and digits, with how each is written; a bare number is an amount."""
    found = islice((m[0][:_LONGEST] for m in _CODE.finditer(text)), _COMPARED)
    return {re.sub(r"[\W_]", "", code).casefold(): code for code in found if not code.isdecimal()}


def _shape(code: str) -> str:
    return _DIGIT.sub("0", _LETTER.sub("a", code))
