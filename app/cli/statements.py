"""Statements given on the command line, read by the same reader as notes."""

from __future__ import annotations

from dataclasses import replace

from app.cli.errors import CommandError
from app.reading.norm_rules import normalize
from app.vault.dates import parse_date
from app.vault.note import read_note
from app.vault.settings import VaultSettings
from app.words import Claim, Note, Statement

_SETTINGS = VaultSettings()


def iso_date(given: str | None) -> str | None:
    """A date typed by a person, as YYYY-MM-DD; None where none was given."""
    if not given:
        return None
    found = parse_date(given)
    if found is None:
        raise CommandError(f"“{given}” is not a date like 2026-06-30.")
    return found


def read_statement(
    text: str, *, title: str | None = None, heading: str | None = None, date: str | None = None
) -> tuple[Statement, Note]:
    """One statement out of a text, as it would stand in a note of this title."""
    name = (title or "Note").replace("/", " ").strip() or "Note"
    line = " ".join((heading or "").split())  # a heading is one line
    body = f"# {line}\n\n{text}" if line else text
    note = read_note(f"{name}.md", body.encode("utf-8", "replace"), _SETTINGS)
    found = note.statements
    if not found:
        statement = Statement(note.path, 1, 1, text, text.strip(), "sentence")
    elif len(found) == 1:
        statement = found[0]
    else:  # several sentences were given as one statement: keep them together
        joined = " ".join(s.text for s in found)
        statement = replace(found[0], text=joined, quote=text)
    if date:
        statement = replace(
            statement, date=date, dated_by="inline" if statement.dated_by == "inline" else "frontmatter"
        )
    return statement, replace(note, title=name, date=date)


def read_claims(text: str, id: str, *, title: str | None = None, date: str | None = None) -> Claim:
    """The claim a statement would become, with the norms of each of its sentences."""
    statement, note = read_statement(text, title=title, date=date)
    parts = [replace(s, date=date or s.date) for s in note.statements] or [statement]
    norms = tuple(norm for part in parts for norm in normalize(part, note))
    # The two sides stand in two places, whatever their notes are called.
    return Claim(id, replace(statement, path=f"{id}/{statement.path}"), note.title, norms)
