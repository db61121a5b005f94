"""Looking at single notes: after a save there is no need to walk the whole vault."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable
from pathlib import Path

from app.vault.settings import VaultSettings
from app.vault.walk import Seen, Walk


def look_at(root: Path, settings: VaultSettings, paths: Iterable[str]) -> Walk | None:
    """A walk that met only these notes, which an earlier one has met; None where one of them is not plainly
    there any more (gone, moved, grown, a link, behind a link), and only a walk of everything can tell."""
    seen: list[Seen] = []
    folders: dict[str, bool] = {}
    base = os.path.realpath(root)
    for path in sorted(set(paths)):
        parts = path.split("/")
        above = ["/".join(parts[:n]) for n in range(1, len(parts))]
        for folder in above:
            if folder not in folders:
                folders[folder] = _is(stat.S_ISDIR, f"{base}/{folder}") is not None
        state = _is(stat.S_ISREG, f"{base}/{path}") if all(folders[folder] for folder in above) else None
        if state is None or state.st_size > settings.max_bytes:
            return None
        seen.append(Seen(path, state.st_size, state.st_mtime_ns, state.st_ino))
    return Walk(tuple(seen)) if seen else None


def _is(kind: Callable[[int], bool], path: str) -> os.stat_result | None:
    """The state of what stands there, if it is of this kind; links are never followed."""
    try:
        state = os.lstat(path)
    except (OSError, ValueError):
        return None
    return state if kind(state.st_mode) else None
