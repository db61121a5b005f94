"""Words side by side: the same, opposed, or neither."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from functools import lru_cache
from pathlib import Path

from rapidfuzz import fuzz

from app.reading.tokens import stem

_HERE = Path(__file__).parent
_DENYING_PREFIXES = ("un", "non", "non-")
_DENYING_QUALITIES = ("in", "im", "ir", "il", "dis", "de")
_QUALITY = re.compile(
    r"(?:[ai]ble|al|ive|ent|ant|ate|ous|ed|ect|ete|ure|ar)$|^(?:connect|agree|activate|allow|like)$"
)
"""Before these endings "in-" and "dis-" deny; an invoice is no denied voice."""
_SHORTEST_FUZZY = 6
_SPELLED_ALIKE = 90
_COMMONEST = 0.25


@lru_cache(maxsize=1)
def _answers() -> dict[str, dict[int, int]]:
    """For each word the questions it answers, and how."""
    found: defaultdict[str, dict[int, int]] = defaultdict(dict)
    lines = (_HERE / "opposites.txt").read_text(encoding="utf-8").splitlines()
    for question, line in enumerate(lines):
        if line and not line.startswith("#"):
            for answer, words in enumerate(line.split("|")):
                for word in words.split(","):
                    found[word.strip()][question] = answer
                    found[stem(word.strip())].setdefault(question, answer)
    return dict(found)


@lru_cache(maxsize=100_000)
def opposed(a: str, b: str) -> bool:
    """Antonyms, or two answers to a question that has one."""
    if _denies(a, b) or _denies(b, a):
        return True
    answers = _answers()
    left = answers.get(a) or answers.get(stem(a)) or {}
    right = answers.get(b) or answers.get(stem(b)) or {}
    return any(question in right and right[question] != answer for question, answer in left.items())


def _denies(a: str, b: str) -> bool:
    if len(b) <= 3 or not a.endswith(b):
        return False
    prefixes = _DENYING_PREFIXES + (_DENYING_QUALITIES if _QUALITY.search(b) else ())
    return a.removesuffix(b) in prefixes


@lru_cache(maxsize=200_000)
def same(a: str, b: str) -> bool:
    """One word, in another form or spelling."""
    if a == b or stem(a) == stem(b):
        return True
    if (
        opposed(a, b)
        or any(c.isdigit() for c in a + b)
        or a[:1] != b[:1]
        or min(len(a), len(b)) < _SHORTEST_FUZZY
    ):
        return False
    return fuzz.ratio(a, b) >= _SPELLED_ALIKE


@lru_cache(maxsize=1)
def _weights() -> dict[str, float]:
    path = _HERE / "word_weights.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def weight(lemma: str) -> float:
    """How much a word tells, from rarely anything to 1 for one that notes hardly ever use."""
    return _weights().get(stem(lemma), 1.0)
