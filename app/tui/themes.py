"""Themes from YAML files: ours and the person's own; a broken one is skipped and said."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from textual.color import Color, ColorParseError
from textual.theme import Theme

from app import places
from app.regular_file import read_regular
from app.tui import kept_themes

DEFAULT = "dark"
FEW_COLOURS = "high-contrast"
_COLOURS = ("primary", "secondary", "accent", "warning", "error", "success", "foreground", "background",
            "surface", "panel")  # fmt: skip
_LARGEST = 64 * 1024
"""A theme is a page at most; a larger file is not one."""


class BrokenTheme(Exception):
    """Why a file is no theme, for the person."""


@dataclass(frozen=True, slots=True)
class Themes:
    """What was found: themes by name in the order of the files, and a sentence for each broken one."""

    found: dict[str, Theme]
    notices: tuple[str, ...]


def for_terminal(colours: str | None = None) -> str:
    """The theme to start with where the person chose none: in 16 colours, the one made of few."""
    found = colours if colours is not None else Console().color_system
    return FEW_COLOURS if found == "standard" else DEFAULT


def load(folders: Iterable[Path] | None = None) -> Themes:
    """Read every theme; a later folder's theme takes the place of an earlier one's with the same name."""
    found: dict[str, Theme] = {}
    notices: list[str] = []
    for folder in folders or _folders():
        for file in sorted(folder.glob("*.yaml")):
            try:
                theme = read(file)
            except BrokenTheme as error:
                notices.append(_left_out(file, error))
            else:
                found[theme.name] = theme
    return Themes(found, tuple(notices))


def find(name: str) -> tuple[Theme | None, str | None]:
    """One theme by its name, and a sentence when there is none or the person's own is broken."""
    notice: str | None = None
    for folder in reversed(_folders()):
        file = folder / f"{name}.yaml"
        # A name is a name, not a way to another folder.
        if file.parent != folder or not file.is_file():
            continue
        try:
            return read(file), notice
        except BrokenTheme as error:
            notice = _left_out(file, error)
    return None, notice or f"There is no theme “{name}”; T goes through those there are."


def _folders() -> tuple[Path, Path]:
    return places.themes_dir(), places.config_dir() / "themes"


def _left_out(file: Path, error: BrokenTheme) -> str:
    return f"The theme {file.name} was left out: {error}"


def read(file: Path) -> Theme:
    """One theme; raises BrokenTheme."""
    try:
        data = read_regular(file, _LARGEST + 1)
    except OSError as error:
        raise BrokenTheme(f"it cannot be read ({error.strerror}).") from error
    if len(data) > _LARGEST:
        raise BrokenTheme("it is too large.")
    if (kept := kept_themes.find(file.stem, data)) is not None:
        return _theme(file.stem, kept)
    fields = _fields(data)
    theme = _theme(file.stem, fields)
    kept_themes.keep(file.stem, data, fields)
    return theme


def _fields(data: bytes) -> dict[object, object]:
    import yaml  # only where a theme is new

    from app.bounded_yaml import load_yaml

    try:
        fields = load_yaml(data)
    except (yaml.YAMLError, UnicodeDecodeError, ValueError, RecursionError) as error:
        raise BrokenTheme("it is not YAML.") from error
    if not isinstance(fields, dict):
        raise BrokenTheme("it has no colours.")
    return fields


def _theme(name: str, fields: dict[object, object]) -> Theme:
    unknown = sorted(str(key) for key in fields if key not in {"dark", "colours", "variables"})
    if unknown:
        raise BrokenTheme(f"it has a key “{unknown[0]}” that no theme has.")
    dark = fields.get("dark", True)
    if not isinstance(dark, bool):
        raise BrokenTheme("`dark` must be true or false.")
    colours = _colours(fields.get("colours"), "colours")
    strange = sorted(set(colours) - set(_COLOURS))
    if strange:
        raise BrokenTheme(f"there is no colour “{strange[0]}”.")
    if "primary" not in colours:
        raise BrokenTheme("it lacks the colour `primary`.")
    variables = _colours(fields.get("variables", {}), "variables")
    return Theme(name=name, dark=dark, variables=variables, **colours)  # type: ignore[arg-type]


def _colours(value: object, where: str) -> dict[str, str]:
    if not isinstance(value, dict):
        raise BrokenTheme(f"`{where}` must be a list of names and colours.")
    colours: dict[str, str] = {}
    for key, colour in value.items():
        try:
            Color.parse(str(colour).split()[0] if colour else "")
        except ColorParseError as error:
            raise BrokenTheme(f"“{colour}” (for {key}) is no colour.") from error
        colours[str(key)] = str(colour)
    return colours
