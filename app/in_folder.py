"""Files of an open folder, named relative to it, so that nobody can put a link in the way meanwhile.

Windows has no handles of folders: there a folder is its path, looked at step by step. Between the look and
the deed somebody could change it, which takes somebody who can already write to the vault. `BY_HANDLE` says
which.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import TypedDict

_locks: ModuleType | None
try:
    import fcntl as _locks
except ImportError:  # Windows
    _locks = None

Folder = int | Path
BY_HANDLE = os.open in os.supports_dir_fd and hasattr(os, "O_DIRECTORY")
# Windows has none of the first four, and would change line ends without the last, which nobody else has.
_NOFOLLOW, _NONBLOCK, _CLOEXEC, _DIRECTORY, _BINARY = (
    getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_DIRECTORY", "O_BINARY")
)
# A link is never read through, and opening a pipe returns at once instead of hanging.
READ = os.O_RDONLY | _NOFOLLOW | _NONBLOCK | _CLOEXEC | _BINARY
READ_THROUGH = os.O_RDONLY | _NONBLOCK | _CLOEXEC | _BINARY
NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NOFOLLOW | _CLOEXEC | _BINARY
ANY = os.O_WRONLY | os.O_CREAT | _CLOEXEC | _BINARY
_MOUNT_POINT = 0xA0000003
"""What Windows calls a junction, which is a link to a folder."""
_PATIENCE = 2.0
"""Seconds in which another program (an editor, a virus scanner) may let go of a file to be replaced."""


class _At(TypedDict, total=False):
    dir_fd: int


def open_folder(path: Path) -> Folder:
    """The person's own folder: it may be a link. Raises OSError."""
    if BY_HANDLE:
        return os.open(path, os.O_RDONLY | _DIRECTORY | _CLOEXEC)
    if not stat.S_ISDIR(path.stat().st_mode):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path))
    return path


def open_inner(folder: Folder, name: str) -> Folder:
    """A folder in it, which is no link. Raises OSError."""
    if isinstance(folder, int):
        return os.open(name, os.O_RDONLY | _NOFOLLOW | _DIRECTORY | _CLOEXEC, dir_fd=folder)
    inner = folder / name
    found = inner.lstat()
    if _is_link(found) or not stat.S_ISDIR(found.st_mode):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(inner))
    return inner


def close(folder: Folder) -> None:
    if isinstance(folder, int):
        os.close(folder)


def sync(folder: Folder) -> None:
    """Have the disk know the names in it, where the system can."""
    if isinstance(folder, int):
        with contextlib.suppress(OSError):
            os.fsync(folder)


def lock(folder: Folder, *, wait: bool = True) -> bool:
    """Have a folder to ourselves until it is closed, after waiting for others of our own kind; False where
    that cannot be had, or somebody else has it and `wait` is off."""
    if _locks is None or not isinstance(folder, int):
        return False
    try:
        _locks.flock(folder, _locks.LOCK_EX | (0 if wait else _locks.LOCK_NB))
    except OSError:  # some file systems know no locks
        return False
    return True


def lock_file(handle: int) -> bool:
    """Have a file to ourselves until it is closed; False where another process has it. Does not wait."""
    if _locks is None:
        return _lock_far_byte(handle)
    try:
        _locks.flock(handle, _locks.LOCK_EX | _locks.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _lock_far_byte(handle: int) -> bool:
    """Windows keeps others from reading what is locked, so it is a byte far behind the end."""
    if sys.platform == "win32":
        import msvcrt

        at = os.lseek(handle, 0, os.SEEK_CUR)
        os.lseek(handle, 0x7FFF_0000, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(handle, at, os.SEEK_SET)
    return True


def open_file(folder: Folder, name: str, flags: int, mode: int = 0o777) -> int:
    if isinstance(folder, int):
        return os.open(name, flags, mode, dir_fd=folder)
    with contextlib.suppress(FileNotFoundError):
        if _is_link((folder / name).lstat()):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(folder / name))
    return os.open(folder / name, flags, mode)


def status(folder: Folder, name: str) -> os.stat_result:
    return os.stat(_named(folder, name), follow_symlinks=False, **_at(folder))  # noqa: PTH116


def names(folder: Folder) -> list[str]:
    return os.listdir(folder)  # noqa: PTH208


def make_folder(folder: Folder, name: str) -> None:
    os.mkdir(_named(folder, name), **_at(folder))  # noqa: PTH102


def remove(folder: Folder, name: str) -> None:
    os.unlink(_named(folder, name), **_at(folder))


def may_write(folder: Folder, name: str) -> bool:
    return os.access(_named(folder, name), os.W_OK, **_at(folder))


def name_too(folder: Folder, old: str, new: str) -> None:
    """A second name for a file; raises FileExistsError where it is taken."""
    if isinstance(folder, int):
        os.link(old, new, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
    else:
        os.link(folder / old, folder / new)


def rename(folder: Folder, old: str, new: str) -> None:
    """Over whatever has that name."""
    if isinstance(folder, int):
        os.replace(old, new, src_dir_fd=folder, dst_dir_fd=folder)
    else:
        replace(folder / old, folder / new)


def replace(old: Path, new: Path) -> None:
    """Rename over another file. On Windows one that is open elsewhere is in the way, mostly for a moment."""
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            old.replace(new)
            return
        except PermissionError:
            if os.name == "posix" or time.monotonic() > until:
                raise
            time.sleep(0.05)


def set_mode(handle: int, mode: int) -> None:
    """Windows has no modes: what lies in the person's folders is theirs by its access list."""
    if hasattr(os, "fchmod"):
        os.fchmod(handle, mode)


def _named(folder: Folder, name: str) -> str | Path:
    return name if isinstance(folder, int) else folder / name


def _at(folder: Folder) -> _At:
    return {"dir_fd": folder} if isinstance(folder, int) else {}


def _is_link(found: os.stat_result) -> bool:
    return stat.S_ISLNK(found.st_mode) or getattr(found, "st_reparse_tag", 0) == _MOUNT_POINT
