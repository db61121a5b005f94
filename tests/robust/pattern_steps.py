"""How many steps a pattern takes over a text, counted by a backtracking matcher over its parse tree.

The engine of `re` tells no figures and a clock tells other ones on every machine; the steps counted here are
those of the engine without its shortcuts, and the same everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as sre_parser  # type: ignore[attr-defined]
from typing import Any

_Next = Callable[[int], int | None]
"""What has to match behind a node: where it ends, or None."""
_Node = Callable[[int, _Next], int | None]

_BARE = {sre.LITERAL, sre.NOT_LITERAL, sre.ANY, sre.IN}
_REPEATS = {sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT}


class TooMany(Exception):
    """More steps than allowed."""


class Stepping:
    """One pattern that can be tried on texts."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._folds = bool(pattern.flags & re.IGNORECASE)
        self._dot_all = bool(pattern.flags & re.DOTALL)
        self._lines = bool(pattern.flags & re.MULTILINE)
        self._bytes: dict[int, dict[str, bool]] = {}
        self._text, self._steps, self._limit = "", 0, 0
        self._groups: dict[int, tuple[int, int]] = {}
        self.tree = sre_parser.parse(pattern.pattern, pattern.flags)
        self._start = self._sequence(list(self.tree))

    def steps(self, text: str, *, limit: int) -> int:
        """The steps of looking for the pattern from every place of the text; raises TooMany past `limit`."""
        self._text, self._steps, self._limit = text, 0, limit
        at = 0
        while at <= len(text):
            self._groups = {}
            end = self._start(at, lambda end: end)
            at = at + 1 if end is None or end == at else end
        return self._steps

    def _count(self) -> None:
        self._steps += 1
        if self._steps > self._limit:
            raise TooMany

    def _sequence(self, items: list[Any]) -> _Node:
        nodes = [self._node(op, value) for op, value in items]

        def run(at: int, then: _Next, index: int = 0) -> int | None:
            if index == len(nodes):
                return then(at)
            return nodes[index](at, lambda end: run(end, then, index + 1))

        return run if len(nodes) != 1 else nodes[0]

    def _node(self, op: Any, value: Any) -> _Node:
        if op in _BARE:
            fits = self._fits(op, value)

            def one(at: int, then: _Next) -> int | None:
                self._count()
                return then(at + 1) if at < len(self._text) and fits(self._text[at]) else None

            return one
        if op in _REPEATS:
            return self._repeat(op, *value)
        if op is sre.SUBPATTERN:
            return self._group(value)
        if op is sre.BRANCH:
            ways = [self._sequence(list(way)) for way in value[1]]

            def branch(at: int, then: _Next) -> int | None:
                return next((end for way in ways if (end := way(at, then)) is not None), None)

            return branch
        if op in (sre.ASSERT, sre.ASSERT_NOT):
            return self._look(op is sre.ASSERT, *value)
        if op is sre.ATOMIC_GROUP:
            inner = self._sequence(list(value))

            def atomic(at: int, then: _Next) -> int | None:
                end = inner(at, lambda end: end)
                return None if end is None else then(end)

            return atomic
        if op is sre.AT:

            def place(at: int, then: _Next) -> int | None:
                self._count()
                return then(at) if self._is_at(value, at) else None

            return place
        if op is sre.GROUPREF:

            def again(at: int, then: _Next) -> int | None:
                start, end = self._groups.get(value, (0, 0))
                said = self._text[start:end]
                self._count()
                return then(at + len(said)) if self._text.startswith(said, at) else None

            return again
        raise NotImplementedError(f"{op} is not counted yet")

    def _group(self, value: Any) -> _Node:
        number, _, _, items = value
        inner = self._sequence(list(items))

        def group(at: int, then: _Next) -> int | None:
            def close(end: int) -> int | None:
                if number is not None:
                    self._groups[number] = (at, end)
                return then(end)

            return inner(at, close)

        return group

    def _repeat(self, op: Any, least: int, most: Any, items: Any) -> _Node:
        limit = 1 << 30 if most is sre.MAXREPEAT else int(most)
        body = list(items)
        if len(body) == 1 and body[0][0] in _BARE:
            return self._run(op, least, limit, self._fits(*body[0]))
        inner = self._sequence(body)
        lazy = op is sre.MIN_REPEAT

        def more(at: int, then: _Next, done: int) -> int | None:
            self._count()

            def again(end: int) -> int | None:
                return None if end == at and done >= least else more(end, then, done + 1)

            if lazy and done >= least and (end := then(at)) is not None:
                return end
            if done < limit and (end := inner(at, again)) is not None:
                return end
            return then(at) if not lazy and done >= least else None

        def possessive(at: int, then: _Next) -> int | None:
            end = more(at, lambda end: end, 0)
            return None if end is None else then(end)

        return possessive if op is sre.POSSESSIVE_REPEAT else lambda at, then: more(at, then, 0)

    def _run(self, op: Any, least: int, limit: int, fits: Callable[[str], bool]) -> _Node:
        """A repetition of one character: the engine runs ahead, then goes back one by one."""

        def ahead(at: int, upto: int) -> int:
            end, text = at, self._text
            while end < len(text) and end - at < upto and fits(text[end]):
                self._count()
                end += 1
            return end

        def greedy(at: int, then: _Next) -> int | None:
            end = ahead(at, limit)
            while end - at >= least:
                self._count()
                if (found := then(end)) is not None:
                    return found
                if op is sre.POSSESSIVE_REPEAT:
                    return None
                end -= 1
            return None

        def lazy(at: int, then: _Next) -> int | None:
            end = ahead(at, least)
            if end - at < least:
                return None
            while True:
                self._count()
                if (found := then(end)) is not None:
                    return found
                if end - at >= limit or end >= len(self._text) or not fits(self._text[end]):
                    return None
                end += 1

        return lazy if op is sre.MIN_REPEAT else greedy

    def _look(self, wanted: bool, direction: int, items: Any) -> _Node:
        inner = self._sequence(list(items))
        width = items.getwidth()[1] if direction < 0 else 0

        def look(at: int, then: _Next) -> int | None:
            start = at - width
            found = (
                None if start < 0 else inner(start, lambda end: end if direction > 0 or end == at else None)
            )
            return then(at) if (found is not None) is wanted else None

        return look

    def _is_at(self, kind: Any, at: int) -> bool:
        text = self._text
        if kind in (sre.AT_BEGINNING, sre.AT_BEGINNING_STRING):
            before = self._lines and kind is sre.AT_BEGINNING and at > 0 and text[at - 1] == "\n"
            return at == 0 or before
        if kind in (sre.AT_END, sre.AT_END_STRING):
            if at == len(text):
                return True
            ends_line = kind is sre.AT_END and text[at] == "\n"
            return ends_line and (self._lines or at == len(text) - 1)
        sides = [0 <= i < len(text) and (text[i].isalnum() or text[i] == "_") for i in (at - 1, at)]
        return (sides[0] != sides[1]) is (kind is sre.AT_BOUNDARY)

    def _fits(self, op: Any, value: Any) -> Callable[[str], bool]:
        known: dict[str, bool] = {}

        def fits(char: str) -> bool:
            if char not in known:
                forms = {char, char.lower(), char.upper()} if self._folds else {char}
                if op is sre.NOT_LITERAL:
                    known[char] = all(ord(form) != value for form in forms if len(form) == 1)
                elif op is sre.IN and value[0][0] is sre.NEGATE:
                    known[char] = not any(_fits_one(*item, form) for item in value[1:] for form in forms)
                elif op is sre.IN:
                    known[char] = any(_fits_one(*item, form) for item in value for form in forms)
                elif op is sre.ANY:
                    known[char] = self._dot_all or char != "\n"
                else:
                    known[char] = any(_fits_one(op, value, form) for form in forms)
            return known[char]

        return fits


