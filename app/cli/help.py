"""`belie help`: the list of commands, or the help of one."""

from __future__ import annotations

import argparse

from app.cli.commands import COMMANDS
from app.cli.errors import CommandError
from app.cli.parsers import command_parser, did_you_mean, front_parser, subcommands, unknown_command


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("help")
    parser.add_argument("words", nargs="*", metavar="COMMAND", help="such as check, or conflicts resolve")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    words: list[str] = options.words
    if not words:
        front_parser().print_help()
        return 0
    if words[0] not in COMMANDS:
        raise CommandError(unknown_command(words[0]))
    parser = command_parser(words[0])
    for word in words[1:]:
        inner = {one.name: one.parser for one in subcommands(parser)}
        if word not in inner:
            raise CommandError(f"{parser.prog} has no command “{word}”.{did_you_mean(word, inner)}")
        parser = inner[word]
    parser.print_help()
    return 0
