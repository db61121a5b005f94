"""Making an edit: on the file that was read and no other, whole, backed up, and taken back byte for byte."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from app.writeback import apply as writing
from app.writeback.apply import apply, read_applied, undo
from app.writeback.edits import Applied, AsBefore, CannotWrite, Edit, NoteChanged
from app.writeback.propose import propose
from tests.writeback.building import WINNER, claims

OLD = "\ufeff# Keys\r\n\r\nThe garage door code is 4411.".encode()


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    note = tmp_path / "vault" / "Home" / "Garage.md"
    note.parent.mkdir(parents=True)
    note.write_bytes(OLD)
    return tmp_path / "vault"


@pytest.fixture
def backups(tmp_path: Path) -> Path:
    return tmp_path / "state" / "backups"


def edit(path: str = "Home/Garage.md") -> Edit:
    return propose(OLD, claims(path, OLD)[0], WINNER, "strike")


def files(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in root.rglob("*") if not path.is_dir())


def test_the_note_is_replaced_and_restored(vault: Path, backups: Path) -> None:
    note = vault / "Home" / "Garage.md"
    note.chmod(0o640)
    wanted = edit()
    applied = apply(vault, wanted, backups)
    assert note.read_bytes() == wanted.after != OLD
    assert stat.S_IMODE(note.stat().st_mode) == 0o640
    assert files(vault) == ["Home/Garage.md"]
    assert applied.backup.read_bytes() == OLD
    assert {stat.S_IMODE(path.stat().st_mode) for path in backups.iterdir()} == {0o600}
    assert stat.S_IMODE(backups.stat().st_mode) == 0o700
    assert read_applied(backups, applied.id) == applied
    undo(vault, applied)
    assert note.read_bytes() == OLD
    assert stat.S_IMODE(note.stat().st_mode) == 0o640
    with pytest.raises(AsBefore):
        undo(vault, applied)


def test_a_note_saved_meanwhile_is_left_alone(vault: Path, backups: Path) -> None:
    note = vault / "Home" / "Garage.md"
    wanted = edit()
    note.write_bytes(b"Something new.\n")
    with pytest.raises(NoteChanged):
        apply(vault, wanted, backups)
    assert note.read_bytes() == b"Something new.\n"
    assert not backups.exists()


def test_a_save_at_the_last_moment_is_noticed(
    vault: Path, backups: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = vault / "Home" / "Garage.md"
    write_private = writing.write_private

    def save_meanwhile(path: Path, data: bytes) -> None:
        write_private(path, data)
        note.write_bytes(b"Something new.\n")

    monkeypatch.setattr(writing, "write_private", save_meanwhile)
    with pytest.raises(NoteChanged):
        apply(vault, edit(), backups)
    assert note.read_bytes() == b"Something new.\n"
    assert files(vault) == ["Home/Garage.md"]


def test_an_undo_after_another_save_is_refused(vault: Path, backups: Path) -> None:
    note = vault / "Home" / "Garage.md"
    applied = apply(vault, edit(), backups)
    note.write_bytes(note.read_bytes() + b"\nMore.\n")
    with pytest.raises(NoteChanged):
        undo(vault, applied)
    assert note.read_bytes().endswith(b"More.\n")


def test_a_damaged_or_missing_backup_is_not_restored(vault: Path, backups: Path) -> None:
    applied = apply(vault, edit(), backups)
    applied.backup.write_bytes(b"something else")
    with pytest.raises(CannotWrite, match="not what was put there"):
        undo(vault, applied)
    applied.backup.unlink()
    with pytest.raises(CannotWrite, match="cannot be read"):
        undo(vault, applied)
    for id in ("0123456789abcdef", "../../etc/passwd", ""):
        with pytest.raises(CannotWrite):
            read_applied(backups, id)


@pytest.mark.parametrize(
    "path", ["../Garage.md", "/etc/hostname", "Home/../../x.md", "Home//Garage.md", "a\0.md"]
)
def test_no_path_leads_out_of_the_vault(vault: Path, backups: Path, path: str) -> None:
    (vault.parent / "Garage.md").write_bytes(OLD)
    with pytest.raises(CannotWrite):
        apply(vault, edit(path), backups)
    assert (vault.parent / "Garage.md").read_bytes() == OLD


def test_links_are_not_followed(vault: Path, backups: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "Garage.md").write_bytes(OLD)
    (vault / "Link.md").symlink_to(outside / "Garage.md")
    (vault / "Folder").symlink_to(outside)
    for path in ("Link.md", "Folder/Garage.md"):
        with pytest.raises(CannotWrite):
            apply(vault, edit(path), backups)
    assert (outside / "Garage.md").read_bytes() == OLD
    assert (vault / "Link.md").is_symlink()


def test_a_note_with_two_names_stays_one(vault: Path, backups: Path) -> None:
    os.link(vault / "Home" / "Garage.md", vault / "Twin.md")
    with pytest.raises(CannotWrite, match="several names"):
        apply(vault, edit(), backups)
    assert (vault / "Twin.md").read_bytes() == OLD


def test_backups_never_lie_in_the_vault(vault: Path) -> None:
    with pytest.raises(CannotWrite, match="inside the vault"):
        apply(vault, edit(), vault / ".backups")
    assert files(vault) == ["Home/Garage.md"]


def test_what_announcing_raises_ends_the_attempt(vault: Path, backups: Path) -> None:
    def refuse(_: Applied) -> None:
        raise RuntimeError("no ledger")

    with pytest.raises(RuntimeError):
        apply(vault, edit(), backups, refuse)
    assert (vault / "Home" / "Garage.md").read_bytes() == OLD
    assert files(vault) == ["Home/Garage.md"]
