"""The `belie` command: which words mean what, and the exit code."""

from __future__ import annotations

import argparse
import gc
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from app.cli.commands import COMMANDS
from app.cli.parsers import command_parser, front_parser, unknown_command
from app.cli.terminal import only_lines
from app.plain import shown
from app.services.errors import ServiceError

_READER_LEFT = 141
"""What a shell reports for a program that SIGPIPE ended."""


def entry() -> None:
    """What the installed command runs."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # a terminal that lacks a character shows another one
        sys.stdout.reconfigure(errors="replace")
    try:
        code = main(sys.argv[1:])
        sys.stdout.flush()
    except ServiceError as error:
        print(f"belie: {shown(str(error))}", file=sys.stderr)
        code = 2
    except BrokenPipeError:  # the reader (head, less) has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = _READER_LEFT
    except KeyboardInterrupt:
        code = 130
    except Exception as error:  # exit 1 means "conflicts found": nothing unexpected may end that way
        if os.environ.get("BELIE_DEBUG"):
            raise
        what = shown(f"{type(error).__name__}: {error}")
        print(f"belie: {what} (BELIE_DEBUG=1 shows where)", file=sys.stderr)
        code = 2
    sys.exit(code)


def main(arguments: Sequence[str]) -> int:
    if arguments and arguments[0] in COMMANDS:
        options = command_parser(arguments[0]).parse_args(arguments[1:])
        code: int = options.run(options)
        return code
    options = front_parser().parse_args(arguments)
    if options.version:
        from app.cli.version import print_version

        return print_version()
    return _workspace(options)


def _workspace(options: argparse.Namespace) -> int:
    from app.services.vaults import current_vault, remember, store_place, vault_folder

    named = _named(options)
    in_terminal = sys.stdout.isatty() and sys.stdin.isatty()
    if options.plain or (in_terminal and only_lines()):
        from app.cli.plain import run_plain

        return run_plain(named)
    if not in_terminal:
        return main(["check", str(vault_folder(named))])
    if named is None and current_vault() is None:
        return _window(None, None)
    root = vault_folder(named)
    store = store_place(root)
    if not options.demo:
        remember(root)
    return _window(root, store)


def _named(options: argparse.Namespace) -> str | None:
    """The vault that the person names; a single word that is no folder was meant as a command."""
    if options.demo:
        from app.services.demo import demo_vault

        return str(demo_vault())
    word: str | None = options.folder
    if word is not None and os.sep not in word and not os.path.lexists(word):
        raise ServiceError(unknown_command(word))
    return word or options.vault


def _window(root: Path | None, store: Path | None) -> int:
    # What a start makes stays; looking among it for garbage takes a tenth of the time. The window turns the
    # collector on again when it has been painted.
    gc.disable()
    from app import settings
    from app.tui.app import run_workspace  # the command line must not pay for textual

    return run_workspace(root, store, settings.load())


if __name__ == "__main__":
    entry()
