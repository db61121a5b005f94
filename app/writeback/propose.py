"""The edit that writes a decision into the losing note, checked by reading the note as it would be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from app.vault import logseq
from app.vault.note import read_note
from app.vault.settings import VaultSettings
from app.words import Claim, Statement
from app.writeback import frontmatter, row, sentence
from app.writeback.check import place_of, problem
from app.writeback.edits import CannotWrite, Edit, Style
from app.writeback.field import values
from app.writeback.link import link_to, mark
from app.writeback.source import Cut, Source
from app.writeback.values import disputed_value, exchange

_READER = VaultSettings()


def propose(
    data: bytes, loser: Claim, winner: Claim, style: Style, settings: VaultSettings = _READER
) -> Edit:
    """What would change in the loser's note, whose bytes are `data`. Raises CannotWrite, saying why.

    The first way of writing it counts under which the reader finds the statement marked, struck or
    replaced as asked and everything else as it was.
    """
    path = loser.statement.path
    source = Source(data)
    before = read_note(path, data, settings)
    place = place_of(before, loser.statement)
    if place is None:
        raise CannotWrite(f"The statement no longer stands in {path}.")
    here = before.statements[place]
    if here.struck and style != "frontmatter":
        raise CannotWrite(f"{path}:{here.line} is struck or marked already.")
    if style == "frontmatter" and settings.logseq and logseq.in_graph(path):
        raise CannotWrite("Logseq keeps no frontmatter; use another style.")
    wanted = _wanted(here, loser, winner) if style == "replace" else here.text
    why = f"The statement was not found in {path} as it is written."
    for cuts in _ways(source, here, loser, winner, style, settings):
        if not cuts:
            continue
        edit = Edit(path, style, data, source.splices(cuts), source.touched(cuts))
        found = problem(before, read_note(path, edit.after, settings), place, style, wanted)
        if found is None:
            return edit
        why = found
    raise CannotWrite(why)


def _wanted(here: Statement, loser: Claim, winner: Claim) -> str:
    old, new = exchange(loser, winner)
    found = list(sentence.words(old).finditer(here.text))
    if len(found) != 1:
        raise CannotWrite("The value stands more than once in the line, so it cannot be replaced.")
    return here.text[: found[0].start()] + new + here.text[found[0].end() :]


def _ways(
    source: Source, here: Statement, loser: Claim, winner: Claim, style: Style, settings: VaultSettings
) -> Iterator[list[Cut]]:
    """The cuts that could do it, the best first; a way that cannot be gone is no reason to stop trying."""
    if style == "frontmatter":
        yield frontmatter.note_key(source, link_to(winner, settings))
    elif here.form == "property":
        yield from _in_property(source, here, loser, winner, style, settings)
    elif here.form == "row":
        yield _in_row(source, here, loser, winner, style, settings)
    else:
        spans = values if here.form == "field" else sentence.spans
        refused: CannotWrite | None = None
        tried = False
        for span in spans(source, here):
            try:
                if style == "annotate":
                    cuts = sentence.annotate(source, span, mark(winner, settings))
                elif style == "strike":
                    cuts = sentence.strike(source, span)
                else:
                    cuts = sentence.swap(source, span, *exchange(loser, winner))
            except CannotWrite as error:
                refused = error
                continue
            tried = True
            yield cuts
        if refused and not tried:
            raise refused


def _in_property(
    source: Source, here: Statement, loser: Claim, winner: Claim, style: Style, settings: VaultSettings
) -> Iterator[list[Cut]]:
    if style == "annotate":
        yield from frontmatter.comments(source, here, mark(winner, settings))
    elif style == "strike":
        yield frontmatter.strike_values(source, here)
    else:
        yield from frontmatter.swaps(source, here, *exchange(loser, winner))


def _in_row(
    source: Source, here: Statement, loser: Claim, winner: Claim, style: Style, settings: VaultSettings
) -> list[Cut]:
    loser = replace(loser, statement=here)
    if style == "annotate":
        return row.annotate_cell(
            source, loser, disputed_value(loser, winner), mark(winner, settings, in_table=True)
        )
    if style == "strike":
        return row.strike_cells(source, loser, disputed_value(loser, winner))
    return row.swap_in_cell(source, loser, *exchange(loser, winner))