_CATEGORIES: dict[Any, Callable[[str], bool]] = {
    sre.CATEGORY_DIGIT: str.isdecimal,
    sre.CATEGORY_NOT_DIGIT: lambda char: not char.isdecimal(),
    sre.CATEGORY_SPACE: str.isspace,
    sre.CATEGORY_NOT_SPACE: lambda char: not char.isspace(),
    sre.CATEGORY_WORD: lambda char: char.isalnum() or char == "_",
    sre.CATEGORY_NOT_WORD: lambda char: not (char.isalnum() or char == "_"),
}


def _fits_one(op: Any, value: Any, char: str) -> bool:
    if len(char) != 1:
        return False
    if op is sre.LITERAL:
        return ord(char) == value
    if op is sre.RANGE:
        return value[0] <= ord(char) <= value[1]
    return _CATEGORIES[value](char)


_LETTERS = "a1 A.,:-/|()[]{}<>#*_~=!?'\"\\`%\n\t€–—…0xzé“”’"


class Pumps:
    """Texts that fit a pattern as far as one of its repetitions, so that this can be repeated at will."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._stepping = Stepping(pattern)
        self.found = sorted({*self._walk(list(self._stepping.tree), "")})

    def _walk(self, items: list[Any], before: str) -> Iterator[tuple[str, str]]:
        """What stands before each repetition, and one round of it."""
        for op, value in items:
            if op in _REPEATS:
                body = list(value[2])
                if value[1] is sre.MAXREPEAT or value[1] > 8:
                    yield from ((before, way) for way in self._ways(body) if way)
                yield from self._walk(body, before)
            elif op is sre.SUBPATTERN:
                yield from self._walk(list(value[3]), before)
            elif op is sre.BRANCH:
                for way in value[1]:
                    yield from self._walk(list(way), before)
            elif op is sre.ATOMIC_GROUP:
                yield from self._walk(list(value), before)
            elif op in (sre.ASSERT, sre.ASSERT_NOT):
                yield from self._walk(list(value[1]), before)
            before += self._shortest(op, value)

    def _ways(self, items: list[Any]) -> list[str]:
        """Texts that fit a sequence, with other letters and alternatives in each."""
        ways = [""]
        for op, value in items:
            ways = [way + part for way in ways for part in self._parts(op, value)][:4]
        return ways

    def _parts(self, op: Any, value: Any) -> list[str]:
        if op in _BARE:
            fits = self._stepping._fits(op, value)
            found = [char for char in _LETTERS if fits(char)]
            return found[:2] if found else [chr(value) if op is sre.LITERAL else "\u00df"]
        if op in _REPEATS:
            return [way * max(1, int(value[0])) for way in self._ways(list(value[2]))]
        if op is sre.SUBPATTERN:
            return self._ways(list(value[3]))
        if op is sre.BRANCH:
            return [self._ways(list(way))[0] for way in value[1]][:4]
        if op is sre.ATOMIC_GROUP:
            return self._ways(list(value))
        return [""]

    def _shortest(self, op: Any, value: Any) -> str:
        if op in _REPEATS and value[0] == 0:
            return ""
        return min(self._parts(op, value), key=len)
