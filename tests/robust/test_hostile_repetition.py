"""No text makes a pattern or the reading of a note slow: growth counts, not seconds."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from math import log2
from pathlib import Path

import pytest

import app
from app.reading import norm_rules, parser
from app.reading.parser import parse
from app.vault.note import read_note
from app.vault.settings import VaultSettings
from tests.robust.pattern_steps import Pumps, Stepping, TooMany

LONGEST = 600
"""What a pattern over a statement meets at most."""
MOST_STEPS = 20_000_000
"""In the longest text; the engine takes about a tenth of a second for them."""
_HALF, _WHOLE = 60, 120
_BY_LINES = {"app.vault.blocks", "app.vault.inline", "app.vault.language", "app.vault.mask"}
"""Their patterns meet whole notes."""


def test_the_count_tells_exponential_from_quadratic_and_linear() -> None:
    assert _steps_at_longest(re.compile(r"(?:a+)+b")) >= _TOO_MANY
    assert _steps_at_longest(re.compile(r"(?:a|a)*b")) >= _TOO_MANY
    assert _growth(re.compile(r"a*b")) > 3.5
    assert _growth(re.compile(r"(?<!a)a*+b")) < 2.5


def test_no_pattern_is_slow_on_the_longest_text_it_may_meet() -> None:
    slow = _deep(lambda: [w for w, p in _patterns() if _steps_at_longest(p) > MOST_STEPS])
    assert slow == []


def test_patterns_over_whole_notes_grow_with_the_note() -> None:
    found = [(w, p) for w, p in _patterns() if w.rpartition(".")[0] in _BY_LINES]
    assert found
    assert _deep(lambda: [w for w, p in found if _growth(p) > 2.7]) == []


HOSTILE: dict[str, Callable[[int], str]] = {
    "stops before a word": lambda n: "." * n + "text and more",
    "embeds before a sentence": lambda n: "![[a.png]] " * (n // 11) + "\nThe door is red.",
    "digits": lambda n: "7" * n + " is the code",
    "opening brackets": lambda n: "[" * n,
    "opening links": lambda n: "[a](" * (n // 4),
    "openings of fields": lambda n: "[a:: " * (n // 5),
    "numbers that end nothing": lambda n: "x " + "1. a " * (n // 5),
    "struck parts": lambda n: "~~a~~ b. " * (n // 9),
    "marks": lambda n: "A b. ⟶ superseded by [[a]] " * (n // 27),
    "blanks in a table": lambda n: "| a | [[b]] |\n|---|---|\n" + " " * n + "x",
    "an address and stops": lambda n: "http://a" + "." * n + " x",
    "templates": lambda n: "---\ntitle: a\nb: " + "<%" * (n // 2) + "\n---\ntext",
    "quotes": lambda n: ">" * n + " a",
    "lists": lambda n: "- " * (n // 2) + "a",
    "emphasis": lambda n: "*a **b " * (n // 7),
    "tags": lambda n: "#a " * (n // 3),
    "backticks": lambda n: "`a``b" * (n // 5),
    "a title of figures": lambda n: "---\ntitle: '" + "1.1" * (n // 3) + "x'\n---\nThe door is red.",
}
_QUARTER, _FULL = 15_000, 60_000


@pytest.mark.parametrize("name", HOSTILE)
def test_a_note_four_times_as_long_takes_nowhere_near_sixteen_times_as_long(name: str) -> None:
    quarter, full = (min(_seconds(HOSTILE[name](n)) for _ in range(2)) for n in (_QUARTER, _FULL))
    assert full < 9 * max(quarter, _LEAST_SECONDS)


@pytest.mark.parametrize("text", ["word " * 50_000, "x" * 200_000, "(" * 50_000, "a, " * 50_000], ids=len)
def test_the_parser_sees_no_more_of_a_text_than_it_can_read_in_bounded_time(text: str) -> None:
    (parsed,) = parse([text])
    assert 0 < sum(len(token.text) for token in parsed) <= parser.LONGEST


_LEAST_SECONDS = 0.05
"""What takes less tells nothing about growth."""


def _seconds(text: str) -> float:
    """Of processor time, to read a note and find the norms of its first statements."""
    began = time.process_time()
    note = read_note("Note.md", text.encode(), VaultSettings())
    for statement in note.statements[:50]:
        norm_rules.normalize(statement, note)
    return time.process_time() - began


_TOO_MANY = 1 << 62


def _growth(pattern: re.Pattern[str]) -> float:
    """The worst factor by which the steps grow when a text doubles."""
    stepping = Stepping(pattern)
    worst = 0.0
    for before, one in Pumps(pattern).found:
        half, whole = _pumped(stepping, before, one)
        if whole > 40 * _WHOLE:
            worst = max(worst, whole / half)
    return worst


def _steps_at_longest(pattern: re.Pattern[str]) -> float:
    """The steps over the worst text of `LONGEST` characters, told from those over two short ones."""
    stepping = Stepping(pattern)
    worst = 0.0
    for before, one in Pumps(pattern).found:
        half, whole = _pumped(stepping, before, one)
        growth = max(whole / half, 1.0)
        worst = max(worst, whole * growth ** log2(LONGEST / _WHOLE))
    return worst


def _pumped(stepping: Stepping, before: str, one: str) -> tuple[int, float]:
    try:
        half = stepping.steps(before + one * max(2, _HALF // len(one)) + "\x01", limit=100_000)
        whole = stepping.steps(before + one * max(4, _WHOLE // len(one)) + "\x01", limit=1_000_000)
    except TooMany:
        return 1, float(_TOO_MANY)
    return max(half, 1), whole


def _patterns() -> Iterator[tuple[str, re.Pattern[str]]]:
    """Every compiled pattern of the project, and those given to `re` as they are, each once."""
    met: set[tuple[str, int]] = set()
    for info in pkgutil.walk_packages(app.__path__, "app."):
        module = importlib.import_module(info.name)
        named = [(f"{info.name}.{name}", value) for name, value in vars(module).items()]
        found = [(where, one) for where, value in named for one in _within(value)]
        source = Path(module.__file__ or "").read_text(encoding="utf-8")
        found += [(f"{info.name}:{line}", one) for line, one in _written(source)]
        for where, pattern in found:
            if isinstance(pattern.pattern, str) and (pattern.pattern, pattern.flags) not in met:
                met.add((pattern.pattern, pattern.flags))
                yield where, pattern


def _within(value: object, depth: int = 0) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth < 3 and isinstance(value, tuple | list | set | frozenset):
        for one in value:
            yield from _within(one, depth + 1)
    elif depth < 3 and isinstance(value, dict):
        for one in (*value.keys(), *value.values()):
            yield from _within(one, depth + 1)


def _written(source: str) -> Iterator[tuple[int, re.Pattern[str]]]:
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="re")), args=[ast.Constant(value=str() as text), *_]
            ):
                flags = re.IGNORECASE if "re.I" in ast.unparse(node) else 0
                yield node.lineno, re.compile(text, flags)


def _deep(work: Callable[[], list[str]]) -> list[str]:
    """Run with room for deep recursion: the matcher calls itself for every character."""
    out: list[str] = []
    limit, size = sys.getrecursionlimit(), threading.stack_size(256 * 1024 * 1024)
    sys.setrecursionlimit(100_000)
    try:
        thread = threading.Thread(target=lambda: out.extend(work()))
        thread.start()
        thread.join()
    finally:
        sys.setrecursionlimit(limit)
        threading.stack_size(size)
    return out
