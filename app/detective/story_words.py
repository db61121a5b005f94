"""Words as a story compares them: weekdays and small numbers in one form, joined words also in parts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from app.calendar_names import WEEKDAYS
from app.reading.rule_words import GENERIC
from app.reading.tokens import LIGHT, STOP, stem, words

_THOUSANDS = re.compile(r"(?<=\d)[,  ](?=\d{3}\b)")
_JOINTS = re.compile(r"[-/+&]")
_TIMES = re.compile(r"(\d+)x")
_DAYS = {form: f"weekday:{number}" for form, number in WEEKDAYS.items()}
_NUMBERS = {w: str(n) for n, w in enumerate("two three four five six seven eight nine ten".split(), 2)}
TITLES = frozenset("mr mrs ms miss dr prof st".split())


@lru_cache(maxsize=65536)
def token(word: str) -> str:
    """A word as a story compares it: weekdays and small numbers in one form, the rest by stem."""
    low = word.lower().rstrip(".")
    counted = _TIMES.fullmatch(low)
    if counted:
        return counted[1]
    return _DAYS.get(low) or _NUMBERS.get(low) or stem(low)


def pieces(text: str) -> Iterator[tuple[str, bool]]:
    """The words of a text and the parts of joined ones ("REST/JSON"), with whether they begin it."""
    for n, word in enumerate(words(_THOUSANDS.sub("", text))):
        yield word, n == 0
        if _JOINTS.search(word):
            for part in _JOINTS.split(word):
                if part:
                    yield part, n == 0


def stems(text: str) -> frozenset[str]:
    """The tokens of the content words."""
    return frozenset(token(w) for w, _ in pieces(text) if w.lower() not in STOP) - TITLES - LIGHT


def days_and_numbers(tokens: frozenset[str]) -> frozenset[str]:
    """Days and numbers: they occur in lines about anything."""
    return frozenset(one for one in tokens if ":" in one or any(c.isdigit() for c in one))


def topical(tokens: frozenset[str]) -> frozenset[str]:
    """The tokens that show what a line is about."""
    return tokens - days_and_numbers(tokens) - GENERIC
