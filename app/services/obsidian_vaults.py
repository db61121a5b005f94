"""The vaults that Obsidian has registered on this machine, as its own settings list them."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from app.regular_file import read_regular

_FILES = (
    "Library/Application Support/obsidian/obsidian.json",
    ".var/app/md.obsidian.Obsidian/config/obsidian/obsidian.json",
    "snap/obsidian/current/.config/obsidian/obsidian.json",
    "AppData/Roaming/obsidian/obsidian.json",
)
"""Below the home folder: macOS, Flatpak, Snap, Windows."""
_LARGEST = 1024 * 1024


def obsidian_vaults(environment: Mapping[str, str] | None = None) -> list[Path]:
    """Folders that are there, the one opened last first. Other people's file: whatever is odd in it is left
    out."""
    environment = os.environ if environment is None else environment
    home = Path(environment.get("HOME") or Path.home())
    config = Path(environment.get("XDG_CONFIG_HOME") or home / ".config")
    found: dict[Path, float] = {}
    for file in (config / "obsidian/obsidian.json", *(home / name for name in _FILES)):
        for path, opened_at in _listed(file):
            found[path] = max(opened_at, found.get(path, 0.0))
    return sorted((path for path in found if path.is_dir()), key=lambda path: (-found[path], str(path)))


def _listed(file: Path) -> list[tuple[Path, float]]:
    try:
        vaults = json.loads(read_regular(file, _LARGEST))["vaults"].values()
        return [
            (Path(path), float(one["ts"]) if isinstance(one.get("ts"), int | float) else 0.0)
            for one in vaults
            if isinstance(path := one.get("path"), str) and Path(path).is_absolute()
        ]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return []
