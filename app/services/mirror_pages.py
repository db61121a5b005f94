"""The mirror's pages of a vault: where they are kept, and writing them."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote

from app import places
from app.mirror.pages import pages
from app.mirror.write import Written, write_pages
from app.store.store import Store


def write_mirror(store: Store, root: Path, folder: Path) -> Written:
    """Write every page of a vault; raises CannotMirror."""
    contested = [*store.conflicts.open(), *store.conflicts.with_status("snoozed")]
    made = pages(store.claims.active(), contested, vault=root.name, base=_base(root, folder))
    return write_pages(folder, made)


def default_folder(root: Path) -> Path:
    return places.state_dir() / "mirror" / places.store_path(root).stem


def _base(root: Path, folder: Path) -> str:
    """What a link to a note begins with: a way from page to note inside the vault, else the file itself."""
    where = folder.resolve()
    if where.is_relative_to(root):
        up = os.path.relpath(root, where)
        return "" if up == "." else f"{up}/"
    return f"file://{quote(os.fsencode(root))}/"
