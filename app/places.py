"""Where Belie's files live: what ships with it, and the person's state, configuration, cache and logs."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

import platformdirs

_NAME = "belie"
_PACKAGE = Path(__file__).resolve().parent


def _shipped(name: str) -> Path:
    """A folder that stands beside the package in a checkout and inside it in an installed wheel."""
    installed = _PACKAGE / "_data" / name
    return installed if installed.is_dir() else _PACKAGE.parent / name


def in_checkout() -> bool:
    """Does the program run from a checkout of its source, and not from an installed package?"""
    return not (_PACKAGE / "_data").is_dir()


def themes_dir() -> Path:
    return _shipped("themes")


def sample_vault() -> Path:
    return _shipped("sample_vault")


def _home() -> Path | None:
    """BELIE_HOME gathers everything under one folder, for tests and for a stick one carries around."""
    named = os.environ.get("BELIE_HOME")
    return Path(named).expanduser().absolute() if named else None


def state_dir() -> Path:
    home = _home()
    return home / "state" if home else platformdirs.user_state_path(_NAME, appauthor=False)


def config_dir() -> Path:
    home = _home()
    return home / "config" if home else platformdirs.user_config_path(_NAME, appauthor=False)


def cache_dir() -> Path:
    home = _home()
    return home / "cache" if home else platformdirs.user_cache_path(_NAME, appauthor=False)


def log_dir() -> Path:
    home = _home()
    return home / "log" if home else platformdirs.user_log_path(_NAME, appauthor=False)


def models_dir() -> Path:
    """Where what `belie models pull` fetched is kept."""
    return state_dir() / "models"


def backups_dir() -> Path:
    """Where notes are kept as they were before an edit."""
    return state_dir() / "backups"


def store_path(vault: Path) -> Path:
    """The store of one vault: readable by its name, told apart by a hash of where it really is.

    Nothing is created here; whoever opens the store makes the folder, private to the person.
    """
    where = vault.resolve()
    slug = re.sub(r"[^a-z0-9]+", "-", where.name.lower()).strip("-")[:40].rstrip("-") or "vault"
    # Names on disk need not be valid UTF-8; fsencode keeps their bytes.
    digest = hashlib.blake2b(os.fsencode(where), digest_size=4).hexdigest()
    return state_dir() / "vaults" / f"{slug}-{digest}.db"
