"""Files of the vault: reached folder by folder so that no link leads elsewhere, replaced in one step."""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from app import in_folder
from app.in_folder import Folder
from app.private_files import FILE, PREFIX, SUFFIX, alone_in


@contextmanager
def folder_of(root: Path, rel: str, *, make: bool = False) -> Iterator[Folder]:
    """The folder of a path inside the vault, opened one part at a time so that none is a link, not even
    for a moment; with `make`, missing ones are made. Raises OSError."""
    parts = rel.split("/")
    if "\0" in rel or any(part in ("", ".", "..") for part in parts):
        raise PermissionError(errno.EPERM, "not a path inside the vault", rel)
    # The root may itself be a link: the person chose it.
    folder = in_folder.open_folder(root)
    try:
        for part in parts[:-1]:
            if make:
                with contextlib.suppress(FileExistsError):
                    in_folder.make_folder(folder, part)
            inner = in_folder.open_inner(folder, part)
            in_folder.close(folder)
            folder = inner
        yield folder
    finally:
        in_folder.close(folder)


@contextmanager
def open_in(folder: Folder, name: str) -> Iterator[int]:
    """A file of a folder, to read; never a link, and a pipe does not make one wait. Raises OSError."""
    handle = in_folder.open_file(folder, name, in_folder.READ)
    try:
        yield handle
    finally:
        os.close(handle)


@contextmanager
def alone_with(root: Path, rel: str, *, make: bool = False) -> Iterator[Folder]:
    """The folder of a path, locked against our own kind while the block runs."""
    with folder_of(root, rel, make=make) as folder:
        alone_in(folder)
        yield folder


def remove_leftovers(root: Path, paths: Iterable[str]) -> None:
    """Remove such files from the vault, where whoever made them is no longer at it; failing to is no reason
    to fail."""
    for folder in {path.rpartition("/")[0] for path in paths}:
        with contextlib.suppress(OSError), alone_with(root, f"{folder}/x" if folder else "x"):
            pass  # whoever comes alone into a folder tidies up first


def read_in(folder: Folder, name: str) -> tuple[bytes, os.stat_result]:
    """A regular file's bytes and what the file system says of it; raises OSError."""
    with open_in(folder, name) as handle:
        seen = os.fstat(handle)
        if not stat.S_ISREG(seen.st_mode):
            raise OSError(errno.EINVAL, "not a regular file", name)
        chunks: list[bytes] = []
        while chunk := os.read(handle, 1 << 20):
            chunks.append(chunk)
        return b"".join(chunks), seen


def replace_in(
    folder: Folder, name: str, data: bytes, *, like: os.stat_result | None = None,
    just_before: Callable[[], None] = lambda: None,
) -> None:  # fmt: skip
    """Put `data` in the file's place whole: written beside it, forced to disk, renamed over it.

    The new file takes mode, owner and extended attributes of the old one (`like`), else it is private.
    `just_before` is called when all that is left is the renaming; what it raises ends the attempt.
    """
    with _beside(folder, data, FILE, lambda handle: _resemble(folder, name, handle, like)) as temporary:
        just_before()
        in_folder.rename(folder, temporary, name)


def create_in(folder: Folder, name: str, data: bytes) -> None:
    """A new file with the mode of any new file, whole; raises FileExistsError where the name is taken."""
    with _beside(folder, data, 0o666, lambda _: None) as temporary:
        try:
            in_folder.name_too(folder, temporary, name)
        except OSError as error:
            if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.ENOSYS, errno.EMLINK):
                raise
            # A file system without links.
            in_folder.rename(folder, temporary, name)
        else:
            in_folder.remove(folder, temporary)


@contextmanager
def _beside(folder: Folder, data: bytes, mode: int, finish: Callable[[int], None]) -> Iterator[str]:
    """The bytes on disk under a name of our own; the block gives them their own, or they go."""
    temporary = f"{PREFIX}{secrets.token_hex(8)}{SUFFIX}"
    handle = in_folder.open_file(folder, temporary, in_folder.NEW, mode)
    try:
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(handle, rest) :]
            finish(handle)
            os.fsync(handle)
        finally:
            os.close(handle)
        yield temporary
    except BaseException:
        with contextlib.suppress(OSError):
            in_folder.remove(folder, temporary)
        raise
    in_folder.sync(folder)


def _resemble(folder: Folder, name: str, handle: int, like: os.stat_result | None) -> None:
    if like is None:
        in_folder.set_mode(handle, FILE)
        return
    made = os.fstat(handle)
    if (made.st_uid, made.st_gid) != (like.st_uid, like.st_gid) and hasattr(os, "fchown"):
        with contextlib.suppress(OSError):
            os.fchown(handle, like.st_uid, like.st_gid)
    in_folder.set_mode(handle, stat.S_IMODE(like.st_mode))
    if not hasattr(os, "listxattr"):
        return
    with contextlib.suppress(OSError), open_in(folder, name) as old:
        for attribute in os.listxattr(old):
            with contextlib.suppress(OSError):
                os.setxattr(handle, attribute, os.getxattr(old, attribute))
