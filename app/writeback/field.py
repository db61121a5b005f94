"""The value of an inline field (`key:: value`, `[key:: value]`) in its source."""

from __future__ import annotations

from collections.abc import Iterator

from app.words import Statement
from app.writeback.source import Source, Span

_CLOSES = {"[": "]", "(": ")"}


def values(source: Source, statement: Statement) -> Iterator[Span]:
    """What stands behind `::`, inside the brackets when there are any."""
    for found in source.occurrences(statement.quote, statement.line, statement.end_line):
        text = source.text[found.start : found.end]
        colons = text.find("::")
        if colons < 0:
            continue
        end = len(text) - (_CLOSES.get(text[:1], "") == text[-1:] != "")
        value = text[colons + 2 : end]
        start = found.start + colons + 2 + len(value) - len(value.lstrip())
        if value.strip():
            yield Span(start, start + len(value.strip()))
