"""Edits inside a note's YAML: a value struck or replaced, a comment behind it, a key for the whole note."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import yaml

from app.vault.frontmatter import read_frontmatter
from app.words import Statement
from app.writeback.edits import CannotWrite
from app.writeback.sentence import words
from app.writeback.source import Cut, Source, Span

KEY = "superseded_by"
_LEADING_ZERO = re.compile(r"[-+]?0\d")
_SEVERAL_LINES = "The value goes over several lines; edit it in your editor."


@dataclass(frozen=True, slots=True)
class Scalar:
    """A value, or one item of a list, as it stands in the source."""

    span: Span
    value: str
    style: str
    """`'`, `"` or nothing."""


def strike_values(source: Source, statement: Statement) -> list[Cut]:
    return [Cut(*s.span, double_quoted(f"~~{s.value}~~")) for s in _scalars(source, statement) if s.value]


def comments(source: Source, statement: Statement, mark: str) -> Iterator[list[Cut]]:
    """A comment behind the value; where that would cut a value in two, behind the key."""
    for line in dict.fromkeys((statement.end_line, statement.line)):
        span = source.stretch(line, line)
        end = span.start + len(source.text[span.start : span.end].rstrip())
        yield [Cut(end, end, f" # {mark}")]


def swaps(source: Source, statement: Statement, old: str, new: str) -> Iterator[list[Cut]]:
    """The value with another in it: written as it was if YAML still reads it so, else in quotes."""
    found = [(s, m) for s in _scalars(source, statement) for m in words(old).finditer(s.value)]
    if len(found) != 1:
        how = "does not stand" if not found else "stands more than once"
        raise CannotWrite(f"The value {how} in the property as it is written, so it cannot be replaced.")
    scalar, match = found[0]
    value = scalar.value[: match.start()] + new + scalar.value[match.end() :]
    # A number with leading zeros is another number to some programs.
    if not scalar.style and not _LEADING_ZERO.match(value):
        yield [Cut(*scalar.span, value)]
    if scalar.style == "'":
        yield [Cut(*scalar.span, "'" + value.replace("'", "''") + "'")]
    yield [Cut(*scalar.span, double_quoted(value))]


def note_key(source: Source, link: str) -> list[Cut]:
    """`superseded_by` for the whole note: a key of its block, or a block of its own."""
    text = source.text[source.body :].replace("\r\n", "\n").replace("\r", "\n")
    front = read_frontmatter(text)
    line = f"{KEY}: {double_quoted(link)}"
    if not front.end_line:
        lines = ("---", line, "---", "")
        return [Cut(source.body, source.body, source.line_end.join(lines))]
    if front.problems:
        raise CannotWrite(f"The frontmatter cannot be changed safely: {front.problems[0]}.")
    known = front.by_key.get(KEY)
    if known is not None and known.items:
        raise CannotWrite("The note says already what it is superseded by.")
    if known is not None:
        span = source.stretch(known.line, known.end_line)
        return [Cut(span.start, span.end, line)]
    # The closing fence is the last line of the block.
    at = source.lines[front.end_line - 1].start
    return [Cut(at, at, line + source.line_end)]


def double_quoted(value: str) -> str:
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _scalars(source: Source, statement: Statement) -> list[Scalar]:
    """The scalars of a property, each on a line of its own; anything else is not ours to change."""
    block = "\n".join(source.text[line.start : line.end] for line in source.lines[1 : statement.end_line])
    found: list[Scalar] = []
    depth = 0
    is_key = True
    key_line = -1
    try:
        for event in yaml.parse(block, Loader=yaml.CSafeLoader):
            if isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
                depth += 1
            elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
                depth -= 1
                is_key = is_key or depth == 1
            elif isinstance(event, yaml.ScalarEvent):
                if depth == 1 and is_key:
                    key_line = event.start_mark.line if event.start_mark else -1
                elif key_line == statement.line - 2 and depth <= 2:
                    found.append(_scalar(source, event))
                is_key = not is_key if depth == 1 else is_key
            elif isinstance(event, yaml.AliasEvent) and depth == 1:
                is_key = not is_key
    except yaml.YAMLError as error:
        raise CannotWrite("The frontmatter is broken there; edit it in your editor.") from error
    return found


def _scalar(source: Source, event: yaml.ScalarEvent) -> Scalar:
    start, end = event.start_mark, event.end_mark
    if start is None or end is None or start.line != end.line:
        raise CannotWrite(_SEVERAL_LINES)
    if event.style in ("|", ">") or event.anchor or event.tag:
        raise CannotWrite(_SEVERAL_LINES)
    line = source.lines[start.line + 1].start
    return Scalar(Span(line + start.column, line + end.column), event.value, event.style or "")
