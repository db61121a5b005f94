"""Statements side by side: their words, the ones they share, and how much each word says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

_WORD = re.compile(r"\d+(?:[.,:/-]\d+)*|[^\W\d_]+(?:['’-][^\W\d_]+)*|\w+")
GENITIVE = re.compile(r"['’]s?$")
COPULAS = frozenset({"is", "are"})
ARTICLES = frozenset({"a", "an", "the"})
_LIGHT = ARTICLES | COPULAS
"""Words whose difference says nothing."""
DENIES = re.compile(r"^(?:not|no|never|none|nobody|nothing|without|cannot|.+n['’]t)$")
_EDGE = " ,;:=.!|–—"
_LONGEST = 1000
"""Characters compared: a statement is a sentence, and comparing is quadratic."""


@dataclass(frozen=True, slots=True)
class WeighedWord:
    """A word as written, with the marks around it; `weight` says how much would be lost without it."""

    text: str
    weight: int


@dataclass(frozen=True, slots=True)
class Side:
    """A statement, its words, and the places of those that all statements have, in the same order."""

    text: str
    spans: tuple[tuple[int, int], ...]
    keys: tuple[str, ...]
    common: tuple[int, ...]

    def gap(self, number: int) -> range:
        """The places before a common word, or after the last one."""
        edges = (-1, *self.common, len(self.keys))
        return range(edges[number] + 1, edges[number + 1])

    def has_content(self, number: int) -> bool:
        """Is there a word in this gap that says something?"""
        return any(self.keys[place] not in _LIGHT for place in self.gap(number))

    def written(self, place: int) -> str:
        return self.text[slice(*self.spans[place])]

    def separated(self, place: int) -> bool:
        """Is there more than a blank between this word and the one before it?"""
        return place > 0 and bool(self.text[self.spans[place - 1][1] : self.spans[place][0]].strip())

    def stretch(self, start: int, end: int) -> tuple[int, int]:
        """The span of these words with everything attached to them: a currency sign, the rest of
        "steel-core"."""
        if start >= end:
            return 0, 0
        first, last = self.spans[start][0], self.spans[end - 1][1]
        while first and not self.text[first - 1].isspace():
            first -= 1
        while last < len(self.text) and not self.text[last].isspace():
            last += 1
        while self.text[first] in _EDGE:
            first += 1
        while self.text[last - 1] in _EDGE:
            last -= 1
        return first, last

    def between(self, start: int, end: int) -> str:
        return self.text[slice(*self.stretch(start, end))]


def side_by_side(texts: Sequence[str]) -> list[Side]:
    """All are compared with the alphabetically first, so that their order makes no difference."""
    cut = [text[:_LONGEST] for text in texts]
    found = [list(_WORD.finditer(text)) for text in cut]
    keys = [tuple(GENITIVE.sub("", word.group().casefold()) for word in row) for row in found]
    first = min(range(len(cut)), key=lambda n: (keys[n], cut[n]))
    places = [_places(keys[first], row) for row in keys]
    shared = sorted(set.intersection(*(set(one) for one in places)))
    return [
        Side(text, tuple(word.span() for word in words), row, tuple(one[n] for n in shared))
        for text, words, row, one in zip(cut, found, keys, places, strict=True)
    ]


def _places(first: Sequence[str], other: Sequence[str]) -> dict[int, int]:
    """Positions of the words of the one in the other."""
    blocks = SequenceMatcher(None, first, other, autojunk=False).get_matching_blocks()
    return {block.a + n: block.b + n for block in blocks for n in range(block.size)}


def words_of(side: Side, first: int, last: int, *, alike: bool = True) -> tuple[WeighedWord, ...]:
    """A stretch of a statement, split at blanks, each piece with the weight of its heaviest word."""
    common = set(side.common) if alike else set()
    made = []
    for piece in re.finditer(r"\S+", side.text[first:last]):
        left, right = first + piece.start(), first + piece.end()
        inside = [n for n, span in enumerate(side.spans) if left <= span[0] < right]
        weights = [_weight(side.keys[n], alike=alike) for n in inside if n not in common]
        made.append(WeighedWord(piece.group(), max(weights, default=0)))
    return tuple(made)


def _weight(key: str, *, alike: bool) -> int:
    if key[0].isdigit() or DENIES.match(key):
        return 2
    return 1 if alike and key not in _LIGHT else 0
