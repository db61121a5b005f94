"""Folders and files for the person alone, whatever the umask says."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

FILE, FOLDER = 0o600, 0o700


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
