"""The person's configuration: one YAML file in their own config folder, never in a vault."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import yaml

from app import places
from app.vault.settings import VaultSettings

_MAX_BYTES = 256 * 1024
_VAULT_KEYS = {f.name for f in fields(VaultSettings)}
_OWN_KEYS = {"editor", "theme", "keys", "vaults"}


@dataclass(frozen=True, slots=True)
class Settings:
    """What the person set; everything has a default."""

    vault: Mapping[str, Any] = field(default_factory=dict)
    """How vaults are read, for all of them."""
    vaults: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """The same for one vault, by its folder."""
    editor: str | None = None
    theme: str | None = None
    keys: Mapping[str, str] = field(default_factory=dict)
    """Command name to key."""
    problems: tuple[str, ...] = ()
    """What in the file could not be used; the defaults stand in."""

    def overrides(self, root: Path) -> dict[str, Any]:
        """How to read this vault: the common settings, then its own."""
        own = next(
            (v for path, v in self.vaults.items() if Path(path).expanduser().resolve() == root.resolve()), {}
        )
        return {**self.vault, **own}


def config_file() -> Path:
    return places.config_dir() / "config.yaml"


def load(path: Path | None = None) -> Settings:
    """The settings; a file that is absent is fine, one that is broken leaves the defaults and says so."""
    path = path or config_file()
    try:
        with path.open("rb") as file:
            stored = yaml.safe_load(file.read(_MAX_BYTES))
    except FileNotFoundError:
        return Settings()
    except (OSError, yaml.YAMLError, RecursionError, ValueError) as error:
        return Settings(problems=(f"{path}: cannot be read ({_first_line(error)}); the defaults are used",))
    if stored is None:
        return Settings()
    if not isinstance(stored, dict):
        return Settings(problems=(f"{path}: should be a list of settings; the defaults are used",))
    problems: list[str] = []
    vault = _vault_values(stored, problems, known=_OWN_KEYS)
    vaults = (
        {
            str(root): _vault_values(own, problems, known=set())
            for root, own in (stored.get("vaults") or {}).items()
            if isinstance(own, dict)
        }
        if isinstance(stored.get("vaults"), dict)
        else {}
    )
    keys = stored.get("keys") if isinstance(stored.get("keys"), dict) else {}
    return Settings(
        vault,
        vaults,
        _text(stored, "editor", problems),
        _text(stored, "theme", problems),
        {str(k): str(v) for k, v in (keys or {}).items()},
        tuple(problems),
    )


def _vault_values(stored: Mapping[Any, Any], problems: list[str], known: set[str]) -> dict[str, Any]:
    """The settings about reading vaults, each with the type its default has."""
    defaults = VaultSettings()
    out: dict[str, Any] = {}
    for key, value in stored.items():
        if key in known:
            continue
        if key not in _VAULT_KEYS:
            problems.append(f"unknown setting “{key}”")
            continue
        default = getattr(defaults, key)
        if isinstance(default, tuple) and isinstance(value, list) and all(isinstance(v, str) for v in value):
            out[key] = tuple(value)
        elif (isinstance(default, bool) and isinstance(value, bool)) or (
            isinstance(default, int)
            and not isinstance(default, bool)
            and isinstance(value, int)
            and value > 0
        ):
            out[key] = value
        else:
            problems.append(f"setting “{key}” has a value of the wrong kind")
    return out


def _text(stored: Mapping[Any, Any], key: str, problems: list[str]) -> str | None:
    value = stored.get(key)
    if value is None or isinstance(value, str):
        return value
    problems.append(f"setting “{key}” should be text")
    return None


def _first_line(error: BaseException) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
