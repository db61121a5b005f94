"""The lines around a statement as they stand in its note now; the quote alone where the note has changed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.regular_file import read_regular
from app.words import Statement

_LARGEST = 8 * 1024 * 1024
_CONTEXT_LINES = 2
WIDE_CONTEXT_LINES = 8
"""Lines above and below a statement that is read by itself."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The statement's own lines, and those above and below it."""

    above: tuple[str, ...]
    lead: str
    """What stands before the statement on its own lines."""
    words: str
    tail: str
    below: tuple[str, ...]
    line: int
    """Where it stands now."""
    current: bool
    """The note still says it."""


def written_words(statement: Statement) -> str:
    """The words of the statement as written: a quote holds whole lines, of which it may be a part."""
    return statement.text if statement.text and statement.text in statement.quote else statement.quote


def surroundings(vault: Path, statement: Statement, lines: int = _CONTEXT_LINES) -> Surroundings:
    """Read them from the vault; never raises, never follows a path out of the vault."""
    text = _read(vault, statement.path)
    found = None if text is None else _place(text.splitlines(), statement, lines)
    return found or _alone(statement)


def _alone(statement: Statement) -> Surroundings:
    words = written_words(statement)
    lead, _, tail = statement.quote.partition(words)
    return Surroundings((), lead, words, tail, (), statement.line, current=False)


def _read(vault: Path, path: str) -> str | None:
    try:
        file = (vault / path).resolve()
        if not file.is_relative_to(vault.resolve()):
            return None
        data = read_regular(file, _LARGEST + 1)
        return data.decode("utf-8-sig", errors="replace") if len(data) <= _LARGEST else None
    except (OSError, ValueError):
        return None


def _place(lines: list[str], statement: Statement, around: int) -> Surroundings | None:
    height = statement.end_line - statement.line
    # First where it was, then anywhere: lines above may have come or gone since it was read.
    for start in (statement.line - 1, *range(len(lines) - height)):
        block = "\n".join(lines[start : start + height + 1])
        quote_at = block.find(statement.quote)
        if quote_at >= 0 and start < len(lines):
            words = written_words(statement)
            at = quote_at + statement.quote.find(words)
            end = start + height + 1
            return Surroundings(
                _written(lines[max(0, start - around) : start]),
                block[:at],
                words,
                block[at + len(words) :],
                _written(lines[end : end + around]),
                start + 1,
                current=True,
            )
    return None


def _written(lines: list[str]) -> tuple[str, ...]:
    """Without blank lines, which would show nothing."""
    return tuple(line for line in lines if line.strip())
