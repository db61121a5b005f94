"""The edit that takes redacted statements out of a note, checked by reading the note as it would be."""

from __future__ import annotations

from collections.abc import Iterator

from app.store.forgotten import RedactedHashes, redacted_indexes
from app.vault.note import read_note
from app.vault.settings import VaultSettings
from app.words import Note, Statement
from app.writeback import sentence
from app.writeback.check import about, what_must_stay
from app.writeback.diff import combine
from app.writeback.edits import CannotWrite, Edit
from app.writeback.field import values
from app.writeback.source import Cut, Source


def removal(path: str, data: bytes, forgotten: RedactedHashes, settings: VaultSettings) -> Edit | None:
    """What would change in the note; None where it says nothing redacted. Raises CannotWrite, saying why."""
    edit: Edit | None = None
    while True:
        now = edit.after if edit else data
        before = read_note(path, now, settings)
        places = redacted_indexes(before.statements, forgotten)
        if not places:
            return edit
        step = _step(path, now, before, places, settings, forgotten)
        edit = combine(edit, step) if edit else step


def _step(
    path: str,
    data: bytes,
    before: Note,
    places: list[int],
    settings: VaultSettings,
    forgotten: RedactedHashes,
) -> Edit:
    """The first of them out; every step leaves fewer, so there is an end to it."""
    source = Source(data)
    here = before.statements[places[0]]
    for cuts in _ways(source, before, places):
        edit = Edit(path, "remove", data, source.splices(cuts), source.touched(cuts))
        if _as_wanted(before, places, read_note(path, edit.after, settings), forgotten):
            return edit
    raise CannotWrite(f"{path}:{here.line} has to be edited by hand: more than the statement would change.")


def _ways(source: Source, before: Note, places: list[int]) -> Iterator[list[Cut]]:
    """The whole lines where nothing else stands on them, else the words alone."""
    here = before.statements[places[0]]
    others = [s for n, s in enumerate(before.statements) if n not in places]
    if not any(s.line <= here.end_line and here.line <= s.end_line for s in others):
        start = source.stretch(here.line, here.line).start
        last = min(here.end_line, len(source.lines))
        end = source.lines[last].start if last < len(source.lines) else len(source.text)
        yield [Cut(start, end, "")]
    spans = values if here.form == "field" else sentence.spans
    for span in spans(source, here):
        end = span.end
        while end < len(source.text) and source.text[end] in " \t":
            end += 1
        yield [Cut(span.start, end, "")]


def _as_wanted(before: Note, places: list[int], after: Note, forgotten: RedactedHashes) -> bool:
    """Fewer redacted statements than before, and all others as they were."""
    left = set(redacted_indexes(after.statements, forgotten))
    if len(left) >= len(places) or len(before.problems) != len(after.problems):
        return False
    target = before.statements[places[0]]
    kept = [what_must_stay(s, target) for n, s in enumerate(before.statements) if n not in places]
    if kept != [what_must_stay(s, target) for n, s in enumerate(after.statements) if n not in left]:
        return False
    return _about_else(before, target) == _about_else(after, target)


def _about_else(note: Note, target: Statement) -> tuple[object, ...]:
    *rest, keys = about(note)
    assert isinstance(keys, tuple)
    without = tuple(key for key in keys if target.form != "property" or key.strip() != target.key)
    return (*rest, without)
