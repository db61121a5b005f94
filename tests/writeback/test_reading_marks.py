"""What the reader makes of what writing back writes: the same text, out of the running."""

from __future__ import annotations

import pytest

from app.vault.note import read_note
from app.vault.settings import VaultSettings
from app.words import Statement

MARK = "⟶ superseded by [[House#Doors|House]]"


def read(text: str) -> tuple[Statement, ...]:
    return read_note("Note.md", text.encode(), VaultSettings()).statements


@pytest.mark.parametrize(
    ("note", "found"),
    [
        (f"It is 5. {MARK} It is red.", [("It is 5.", True), ("It is red.", False)]),
        (f"- It is 5 {MARK} ^id", [("It is 5", True)]),
        (f"It is 5.\n{MARK}\n", [("It is 5.", True)]),
        ("It is 5. ⟶ superseded by [Odd](Odd%20%23.md)", [("It is 5.", True)]),
        ("It is 5. ⟶ superseded by somebody", [("It is 5.", False), ("⟶ superseded by somebody", False)]),
        (f"code:: 5 {MARK}", [("code: 5", True)]),
        ("code:: ~~5~~", [("code: 5", True)]),
        (f"A door [code:: 5 {MARK}] here", [("A door here", False), ("code: 5", True)]),
        ("A door [code:: ~~5~~] here", [("A door here", False), ("code: 5", True)]),
        ("---\ncode: 5 # " + MARK + "\nhue: red\n---\n", [("code: 5", True), ("hue: red", False)]),
        ('---\ncode: "~~5~~"\n---\n', [("code: 5", True)]),
    ],
)
def test_a_marked_statement_says_the_same_and_is_out(note: str, found: list[tuple[str, bool]]) -> None:
    assert [(s.text, s.struck) for s in read(note)] == found


@pytest.mark.parametrize(
    ("row", "text", "struck"),
    [
        ("| Hall | 12 | blue |", "Hall: Code 12; Hue blue", False),
        ("| Hall | ~~12~~ | blue |", "Hall: Hue blue", False),
        ("| ~~Hall~~ | ~~12~~ | ~~blue~~ |", "Hall: Code 12; Hue blue", True),
        ("| ~~Hall~~ | 12 | blue |", "Hall: Code 12; Hue blue", True),
        ("| Hall | 12 ⟶ superseded by [[A\\|B]] | blue |", "Hall: Code 12; Hue blue", True),
    ],
)
def test_a_struck_cell_is_no_longer_said(row: str, text: str, struck: bool) -> None:
    (found,) = read(f"| Door | Code | Hue |\n|---|---|---|\n{row}\n")
    assert (found.text, found.struck) == (text, struck)


def test_a_superseded_note_is_silent_and_says_nothing_of_it() -> None:
    note = read_note("Note.md", b'---\nsuperseded_by: "[[House]]"\n---\nIt is 5.\n', VaultSettings())
    assert note.silent == "superseded by another note"
    assert [s.text for s in note.statements] == ["It is 5."]
    empty = read_note("Note.md", b"---\nsuperseded_by:\n---\nIt is 5.\n", VaultSettings())
    assert empty.silent is None
