"""How a vault is to be read: folder names, daily-note formats, limits; and asking the vault itself."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from app.regular_file import read_regular

DAILY_FORMATS = ("YYYY-MM-DD", "YYYY_MM_DD", "YYYY.MM.DD", "YYYYMMDD")
"""Names read as dates wherever they stand; the vault's own format comes before these."""

_MAX_CONFIG_BYTES = 64 * 1024
_MAX_FOLDERS_LOOKED_AT = 5_000


@dataclass(frozen=True, slots=True)
class VaultSettings:
    """What the person or the vault says about reading it; everything has a sensible default."""

    silent_folders: tuple[str, ...] = ("Archive", "Templates")
    """Folder names, at any depth and in any case, whose notes never take part in conflicts."""
    draft_folders: tuple[str, ...] = ()
    """Folders (a name at any depth, or a path from the root) whose claims are candidates."""
    folders_are_projects: bool = False
    max_bytes: int = 10 * 1024 * 1024
    daily_formats: tuple[str, ...] = DAILY_FORMATS
    logseq: bool = False
    ignore: tuple[str, ...] = ()
    """Further paths to leave out, as shell-style patterns relative to the vault."""


def vault_settings(root: Path, **overrides: Any) -> VaultSettings:
    """The settings of the vault at `root`: what its own configuration says, then `overrides`."""
    found: dict[str, Any] = {}
    own_format = _obsidian_daily_format(root)
    if own_format:
        found["daily_formats"] = (own_format, *(f for f in DAILY_FORMATS if f != own_format))
    if _has_logseq(root):
        found["logseq"] = True
    return replace(VaultSettings(), **(found | overrides))


def _obsidian_daily_format(root: Path) -> str | None:
    """The moment.js format of the daily-notes plugin, its folder put before it."""
    try:
        stored = json.loads(read_regular(root / ".obsidian" / "daily-notes.json", _MAX_CONFIG_BYTES))
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(stored, dict):
        return None
    format_ = stored.get("format")
    return format_.strip() if isinstance(format_, str) and format_.strip() else None


def _has_logseq(root: Path) -> bool:
    """A folder with both `journals/` and `pages/` in it, at any depth."""
    for looked_at, (_, folders, _) in enumerate(os.walk(root)):
        if "journals" in folders and "pages" in folders:
            return True
        if looked_at > _MAX_FOLDERS_LOOKED_AT:
            break
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "node_modules")
    return False
