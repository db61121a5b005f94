"""Writing the inbox: whole or not at all, only over what was read, never through a link, never outside."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.capture.words import CaptureError, InboxChanged
from app.vault.hashing import hash_bytes, read_bytes

_FOLDER = os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def read_inbox(root: Path, path: str, max_bytes: int) -> bytes | None:
    """The note's bytes; None where there is none yet."""
    try:
        return read_bytes(root, path, max_bytes)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CaptureError(f"{path} cannot be read: {_why(error)}.") from error


def write_inbox(root: Path, path: str, before: bytes | None, after: bytes, max_bytes: int) -> None:
    """Put `after` in the place of `before`; raises InboxChanged where something else stands there by now."""
    if len(after) > max_bytes:
        raise CaptureError(f"{path} would grow larger than {max_bytes:,} bytes and no longer be read.")
    try:
        with _folder(root, path) as folder:
            # Another capture waits here; an editor does not, so the bytes are looked at again.
            fcntl.flock(folder, fcntl.LOCK_EX)
            _check(root, path, before, max_bytes)
            _put(folder, path.rsplit("/", 1)[-1], before, after)
    except OSError as error:
        raise CaptureError(f"{path} cannot be written: {_why(error)}.") from error


def _check(root: Path, path: str, before: bytes | None, max_bytes: int) -> None:
    now = read_inbox(root, path, max_bytes)
    if (now is None) != (before is None) or hash_bytes(now or b"") != hash_bytes(before or b""):
        raise InboxChanged


def _put(folder: int, name: str, before: bytes | None, after: bytes) -> None:
    # Hidden and temporary by its name, so that nothing takes it for a note.
    temporary = f".{name}.{secrets.token_hex(4)}.tmp"
    handle = os.open(temporary, _NEW, 0o666, dir_fd=folder)
    try:
        try:
            if before is not None:
                _like(handle, os.stat(name, dir_fd=folder, follow_symlinks=False))
            _write_all(handle, after)
            os.fsync(handle)
        finally:
            os.close(handle)
        if before is None:
            _put_new(folder, temporary, name)
        else:
            os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary, dir_fd=folder)
        raise
    with contextlib.suppress(OSError):  # not every file system can
        os.fsync(folder)


def _put_new(folder: int, temporary: str, name: str) -> None:
    """Give the file its name unless somebody took it meanwhile."""
    try:
        os.link(temporary, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
    except FileExistsError:
        raise InboxChanged from None
    except OSError as error:  # a file system without links
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK):
            raise
        os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
    else:
        os.unlink(temporary, dir_fd=folder)


def _like(handle: int, old: os.stat_result) -> None:
    """Mode, and as far as one may owner and group, of the file that is replaced."""
    if not stat.S_ISREG(old.st_mode):
        raise OSError(errno.EINVAL, "not a regular file")
    new = os.fstat(handle)
    if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid):
        with contextlib.suppress(OSError):
            os.fchown(handle, old.st_uid, old.st_gid)
    os.fchmod(handle, stat.S_IMODE(old.st_mode))


def _write_all(handle: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


@contextmanager
def _folder(root: Path, path: str) -> Iterator[int]:
    """The folder of the note, opened one part at a time so that none is a link; made where it is missing."""
    # The root may itself be a link: the person chose it.
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for part in path.split("/")[:-1]:
            with contextlib.suppress(FileExistsError):
                os.mkdir(part, dir_fd=folder)
            inner = os.open(part, _FOLDER, dir_fd=folder)
            os.close(folder)
            folder = inner
        yield folder
    finally:
        os.close(folder)


def _why(error: OSError) -> str:
    if error.errno in (errno.ELOOP, errno.ENOTDIR):
        return "it is or lies behind a link, which is never followed"
    text = error.strerror or str(error)
    return text[0].lower() + text[1:]
