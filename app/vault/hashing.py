"""Content hashes, and reading a note's bytes without being led out of the vault or caught mid-save."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import time
from pathlib import Path

from app.in_folder import READ
from app.vault.files import folder_of, open_in

_CHUNK = 1 << 20
_TRIES = 4
_PAUSE = 0.02
"""Seconds between two tries at a file that is being written; an editor is done in far less."""


def hash_bytes(data: bytes) -> str:
    """The blake2b-128 of the bytes, in hex."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def hash_file(path: Path | str) -> str | None:
    """The hash of a regular file's bytes; None when it cannot be read, is a link, or is no regular file."""
    try:
        handle = os.open(path, READ)
    except (OSError, ValueError):
        return None
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return None
        digest = hashlib.blake2b(digest_size=16)
        while chunk := os.read(handle, _CHUNK):
            digest.update(chunk)
        return digest.hexdigest()
    except OSError:
        return None
    finally:
        os.close(handle)


def read_bytes(root: Path, rel: str, max_bytes: int) -> bytes:
    """The bytes of the note at `rel`, taken while the file held still.

    Raises OSError, and nothing else, when the note cannot be read: gone, forbidden, too large, no regular
    file, reached through a link, outside the vault, or still being written after a few tries.
    """
    for attempt in range(_TRIES):
        if attempt:
            time.sleep(_PAUSE)
        with folder_of(root, rel) as folder, open_in(folder, rel.rsplit("/", 1)[-1]) as handle:
            before = os.fstat(handle)
            if not stat.S_ISREG(before.st_mode):
                raise OSError(errno.EINVAL, "not a regular file", rel)
            # One byte more than allowed, so that a file that grows while it is read is noticed too.
            data = _read_up_to(handle, max_bytes + 1)
            if len(data) > max_bytes:
                raise OSError(errno.EFBIG, f"larger than {max_bytes} bytes", rel)
            after = os.fstat(handle)
            if _state(before) == _state(after) and len(data) == after.st_size:
                return data
    raise OSError(errno.EBUSY, "still being written", rel)


def _read_up_to(handle: int, limit: int) -> bytes:
    chunks: list[bytes] = []
    while limit > 0 and (chunk := os.read(handle, min(limit, _CHUNK))):
        chunks.append(chunk)
        limit -= len(chunk)
    return b"".join(chunks)


def _state(seen: os.stat_result) -> tuple[int, int, int]:
    return seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns
