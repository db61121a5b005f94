"""Making an edit and taking it back: only on the file that was read, whole or not at all, backed up first."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from app import in_folder
from app.private_files import write_private
from app.regular_file import read_regular
from app.vault.files import alone_with, read_in, replace_in
from app.vault.hashing import hash_bytes
from app.writeback.edits import STYLES, Applied, AsBefore, CannotWrite, Edit, NoteChanged


def _nothing(_: Applied) -> None:
    pass


def apply(
    root: Path, edit: Edit, backup_dir: Path, announce: Callable[[Applied], None] = _nothing
) -> Applied:
    """Write the edit into its note. Raises CannotWrite, and then the note is as it was.

    The old bytes and a record are in `backup_dir` (outside the vault) before the note changes, and
    `announce` is called last before it does: what it raises ends the attempt. So whatever moment the
    machine stops at, the note is old or new as a whole, and a new one has its backup and its event.
    """
    if _inside(backup_dir, root):
        raise CannotWrite("The backups would lie inside the vault.")
    id = secrets.token_hex(8)
    after = edit.after
    applied = Applied(id, edit.path, edit.style, edit.expected, hash_bytes(after), backup_dir / f"{id}.bak")

    def prepare() -> None:
        write_private(applied.backup, edit.before)
        write_private(backup_dir / f"{id}.json", _record(applied))

    _write(root, edit.path, edit.expected, after, prepare, lambda: announce(applied))
    return applied


def apply_for_good(root: Path, edit: Edit, announce: Callable[[], None]) -> None:
    """Write the edit with no way back: a backup would keep what is to be gone."""
    _write(root, edit.path, edit.expected, edit.after, lambda: None, announce)


def undo(root: Path, applied: Applied) -> None:
    """Restore the bytes an edit found. Raises NoteChanged where the note has changed since."""
    try:
        old = read_regular(applied.backup)
    except OSError as error:
        raise CannotWrite(f"The backup {applied.backup} cannot be read: {error.strerror}.") from error
    if hash_bytes(old) != applied.was:
        raise CannotWrite(f"The backup {applied.backup} is not what was put there.")
    _write(root, applied.path, applied.now, old, lambda: None, lambda: None, applied.was)


def read_applied(backup_dir: Path, id: str) -> Applied:
    """The record of an edit made earlier."""
    if not id.isalnum():
        raise CannotWrite(f"{id} names no backup.")
    try:
        found = json.loads(read_regular(backup_dir / f"{id}.json"))
        if found["style"] not in STYLES:
            raise ValueError(found["style"])
        texts = {name: str(found[name]) for name in ("id", "path", "style", "was", "now")}
        return Applied(**texts, backup=backup_dir / f"{id}.bak")  # type: ignore[arg-type]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CannotWrite("The backup of that edit is gone, so it cannot be taken back.") from error


def _record(applied: Applied) -> bytes:
    return json.dumps({**asdict(applied), "backup": applied.backup.name}).encode()


def _write(
    root: Path,
    path: str,
    expected: str,
    data: bytes,
    prepare: Callable[[], None],
    announce: Callable[[], None],
    restored: str = "",
) -> None:
    name = path.rsplit("/", 1)[-1]
    try:
        with alone_with(root, path) as folder:
            found, seen = read_in(folder, name)
            _expect(path, hash_bytes(found), expected, restored)
            if seen.st_nlink > 1:
                raise CannotWrite(f"{path} has several names on disk; replacing it would part them.")
            if not in_folder.may_write(folder, name):
                raise CannotWrite(f"{path} may not be written.")
            prepare()

            def last_look() -> None:
                again, _ = read_in(folder, name)
                _expect(path, hash_bytes(again), expected, restored)
                announce()

            replace_in(folder, name, data, like=seen, just_before=last_look)
    except OSError as error:
        raise CannotWrite(f"{path} cannot be written: {error.strerror or error}.") from error


def _expect(path: str, found: str, expected: str, restored: str) -> None:
    if found == restored:
        raise AsBefore(f"{path} is already as it was before.")
    if found != expected:
        raise NoteChanged(f"{path} has changed since it was read; nothing was written.")


def _inside(folder: Path, root: Path) -> bool:
    return folder.resolve().is_relative_to(root.resolve())
