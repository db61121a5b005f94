"""Where exactly a sentence begins and ends in its source, and what is put around or behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from app.vault.markup import BLOCK_ID, TASK_MARK
from app.words import Statement
from app.writeback.edits import CannotWrite
from app.writeback.source import Cut, Source, Span

_TAG = r"#[^\W\d_][\w/-]*"
_OPENING_TAGS = re.compile(rf"(?:{_TAG}[ \t,]+)+")
_CLOSING_TAGS = re.compile(rf"(?:[ \t,]+{_TAG})+$")
_CLOSING_BLOCK_ID = re.compile(rf"(?:^|[ \t]+){BLOCK_ID.pattern}")
_CLOSING_MARKS = re.compile(rf"(?:[ \t]*(?:{TASK_MARK.pattern}))+$")
_BREAK = re.compile(r"[ \t]*\\$")
_STRUCK = re.compile(r"~~(?!\s).+?~~")
_CODE = re.compile(r"`[^`]*`")
_EMPHASIS = ("***", "**", "__", "*", "_", "==")


def spans(source: Source, statement: Statement) -> Iterator[Span]:
    """The sentence without what belongs to its line: block id, task dates, tags; the likeliest first."""
    found = list(source.occurrences(statement.quote, statement.line, statement.end_line))
    for with_tags in (False, True):
        for span in found:
            trimmed = _trimmed(source.text, span, with_tags)
            if trimmed.start < trimmed.end:
                yield trimmed


def _trimmed(text: str, span: Span, with_tags: bool) -> Span:
    start, end = span
    said = text[start:end]
    patterns = [_CLOSING_BLOCK_ID, _CLOSING_MARKS, _BREAK]
    if not with_tags:
        patterns.append(_CLOSING_TAGS)
        if opening := _OPENING_TAGS.match(said):
            start += opening.end()
    while True:
        said = text[start:end].rstrip()
        shorter = said
        for pattern in patterns:
            if found := pattern.search(shorter):
                shorter = shorter[: found.start()].rstrip()
        end = start + len(shorter)
        if shorter == said:
            break
    return _inside_emphasis(text, start, end)


def _inside_emphasis(text: str, start: int, end: int) -> Span:
    """Step inside emphasis that goes over the sentence's end, or is around all of it."""
    changed = True
    while changed and start < end:
        changed = False
        said = text[start:end]
        for run in _EMPHASIS:
            opens = said.startswith(run) and said[len(run) : len(run) + 1] not in ("", " ", run[0])
            closes = said.endswith(run) and len(said) > len(run)
            inner = said[len(run) : -len(run)] if opens and closes else ""
            around = opens and closes and run not in inner and len(said) > 2 * len(run)
            odd = said.count(run) % 2 == 1
            if around or (opens and odd):
                start += len(run)
                changed = True
            if around or (closes and odd and not opens):
                end -= len(run)
                changed = True
            if changed:
                break
    return Span(start, end)


def strike(source: Source, span: Span) -> list[Cut]:
    """`~~` around each line of the span, around each part of it where others are struck already."""
    said = source.text[span.start : span.end]
    bare = _CODE.sub("", said)
    if bare.count("[") != bare.count("]"):
        raise CannotWrite("A link goes over the end of the sentence, so it cannot be struck alone.")
    if bare.count("**") % 2 or bare.count("==") % 2:
        raise CannotWrite("Emphasis goes over the end of the sentence, so it cannot be struck alone.")
    cuts: list[Cut] = []
    for line in source.by_line(span):
        for start, end in _unstruck(source.text, line):
            part = source.text[start:end]
            if part.startswith("~") or part.endswith("~"):
                raise CannotWrite("The sentence has tildes at its end, so a strike would not be read as one.")
            cuts += [Cut(start, start, "~~"), Cut(end, end, "~~")]
    return cuts


def _unstruck(text: str, line: Span) -> Iterator[Span]:
    position = line.start
    for struck in (*_STRUCK.finditer(text, line.start, line.end), None):
        start = position
        end = struck.start() if struck else line.end
        position = struck.end() if struck else line.end
        part = text[start:end]
        start += len(part) - len(part.lstrip())
        end -= len(part) - len(part.rstrip())
        if any(c.isalnum() for c in text[start:end]):
            yield Span(start, end)


def annotate(source: Source, span: Span, mark: str) -> list[Cut]:
    """The mark behind the last word of the span."""
    *_, last = source.by_line(span)
    return [Cut(last.end, last.end, f" {mark}")]


def swap(source: Source, span: Span, old: str, new: str) -> list[Cut]:
    """Another value where the old one stands, if it stands there once and as a word of its own."""
    found = list(words(old).finditer(source.text, span.start, span.end))
    if len(found) != 1:
        how = "does not stand" if not found else "stands more than once"
        raise CannotWrite(f"The value {how} in the line as it is written, so it cannot be replaced.")
    return [Cut(found[0].start(), found[0].end(), new)]


def words(value: str) -> re.Pattern[str]:
    """A value as whole words; 44 is not in 4411, nor 4.5 in 14.5 or 4.51."""
    return re.compile(rf"(?<![\w])(?<!\d[.,]){re.escape(value)}(?!\w)(?![.,]\d)")
