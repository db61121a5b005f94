"""Folders and files for the person alone, whatever the umask says."""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
from pathlib import Path

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
    handle = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, FILE)
    try:
        if os.fstat(handle).st_size == 0:
            os.fchmod(handle, FILE)
    finally:
        os.close(handle)


def write_whole(path: Path, data: bytes) -> None:
    """A file with these bytes, on the disk, whole or as it was before. Raises OSError."""
    beside = path.with_name(f"{PREFIX}{secrets.token_hex(8)}{SUFFIX}")
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        alone_in(folder)
        try:
            make_private_file(beside)
            with beside.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(path)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise
        with contextlib.suppress(OSError):  # not every file system can
            os.fsync(folder)
    finally:
        os.close(folder)


def alone_in(folder: int) -> None:
    """Wait for others of our own kind, and remove what one of them left when it was stopped halfway."""
    with contextlib.suppress(OSError):  # some file systems know no locks; the checks stay
        fcntl.flock(folder, fcntl.LOCK_EX)
        for name in filter(is_leftover, os.listdir(folder)):
            os.unlink(name, dir_fd=folder)


def is_leftover(path: str) -> bool:
    """A file of ours that should have been renamed, unless somebody is writing just now."""
    return path.endswith(SUFFIX) and path.rpartition("/")[2].startswith(PREFIX)
