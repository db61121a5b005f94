"""Taking a redacted statement out of its note: it goes, and every other statement stays as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.store.forgotten import RedactedHashes
from app.vault.note import read_note
from app.vault.settings import VaultSettings
from app.writeback import backups
from app.writeback.apply import apply_for_good
from app.writeback.edits import CannotWrite, NoteChanged
from app.writeback.remove import removal

SETTINGS = VaultSettings()
SECRET = "The garage door code is 4411."


def forgotten(*texts: str) -> RedactedHashes:
    salt = RedactedHashes(b"salt")
    return RedactedHashes(b"salt", frozenset(salt.hash(text) for text in texts))


@pytest.mark.parametrize(
    ("before", "text", "after"),
    [
        (f"A door.\n\n{SECRET}\n\nIt is green.\n", SECRET, "A door.\n\n\nIt is green.\n"),
        (f"It is green. {SECRET} It squeaks.\n", SECRET, "It is green. It squeaks.\n"),
        (f"- It is green.\r\n- {SECRET}\r\n- It squeaks.\r\n", SECRET, "- It is green.\r\n- It squeaks.\r\n"),
        (f"\ufeff- {SECRET}\n- It squeaks.\n", SECRET, "\ufeff- It squeaks.\n"),
        (f"- {SECRET}", SECRET, ""),
        (f"- [ ] **{SECRET}** ^block\n- It squeaks.\n", SECRET, "- It squeaks.\n"),
        (
            "---\ncode: 4411\nkind: door\n---\nIt squeaks.\n",
            "code: 4411",
            "---\nkind: door\n---\nIt squeaks.\n",
        ),
        ("---\ncode:\n  - 4411\n  - 0087\nkind: door\n---\n", "code: 4411, 0087", "---\nkind: door\n---\n"),
        ("Code:: 4411\n\nIt squeaks.\n", "Code: 4411", "\nIt squeaks.\n"),
        (f"- {SECRET}\n- It squeaks.\n- {SECRET}\n", SECRET, "- It squeaks.\n"),
    ],
)
def test_the_statement_goes(before: str, text: str, after: str) -> None:
    edit = removal("a.md", before.encode(), forgotten(text), SETTINGS)
    assert edit is not None
    assert edit.after.decode() == after


def test_a_row_goes() -> None:
    table = "| door | code |\n|---|---|\n| garage | 4411 |\n| attic | 0087 |\n"
    (row, _) = read_note("a.md", table.encode(), SETTINGS).statements
    edit = removal("a.md", table.encode(), forgotten(row.text), SETTINGS)
    assert edit is not None
    assert edit.after.decode() == "| door | code |\n|---|---|\n| attic | 0087 |\n"


def test_a_field_goes_with_the_sentence_it_stands_in() -> None:
    """Both are readings of the same words."""
    data = b"It is green.\n\nThe garage [code:: 4411] was changed.\n"
    edit = removal("a.md", data, forgotten("code: 4411"), SETTINGS)
    assert edit is not None
    assert b"4411" not in edit.after
    assert b"It is green." in edit.after


def test_a_note_that_does_not_say_it() -> None:
    assert removal("a.md", b"It squeaks.\n", forgotten(SECRET), SETTINGS) is None


def test_what_cannot_be_taken_out_is_left_to_the_person() -> None:
    with pytest.raises(CannotWrite, match=r"UTF-8"):
        removal("a.md", f"{SECRET}\n\xff".encode("latin-1"), forgotten(SECRET), SETTINGS)


def test_no_backup_is_made_and_a_changed_note_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text(f"{SECRET}\n")
    edit = removal("a.md", file.read_bytes(), forgotten(SECRET), SETTINGS)
    assert edit is not None
    file.write_text(f"Theirs. {SECRET}\n")
    with pytest.raises(NoteChanged):
        apply_for_good(tmp_path, edit, lambda: None)
    file.write_text(f"{SECRET}\n")
    apply_for_good(tmp_path, edit, lambda: None)
    assert file.read_bytes() == b""
    assert list(tmp_path.iterdir()) == [file]


def test_backups_that_say_it_go_and_others_stay(tmp_path: Path) -> None:
    for name, text in (("a", f"It is so:\n{SECRET.upper()}\n"), ("b", "It squeaks."), ("c", "Named.")):
        (tmp_path / f"{name}.bak").write_text(text)
        (tmp_path / f"{name}.json").write_text("{}")
    assert backups.forget(tmp_path, {"c"}, {SECRET}) == 2
    assert sorted(p.name for p in tmp_path.iterdir()) == ["b.bak", "b.json"]
    assert backups.forget(tmp_path / "none", {"c"}, {SECRET}) == 0
