"""The vaults that were opened, the last one first; kept beside the stores."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from app import places
from app.private_files import write_private
from app.regular_file import read_regular

MOST_VAULTS = 12
"""How many recent vaults are remembered."""


def recent() -> list[Path]:
    """Those that are still there."""
    return [path for path in _stored() if _there(path)][:MOST_VAULTS]


def last() -> Path | None:
    """The one opened last; None where it is gone, since the one before it is another vault."""
    path = next(iter(_stored()), None)
    return path if path is not None and _there(path) else None


def remember(root: Path) -> None:
    """Put a vault first; failing to is no reason to fail."""
    with contextlib.suppress(OSError):
        kept = [root, *(path for path in recent() if path != root)][:MOST_VAULTS]
        write_private(_file(), b"\0".join(os.fsencode(path) for path in kept))


def _stored() -> list[Path]:
    try:
        names = read_regular(_file()).split(b"\0")
    except OSError:
        return []
    return list(dict.fromkeys(Path(os.fsdecode(name)) for name in names))


def _there(path: Path) -> bool:
    try:
        return path.is_absolute() and path.is_dir()
    except (OSError, ValueError):
        return False


def _file() -> Path:
    return places.state_dir() / "recent_vaults"
