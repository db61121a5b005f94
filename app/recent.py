"""The vaults that were opened, the last one first; kept beside the stores."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from app import places
from app.regular_file import read_regular
from app.vault.files import write_private

MOST = 12


def recent() -> list[Path]:
    """Those that are still there."""
    try:
        stored = read_regular(_file()).split(b"\0")
    except OSError:
        return []
    found: list[Path] = []
    for name in stored:
        with contextlib.suppress(OSError, ValueError):
            path = Path(os.fsdecode(name))
            if path.is_absolute() and path.is_dir() and path not in found:
                found.append(path)
    return found[:MOST]


def remember(root: Path) -> None:
    """Put a vault first; failing to is no reason to fail."""
    with contextlib.suppress(OSError):
        kept = [root, *(path for path in recent() if path != root)][:MOST]
        write_private(_file(), b"\0".join(os.fsencode(path) for path in kept))


def _file() -> Path:
    return places.state_dir() / "recent_vaults"
