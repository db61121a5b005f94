"""The models' log: one file, one older one; the last error in it is what `belie doctor` shows."""

from __future__ import annotations

import contextlib
import re
from datetime import UTC, datetime
from pathlib import Path

from app import places
from app.private_files import make_private
from app.regular_file import open_regular

_LARGEST = 1_000_000
_TAIL = 64_000
_ERROR = re.compile(r"^(\S+) error (.+)$")


def log_path() -> Path:
    return places.log_dir() / "models.log"


def ready(path: Path) -> Path | None:
    """The file to append to, after turning a long one over; None where it cannot be written."""
    try:
        make_private(path.parent)
        if path.exists() and path.stat().st_size > _LARGEST:
            path.replace(path.with_name(path.name + ".1"))
        with path.open("ab"):
            path.chmod(0o600)
    except OSError:
        return None
    return path


def note_error(path: Path, line: str) -> None:
    stamp = datetime.now(UTC).isoformat(timespec="seconds")
    with contextlib.suppress(OSError), path.open("a", encoding="utf-8") as file:
        file.write(f"{stamp} error {line}\n")


def last_error(path: Path) -> tuple[str, str] | None:
    """(when, what) of the newest error in the log."""
    try:
        with open_regular(path) as file:
            file.seek(0, 2)
            file.seek(max(0, file.tell() - _TAIL))
            lines = file.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return None
    for line in reversed(lines):
        if found := _ERROR.match(line):
            return found[1], found[2]
    return None
