"""Whether an edit does to a note what it should and nothing else, in the eyes of the reader."""

from __future__ import annotations

from dataclasses import replace

from app.words import Note, Statement
from app.writeback.edits import Style

_ELSEWHERE = "The change would reach further than the statement, so it is left to you."


def place_of(note: Note, statement: Statement) -> int | None:
    """Where among the note's statements this one is, should lines have moved since it was read."""
    same = [n for n, s in enumerate(note.statements) if s.text == statement.text and s.form == statement.form]
    return min(
        same,
        key=lambda n: (
            note.statements[n].ordinal != statement.ordinal,
            abs(note.statements[n].line - statement.line),
        ),
        default=None,
    )


def problem(before: Note, after: Note, place: int, style: Style, wanted: str) -> str | None:
    """Why the note after the edit is not what was asked for; `wanted` is the text a replaced value gives."""
    if len(before.problems) != len(after.problems) or len(before.statements) != len(after.statements):
        return _ELSEWHERE
    whole_note = style == "frontmatter"
    if not whole_note and about(before) != about(after):
        return _ELSEWHERE
    for n, (old, new) in enumerate(zip(before.statements, after.statements, strict=True)):
        if n == place and not whole_note:
            reason = _target(old, new, style, wanted)
            if reason:
                return reason
        elif what_must_stay(old, before.statements[place]) != what_must_stay(new, before.statements[place]):
            return _ELSEWHERE
    if whole_note and after.silent is None:
        return "The note would still be read as current."
    return None


def _target(old: Statement, new: Statement, style: Style, wanted: str) -> str | None:
    if style == "replace":
        return None if new.text == wanted else "The line would not say what the other one says."
    partly = old.form == "row" and new.text != old.text
    if not new.struck and not partly:
        return "The mark would not be read as one."
    if style == "annotate" and new.text != old.text:
        return "The mark would change what the line says."
    return None


def about(note: Note) -> tuple[object, ...]:
    """What the note says of itself, and which keys its frontmatter has."""
    keys = tuple(key for key, _ in note.properties)
    return note.title, note.aliases, note.tags, note.date, note.project, note.layer, note.silent, keys


def what_must_stay(statement: Statement, target: Statement) -> Statement:
    """What must stay as it is: not where it stands and what stands around it."""
    same = replace(
        statement, line=0, end_line=0, quote="", ordinal=0, in_line=0, before=None, after=None, parent=None
    )
    # A field inside a struck sentence is struck with it.
    return replace(same, struck=False) if statement.form == "field" and target.form != "field" else same
