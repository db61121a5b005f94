"""The person's configuration: one YAML file in their own config folder, never in a vault."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from app import places
from app.regular_file import read_regular
from app.vault.settings import VaultSettings

if TYPE_CHECKING:
    from app.strategies.rules import Rule

T = TypeVar("T")
_MAX_BYTES = 256 * 1024
_VAULT_KEYS = {f.name for f in fields(VaultSettings)}
_OWN_KEYS = {"editor", "theme", "keys", "inbox", "vaults", "models", "strategies"}
MODEL_KEYS: dict[str, type] = {
    "use": str, "embedder": str, "judge": str, "llama": str, "threads": int, "memory_mb": int,
    "context": int,
}  # fmt: skip
LEAST_CONTEXT = 2048
"""Tokens: what a statement, a thread and the examples before it need."""

INBOX = "Inbox.md"
"""Where captured statements go unless the person says otherwise."""


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
    inboxes: Mapping[str, str] = field(default_factory=dict)
    """The note that captured statements go to, by vault folder; the empty one holds for all others."""
    models: Mapping[str, Any] = field(default_factory=dict)
    """Which models to use: `use` (rules or embedded), own files, how many threads."""
    strategies: Mapping[str, tuple[Rule, ...]] = field(default_factory=dict)
    """Which strategy holds where, by vault folder; the empty one holds for all."""
    problems: tuple[str, ...] = ()
    """What in the file could not be used; the defaults stand in."""

    def overrides(self, root: Path) -> dict[str, Any]:
        """How to read this vault: the common settings, then its own."""
        return {**self.vault, **_own(self.vaults, root, {})}

    def inbox(self, root: Path) -> str:
        """The path, inside this vault, of the note that captured statements go to."""
        return _own(self.inboxes, root, self.inboxes.get("", INBOX))

    def rules(self, root: Path) -> tuple[Rule, ...]:
        """The rules for this vault's conflicts, its own before the common ones."""
        return _own(self.strategies, root, ()) + self.strategies.get("", ())


def _own(by_folder: Mapping[str, T], root: Path, default: T) -> T:
    """What is set for one vault."""
    return next(
        (v for path, v in by_folder.items() if path and Path(path).expanduser().resolve() == root.resolve()),
        default,
    )


def known_keys() -> set[str]:
    """Every setting that stands at the top of the file."""
    return _OWN_KEYS | _VAULT_KEYS


def config_file() -> Path:
    return places.config_dir() / "config.yaml"


def load(path: Path | None = None) -> Settings:
    """The settings; a file that is absent is fine, one that is broken leaves the defaults and says so."""
    path = path or config_file()
    if not os.path.lexists(path):
        return Settings()
    import yaml  # where there is no file, a start does without

    from app.bounded_yaml import load_yaml

    try:
        stored = load_yaml(read_regular(path, _MAX_BYTES))
    except FileNotFoundError:
        return Settings()
    except (OSError, yaml.YAMLError, RecursionError, ValueError) as error:
        return Settings(problems=(f"{path}: cannot be read ({_first_line(error)}); the defaults are used",))
    if stored is None:
        return Settings()
    if not isinstance(stored, dict):
        return Settings(problems=(f"{path}: should be a list of settings; the defaults are used",))
    from app.strategies.rules import parse  # without a file, a start does without

    problems: list[str] = []
    vault = _vault_values(stored, problems, known=_OWN_KEYS)
    given = stored.get("vaults")
    owns = (
        {str(root): own for root, own in given.items() if isinstance(own, dict)}
        if isinstance(given, dict)
        else {}
    )
    vaults = {root: _vault_values(own, problems, known={"inbox", "strategies"}) for root, own in owns.items()}
    inboxes = {
        root: inbox for root, own in {"": stored, **owns}.items() if (inbox := _text(own, "inbox", problems))
    }
    strategies = {
        root: rules
        for root, own in {"": stored, **owns}.items()
        if (rules := parse(own.get("strategies"), problems))
    }
    keys = stored.get("keys") if isinstance(stored.get("keys"), dict) else {}
    return Settings(
        vault,
        vaults,
        _text(stored, "editor", problems),
        _text(stored, "theme", problems),
        {str(k): str(v) for k, v in (keys or {}).items()},
        inboxes,
        _models(stored.get("models"), problems),
        strategies,
        tuple(problems),
    )


def _models(stored: object, problems: list[str]) -> dict[str, Any]:
    if stored is None:
        return {}
    if not isinstance(stored, dict):
        problems.append("“models” should be a list of settings")
        return {}
    out = {}
    for key, value in stored.items():
        wanted = MODEL_KEYS.get(key)
        if wanted is None:
            problems.append(f"unknown setting “models: {key}”")
        elif type(value) is not wanted or str(value).startswith("-"):
            problems.append(f"“models: {key}” should be {'a number' if wanted is int else 'text'}")
        elif key == "use" and value not in ("rules", "embedded"):
            problems.append("“models: use” should be rules or embedded")
        elif key == "context" and isinstance(value, int) and value < LEAST_CONTEXT:
            problems.append(f"“models: context” should be {LEAST_CONTEXT} or more")
        else:
            out[key] = value
    return out


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
