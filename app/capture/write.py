"""Writing the inbox: whole or not at all, only over what was read, never through a link, never outside."""

from __future__ import annotations

import errno
from pathlib import Path

from app import in_folder
from app.capture.outcomes import CaptureError, InboxChanged
from app.vault.files import alone_with, create_in, replace_in
from app.vault.hashing import hash_bytes, read_bytes


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
    name = path.rsplit("/", 1)[-1]
    try:
        # Another capture waits here; an editor does not, so the bytes are looked at again.
        with alone_with(root, path, make=True) as folder:
            _check(root, path, before, max_bytes)
            if before is None:
                create_in(folder, name, after)
            else:
                replace_in(
                    folder, name, after, like=in_folder.status(folder, name),
                    just_before=lambda: _check(root, path, before, max_bytes),
                )  # fmt: skip
    except FileExistsError:
        raise InboxChanged from None
    except OSError as error:
        raise CaptureError(f"{path} cannot be written: {_why(error)}.") from error


def _check(root: Path, path: str, before: bytes | None, max_bytes: int) -> None:
    now = read_inbox(root, path, max_bytes)
    if (now is None) != (before is None) or hash_bytes(now or b"") != hash_bytes(before or b""):
        raise InboxChanged


def _why(error: OSError) -> str:
    if error.errno in (errno.ELOOP, errno.ENOTDIR):
        return "it is or lies behind a link, which is never followed"
    text = error.strerror or str(error)
    return text[0].lower() + text[1:]
