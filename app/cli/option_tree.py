"""The whole command line as data: commands, their options, and what may stand behind each option."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from app.cli.commands import COMMANDS
from app.cli.parsers import command_parser, front_parser, subcommands

_FOLDERS = frozenset({"VAULT", "V", "DIR"})
_FILES = frozenset({"FILE", "PATH", "PATH.gguf", "MODEL"})


@dataclass(frozen=True, slots=True)
class Value:
    """What a word can be: one of these, a folder, a file."""

    words: tuple[str, ...] = ()
    folder: bool = False
    file: bool = False


@dataclass(frozen=True, slots=True)
class Option:
    flags: tuple[str, ...]
    help: str
    metavar: str
    """What its value is called; empty where it takes none."""
    value: Value | None
    """None where it takes none."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where one can be in a command line: behind `belie`, `belie check`, `belie conflicts show`."""

    path: str
    """The words that lead here; empty behind `belie` itself."""
    summary: str
    inner: tuple[tuple[str, str], ...]
    """The commands that can come next, each with what it is for."""
    options: tuple[Option, ...]
    arguments: tuple[str, ...]
    """What is given without an option, as a synopsis writes it: `[VAULT]`, `CLAIM…`."""
    value: Value


def places() -> list[Place]:
    """Every place, each command before the commands it has."""
    front = front_parser()
    named = tuple((command.name, command.summary) for command in COMMANDS.values())
    found = [_place("", front.description or "", front, named)]
    for command in COMMANDS.values():
        parser = command_parser(command.name)
        inner = list(subcommands(parser))
        names = tuple((one.name, one.summary) for one in inner)
        if command.name == "help":
            names = named
        found.append(_place(command.name, command.summary, parser, names))
        found += [_place(f"{command.name} {one.name}", one.summary, one.parser, ()) for one in inner]
    return found


def _place(
    path: str, summary: str, parser: argparse.ArgumentParser, inner: tuple[tuple[str, str], ...]
) -> Place:
    shown = [action for action in parser._actions if action.help != argparse.SUPPRESS]
    options = tuple(
        Option(
            tuple(action.option_strings),
            action.help or "",
            "" if action.nargs == 0 else _metavar(action),
            None if action.nargs == 0 else _value(action),
        )
        for action in shown
        if action.option_strings
    )
    bare = [a for a in shown if not a.option_strings and not isinstance(a, argparse._SubParsersAction)]
    values = [_value(action) for action in bare]
    value = Value(
        tuple(word for one in values for word in one.words),
        any(one.folder for one in values),
        any(one.file for one in values),
    )
    return Place(path, summary, inner, options, tuple(map(_argument, bare)), value)


def _argument(action: argparse.Action) -> str:
    many = f"{_metavar(action)}…" if action.nargs in ("*", "+") else _metavar(action)
    return f"[{many}]" if action.nargs in ("*", "?") else many


def _metavar(action: argparse.Action) -> str:
    if action.metavar is None and action.choices is not None:
        return "|".join(map(str, action.choices))
    return str(action.metavar)


def _value(action: argparse.Action) -> Value:
    if action.choices is not None:
        return Value(tuple(map(str, action.choices)))
    names = _metavar(action).split("|")
    words = tuple(name for name in names if not name.isupper() and name not in _FILES)
    return Value(words if len(names) > 1 else (), bool(_FOLDERS & {*names}), bool(_FILES & {*names}))
