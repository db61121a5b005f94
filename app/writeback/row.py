"""The cells of a table row in its source, and which of them a claim is about."""

from __future__ import annotations

import re

from app.words import Claim
from app.writeback.edits import CannotWrite
from app.writeback.sentence import strike, swap
from app.writeback.source import Cut, Source, Span

_WIKILINK = re.compile(r"\[\[[^\[\]\n]*\]\]")
_ESCAPED = re.compile(r"\\\|")


def cells(source: Source, line: int) -> list[Span]:
    """Each cell without the blanks around it; an empty one is an empty span."""
    whole = source.stretch(line, line)
    text = source.text[whole.start : whole.end]
    # Pipes that separate nothing are blotted out; every position stays.
    shadow = _ESCAPED.sub("xx", _WIKILINK.sub(lambda link: "x" * len(link.group()), text))
    start = len(shadow) - len(shadow.lstrip(" \t>"))
    start += shadow.startswith("|", start)
    stops = [at for at in range(start, len(shadow)) if shadow[at] == "|"]
    if not shadow.rstrip().endswith("|"):
        stops.append(len(shadow))
    found: list[Span] = []
    for stop in stops:
        part = text[start:stop]
        first = whole.start + start + len(part) - len(part.lstrip())
        found.append(Span(first, first + len(part.strip())))
        start = stop + 1
    return found


def disputed(source: Source, loser: Claim, value: str | None) -> list[Span]:
    """The cell that holds the value; every cell with words in it where there is no telling."""
    found = cells(source, loser.statement.line)
    filled = [cell for cell in found if any(c.isalnum() for c in source.text[cell.start : cell.end])]
    if value is not None:
        holding = [
            cell
            for cell, (_, text) in zip(found[1:], loser.statement.cells[1:], strict=False)
            if cell in filled and value.casefold() in text.casefold()
        ]
        if len(holding) == 1:
            return holding
    return filled


def strike_cells(source: Source, loser: Claim, value: str | None) -> list[Cut]:
    return [cut for cell in disputed(source, loser, value) for cut in strike(source, cell)]


def annotate_cell(source: Source, loser: Claim, value: str | None, mark: str) -> list[Cut]:
    """Behind the disputed cell, or the last one with words in it."""
    found = disputed(source, loser, value)
    if not found:
        raise CannotWrite("The row has no words in it.")
    return [Cut(found[-1].end, found[-1].end, f" {mark}")]


def swap_in_cell(source: Source, loser: Claim, old: str, new: str) -> list[Cut]:
    found = disputed(source, loser, old)
    if len(found) != 1:
        raise CannotWrite("It is not clear which cell of the row holds the value.")
    return swap(source, found[0], old, new.replace("|", "\\|"))
