"""The parsers of the command line; a word they do not know is answered with the nearest one they do."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any, NamedTuple, NoReturn

from app.cli.commands import COMMANDS, GROUPS, OTHER_WORDS

DESCRIPTION = "Reads your notes as a story and shows where it contradicts itself."


class Parser(argparse.ArgumentParser):
    """An error is one sentence and where to read on, rather than the whole usage."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**{"formatter_class": argparse.RawDescriptionHelpFormatter, **given})

    def error(self, message: str) -> NoReturn:
        command = self.prog.partition(" ")[2]
        print(f"{self.prog}: {message}", file=sys.stderr)
        print(f"See: belie help {command}".rstrip(), file=sys.stderr)
        sys.exit(2)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """An option that does not exist is told first, since the words behind it would be misread; what is
        left over is told here, where it was left."""
        known = _flags(self)
        for word in sys.argv[1:] if args is None else args:
            name = word.partition("=")[0]
            if word == "--":
                break
            if name.startswith("--") and " " not in word and not any(k.startswith(name) for k in known):
                self.error(f"there is no option {name}.{did_you_mean(name, known)}")
        found, extra = super().parse_known_args(args, namespace)
        if extra:
            misplaced = extra[0] in COMMANDS and self.prog == "belie"
            self.error(unknown_command(extra[0]) if misplaced else f"there is no place for “{extra[0]}”.")
        return found, extra

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            names = ", ".join(map(str, action.choices))
            hint = did_you_mean(str(value), map(str, action.choices))
            option = "".join(f"{flag} " for flag in action.option_strings[:1])
            raise argparse.ArgumentError(None, f"{option}“{value}” is none of: {names}.{hint}")


def _flags(parser: argparse.ArgumentParser) -> list[str]:
    """The options of a parser, then those of the commands it has."""
    own = [flag for action in parser._actions for flag in action.option_strings]
    return own + [flag for inner in subcommands(parser) for flag in _flags(inner.parser)]


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A question to put behind an error, or nothing where no known word is near."""
    from difflib import get_close_matches  # only needed after a mistake

    known = list(known)
    begun = [name for name in known if name.startswith(word)] if len(word.strip("-")) > 1 else []
    near = begun[:1] or get_close_matches(word.lower(), known, 1)
    return f" Did you mean “{near[0]}”?" if near else ""


def unknown_command(word: str) -> str:
    """What to say about a word that is neither a command nor a folder."""
    if word in COMMANDS:
        return f"The command comes first: belie {word} …"
    meant = OTHER_WORDS.get(word.lower())
    hint = f" Did you mean “{meant}”?" if meant else did_you_mean(word, COMMANDS)
    return f"“{word}” is neither a command nor a folder.{hint}"


def front_parser() -> Parser:
    """`belie [VAULT]`: the workspace."""
    parser = Parser(
        prog="belie",
        usage="belie [VAULT] [--plain] | belie --demo | belie COMMAND …",
        description=DESCRIPTION,
        epilog=_command_list(),
    )
    parser.add_argument(
        "folder", nargs="?", metavar="VAULT", help="open this folder of notes (default: the current folder "
        "where it is or lies in a vault that Belie knows, else you are asked)",
    )  # fmt: skip
    parser.add_argument("--vault", help=argparse.SUPPRESS)
    parser.add_argument("--demo", action="store_true", help="open a copy of the sample vault")
    parser.add_argument(
        "--plain", action="store_true", help="lines of text and typed answers instead of a full screen"
    )
    parser.add_argument(
        "--version", action="store_true", help="show the version, the models and where files are kept"
    )
    return parser


def _command_list() -> str:
    lines = []
    for title, commands in GROUPS.items():
        lines += [f"{title}:", *(f"  {command.name:<11} {command.summary}" for command in commands), ""]
    return "\n".join((*lines, "belie help COMMAND tells more."))


def command_parser(name: str) -> argparse.ArgumentParser:
    """The parser of what stands behind `belie NAME`."""
    commands = Parser(prog="belie", usage="belie").add_subparsers()
    import_module(f"app.cli.{COMMANDS[name].module}").add_parser(commands)
    parser = commands.choices[name]
    parser.description = _sentence(COMMANDS[name].summary)
    for inner in subcommands(parser):
        inner.parser.description = _sentence(inner.summary)
    return parser


def _sentence(summary: str) -> str:
    return f"{summary[0].upper()}{summary[1:]}."


class Subcommand(NamedTuple):
    """A command of a command, such as `conflicts show`."""

    name: str
    summary: str
    parser: argparse.ArgumentParser


def subcommands(parser: argparse.ArgumentParser) -> Iterator[Subcommand]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for listed in action._get_subactions():
                yield Subcommand(listed.dest, listed.help or "", action.choices[listed.dest])
