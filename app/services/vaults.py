"""Which vault is meant, and opening its store."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from app import places
from app.recent import last, recent, remember
from app.services.errors import ServiceError
from app.store.errors import StoreError

if TYPE_CHECKING:
    from app.store.store import Store


__all__ = ["current_vault", "look_into_store", "open_store", "remember", "store_place", "vault_folder"]


def vault_folder(named: str | None) -> Path:
    """The folder named, else the known vault one stands in, else the last one opened, else this folder."""
    try:
        root = Path(named).expanduser() if named else current_vault() or last() or Path.cwd()
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


def current_vault() -> Path | None:
    """The vault that the current folder is or lies in, the innermost, where Belie has a store of one or it
    was opened before. Raises OSError where the current folder is gone."""
    here, opened = Path.cwd(), set(recent())
    around = (here, *here.parents)
    return next((one for one in around if one in opened or places.store_path(one).is_file()), None)


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
    from app.store.decision_copy import copy_path  # loads the database

    place = store_place(root)
    return open_store(root, in_memory=not (os.path.lexists(place) or os.path.lexists(copy_path(place))))
