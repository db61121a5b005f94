"""Opening files that anybody may have put there: a pipe, device or socket is refused, never waited for."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

from app.in_folder import READ_THROUGH


def open_regular(path: Path | str) -> BinaryIO:
    """A regular file, to read; a link is followed. Raises OSError, also where it is no regular file."""
    handle = os.open(path, READ_THROUGH)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def read_regular(path: Path | str, limit: int = -1) -> bytes:
    """A regular file's bytes, at most `limit` of them. Raises OSError."""
    with open_regular(path) as file:
        return file.read(limit)
