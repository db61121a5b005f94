"""A note's bytes as text with a way back: lines as the reader counts them, positions as byte offsets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from app.writeback.edits import CannotWrite, Splice

_LINE_END = re.compile(r"\r\n|\r|\n")
_BETWEEN_LINES = r"[ \t]*(?:\r\n|\r|\n)[ \t>]*"
BOM = "\ufeff"


class Cut(NamedTuple):
    """A stretch of the text and what takes its place; the same as a splice, in characters."""

    start: int
    end: int
    new: str


class Span(NamedTuple):
    start: int
    end: int


class Source:
    def __init__(self, data: bytes) -> None:
        try:
            self.text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise CannotWrite("The note is not UTF-8; edit it in your editor.") from error
        self.data = data
        self.body = len(BOM) if self.text.startswith(BOM) else 0
        """Where the text begins, behind a byte order mark."""
        self.lines: list[Span] = []
        start = self.body
        for end in _LINE_END.finditer(self.text, start):
            self.lines.append(Span(start, end.start()))
            start = end.end()
        self.lines.append(Span(start, len(self.text)))
        found = _LINE_END.search(self.text)
        self.line_end = found.group() if found else "\n"

    def stretch(self, line: int, end_line: int) -> Span:
        """From the start of one line to the end of another, both counted from 1 and kept inside the note."""
        first = max(1, min(line, len(self.lines)))
        last = max(first, min(end_line, len(self.lines)))
        return Span(self.lines[first - 1].start, self.lines[last - 1].end)

    def occurrences(self, quote: str, line: int, end_line: int) -> Iterator[Span]:
        """Where a statement's quote stands on these lines; the reader took indents and `>` off its lines."""
        pattern = _BETWEEN_LINES.join(re.escape(part.strip()) for part in quote.split("\n"))
        more = quote.count("\n")
        area = self.stretch(line - more, end_line + more)
        own = self.stretch(line, end_line)
        for match in re.compile(pattern).finditer(self.text, area.start, area.end):
            start, end = max(match.start(), own.start), min(match.end(), own.end)
            if start < end:
                yield Span(start, end)

    def by_line(self, span: Span) -> Iterator[Span]:
        """The parts of a span on each line, without the blanks, indents and quote marks around them."""
        for line in self.lines:
            start, end = max(line.start, span.start), min(line.end, span.end)
            if start >= end:
                continue
            text = self.text[start:end]
            # Only a line that begins inside the span can begin with a mark of its block.
            marks = " \t>" if start > span.start else " \t"
            start += len(text) - len(text.lstrip(marks))
            end -= len(text) - len(text.rstrip())
            if start < end:
                yield Span(start, end)

    def line_of(self, position: int) -> int:
        return next(n for n, line in enumerate(self.lines, 1) if position <= line.end)

    def splices(self, cuts: Sequence[Cut]) -> tuple[Splice, ...]:
        return tuple(
            Splice(self._bytes(cut.start), self._bytes(cut.end), cut.new.encode("utf-8"))
            for cut in sorted(cuts)
        )

    def touched(self, cuts: Sequence[Cut]) -> tuple[int, ...]:
        """The lines that cuts change; what is inserted as lines of its own changes none."""
        lines: set[int] = set()
        for cut in cuts:
            # Behind a byte order mark the first line loses it to the new one.
            at_start = cut.start == 0 or self.text[cut.start - 1] in "\r\n"
            whole_lines = cut.start == cut.end and at_start and _LINE_END.search(cut.new)
            if not whole_lines:
                lines.update(range(self.line_of(cut.start), self.line_of(cut.end) + 1))
        return tuple(sorted(lines))

    def _bytes(self, position: int) -> int:
        return len(self.text[:position].encode("utf-8"))
