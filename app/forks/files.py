"""Where forks lie: beside the store they were made from, one SQLite file each, named by the person."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

from app.store.errors import Refused
from app.store.store import Store

_LONGEST = 40
_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")


def slug(name: str) -> str:
    """A name as it is kept: "Keep the old pump!" is keep-the-old-pump."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:_LONGEST].strip("-")


def place(store: Path, name: str) -> Path:
    """The file of a fork; its name can be nothing but a name."""
    kept = slug(name)
    if not kept:
        raise Refused(f"“{name}” is no name for a fork: give it a letter or a digit.")
    return store.with_name(f"{store.stem}.fork-{kept}.db")


def names(store: Path) -> list[str]:
    """The forks there are of a store."""
    start = f"{store.stem}.fork-"
    found = (p.name.removeprefix(start).removesuffix(".db") for p in store.parent.glob("*.fork-*.db"))
    return sorted(name for name in found if _NAME.fullmatch(name) and place(store, name).is_file())


def make(store: Store, name: str, seq: int | None = None) -> int:
    """A new fork at an event (default: the present); returns the last event they share."""
    if not isinstance(store.path, Path):
        raise Refused("A store in memory cannot be forked.")
    file = place(store.path, name)
    if file.exists():
        raise Refused(f"There is a fork {name} already; discard it or choose another name.")
    return store.fork_to(file, store.ledger.last_event() if seq is None else seq)


def open_fork(store: Path, name: str) -> Store:
    file = place(store, name)
    if not file.is_file():
        raise Refused(f"There is no fork {name}.")
    return Store.open(file)


def discard(store: Path, name: str) -> None:
    """Take its files away; the store it was made from knows nothing of it."""
    file = place(store, name)
    if not file.is_file():
        raise Refused(f"There is no fork {name}.")
    for one in (file, file.with_name(f"{file.name}-wal"), file.with_name(f"{file.name}-shm")):
        one.unlink(missing_ok=True)
