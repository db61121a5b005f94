"""Folders and files for the person alone, whatever the umask says."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from app import in_folder
from app.in_folder import Folder

FILE, FOLDER = 0o600, 0o700
# Hidden and ending so, it is a note to nobody, should the machine stop before it is renamed.
PREFIX, SUFFIX = ".belie-", ".tmp"


def make_private(folder: Path) -> None:
    """The folder, and those above it, as far as they are missing. Raises OSError."""
    missing: list[Path] = []
    while not folder.is_dir():
        missing.append(folder)
        folder = folder.parent
    for one in reversed(missing):
        with contextlib.suppress(FileExistsError):  # another process was quicker; a file is told by the next
            one.mkdir(FOLDER)
            one.chmod(FOLDER)


def make_private_file(path: Path) -> None:
    """An empty file, unless there is one. Raises OSError."""
    handle = os.open(path, in_folder.ANY, FILE)
    try:
        if os.fstat(handle).st_size == 0:
            in_folder.set_mode(handle, FILE)
    finally:
        os.close(handle)


def write_whole(path: Path, data: bytes) -> None:
    """A file with these bytes, on the disk, whole or as it was before. Raises OSError."""
    beside = path.with_name(f"{PREFIX}{secrets.token_hex(8)}{SUFFIX}")
    folder = in_folder.open_folder(path.parent)
    try:
        alone_in(folder)
        try:
            make_private_file(beside)
            with beside.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            in_folder.replace(beside, path)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise
        in_folder.sync(folder)
    finally:
        in_folder.close(folder)


def write_private(path: Path, data: bytes) -> None:
    """The same in a folder for the person alone, which is made where there is none. Raises OSError."""
    make_private(path.parent)
    write_whole(path, data)


def alone_in(folder: Folder) -> None:
    """Wait for others of our own kind, and remove what one of them left when it was stopped halfway. Without
    locks nobody waits, and nobody knows whether it is a leftover; the checks stay."""
    if in_folder.lock(folder):
        _remove_leftovers(folder)


def _remove_leftovers(folder: Folder) -> None:
    with contextlib.suppress(OSError):
        for name in filter(is_leftover, in_folder.names(folder)):
            in_folder.remove(folder, name)


def tidy(folder: Path) -> None:
    """Remove from a folder what an interrupted write left, unless one is under way; failing to is no reason
    to fail."""
    with contextlib.suppress(OSError):
        if not any(is_leftover(path.name) for path in folder.iterdir()):
            return
        opened = in_folder.open_folder(folder)
        try:
            if in_folder.lock(opened, wait=False):
                _remove_leftovers(opened)
        finally:
            in_folder.close(opened)


def is_leftover(path: str) -> bool:
    """A file of ours that should have been renamed, unless somebody is writing just now."""
    return path.endswith(SUFFIX) and path.rpartition("/")[2].startswith(PREFIX)
