"""The sample vault to play with: a copy in Belie's own folder, so that the one that ships stays as it is."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from pathlib import Path

from app import places
from app.private_files import make_private
from app.regular_file import read_regular
from app.services.errors import ServiceError


def demo_vault() -> Path:
    """The copy, kept from one time to the next, and made anew when another sample ships."""
    sample, folder = places.sample_vault(), places.state_dir() / "demo"
    copy, mark = folder / sample.name, folder / "copied"
    try:
        digest = _digest(sample)
        if not copy.is_dir() or not mark.is_file() or read_regular(mark).decode() != digest:
            make_private(folder)
            mark.unlink(missing_ok=True)
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(sample, copy)
            _let_write(copy)
            mark.write_text(digest)  # last: a copy that was cut short is made again
    except (OSError, shutil.Error) as error:
        raise ServiceError(f"The sample vault cannot be copied to {copy}: {error}.") from error
    return copy


def _digest(folder: Path) -> str:
    found = hashlib.blake2b(digest_size=16)
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        found.update(os.fsencode(file.relative_to(folder)) + b"\0" + read_regular(file) + b"\0")
    return found.hexdigest()


def _let_write(folder: Path) -> None:
    """The program may be installed read-only; its copy must not be."""
    for path in (folder, *folder.rglob("*")):
        with contextlib.suppress(OSError):
            path.chmod(path.stat().st_mode | 0o200)
