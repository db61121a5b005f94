"""Which vault is meant, and opening its store."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from app import places, recent
from app.services.errors import ServiceError
from app.store.errors import StoreError

if TYPE_CHECKING:
    from app.store.store import Store


def vault_folder(named: str | None) -> Path:
    """The folder named, else the last one opened, else the current one."""
    try:
        root = Path(named).expanduser() if named else _last_opened() or Path.cwd()
        if not root.exists():
            raise ServiceError(f"There is no folder {root}.")
        if not root.is_dir():
            raise ServiceError(f"{root} is a file; a vault is a folder of notes.")
        if not os.access(root, os.R_OK | os.X_OK):
            raise ServiceError(f"The folder {root} cannot be read: permission denied.")
        return root.resolve()
    except OSError as error:  # a name too long, a folder above that is closed, a current folder that is gone
        raise ServiceError(f"The folder {named or '.'} cannot be opened: {error.strerror}.") from error
    except RuntimeError as error:  # ~somebody
        raise ServiceError(f"The folder {named} cannot be opened: {error}") from error


def remember(root: Path) -> None:
    """Keep the vault for commands that name none; failing to is no reason to fail."""
    with contextlib.suppress(OSError):
        places.state_dir().mkdir(parents=True, exist_ok=True, mode=0o700)
        _last_file().write_bytes(os.fsencode(root))
    recent.remember(root)


def _last_file() -> Path:
    return places.state_dir() / "last_vault"


def _last_opened() -> Path | None:
    try:
        path = Path(os.fsdecode(_last_file().read_bytes()))
        return path if path.is_absolute() and path.is_dir() else None
    except (OSError, ValueError):
        return None


def store_place(root: Path, named: str | None = None) -> Path:
    """Where the vault's store is, or the one named by the person; never inside the vault."""
    where = Path(named).expanduser() if named is not None else places.store_path(root)
    if where.resolve().is_relative_to(root):
        raise ServiceError(f"The store {where} would lie inside the vault; choose another place.")
    return where


def open_store(root: Path, named: str | None = None, *, in_memory: bool = False) -> Store:
    """The vault's own store, or the one the person named."""
    from app.store.store import Store  # the workspace opens its stores behind the first paint

    where: Path | Literal[":memory:"] = ":memory:"
    if named != ":memory:" and not (in_memory and named is None):
        where = store_place(root, named)
    try:
        return Store.open(where)
    except StoreError as error:
        raise ServiceError(str(error)) from error


def look_into_store(root: Path) -> Store:
    """The vault's own store; an empty one in memory where there is none yet, since looking makes nothing."""
    return open_store(root, in_memory=not os.path.lexists(store_place(root)))
