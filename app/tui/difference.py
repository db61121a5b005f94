"""Which words of several texts differ: what the eye should land on when they stand side by side."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import combinations

Span = tuple[int, int]

_WORD = re.compile(r"\d+(?:[.,:/-]\d+)*|\w+(?:['’-]\w+)*")
_LIGHT = frozenset({"a", "an", "the", "is", "are"})
"""Words whose difference says nothing."""
_LONGEST = 400
"""Words compared per text; a statement is a sentence, and matching is quadratic."""
_ALIKE = 0.34
"""Below this share of common words everything differs, and marking everything marks nothing."""


def differing(texts: Sequence[str]) -> list[list[Span]]:
    """For each text, where it differs from any other that is worded much like it, as character spans."""
    words = [list(_WORD.finditer(text))[:_LONGEST] for text in texts]
    folded = [[word.group().casefold() for word in row] for row in words]
    marked: list[set[int]] = [set() for _ in texts]
    for a, b in combinations(range(len(texts)), 2):
        matcher = SequenceMatcher(None, folded[a], folded[b], autojunk=False)
        if matcher.ratio() < _ALIKE:
            continue
        for tag, a_from, a_to, b_from, b_to in matcher.get_opcodes():
            if tag != "equal":
                marked[a].update(range(a_from, a_to))
                marked[b].update(range(b_from, b_to))
    heavy = [_heavy(row, marks) for row, marks in zip(folded, marked, strict=True)]
    return [_joined(row, marks) for row, marks in zip(words, heavy, strict=True)]


def _heavy(words: list[str], marks: set[int]) -> set[int]:
    """Without light words, unless they stand between two that are marked."""
    kept = {index for index in marks if words[index] not in _LIGHT}
    return kept | {index for index in marks if {index - 1, index + 1} <= kept}


def _joined(words: list[re.Match[str]], marks: set[int]) -> list[Span]:
    """Spans of the marked words, neighbours made one so that the blank between them is marked too."""
    spans: list[Span] = []
    last = -2
    for index in sorted(marks):
        start, end = words[index].span()
        if index == last + 1 and spans:
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
        last = index
    return spans
