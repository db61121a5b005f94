"""The `belie` command: which words mean what, and the exit code."""

from __future__ import annotations

import argparse
import gc
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType

import app
from app import places
from app.plain import shown
from app.services.errors import ServiceError

COMMANDS = {
    "check": "check", "conflicts": "conflicts", "undo": "undo", "claim": "claim", "story": "story",
    "remember": "capture", "ingest": "capture", "learn": "capture", "supersede": "capture",
    "promote": "promote", "sweep": "sweep", "strategies": "strategies", "trust": "trust", "fork": "fork",
    "mirror": "mirror", "writeback": "writeback", "redact": "redact", "judge": "judge",
    "normalize": "normalize", "health": "health", "doctor": "doctor", "models": "models",
    "export": "export", "import": "export",
}  # fmt: skip
"""Each command and the module of this folder that has it. Only what is asked for is loaded: a start of the
workspace must not wait for all the others."""
_LINES_ONLY = frozenset({"", "dumb", "unknown", "network", "emacs"})
_DESCRIPTION = "Reads your notes as a story and shows where it contradicts itself."


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
        code = 2
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
    first = next((a for a in arguments if not a.startswith("-")), None)
    if first not in COMMANDS:
        return _workspace(_front().parse_args(arguments))
    parser = argparse.ArgumentParser(prog="belie", description=_DESCRIPTION)
    module_of(first).add_parser(parser.add_subparsers(required=True, metavar="COMMAND"))
    options = parser.parse_args(arguments)
    code: int = options.run(options)
    return code


def module_of(command: str) -> ModuleType:
    return import_module(f"app.cli.{COMMANDS[command]}")


def _front() -> argparse.ArgumentParser:
    """`belie [VAULT]`: the workspace."""
    front = argparse.ArgumentParser(
        prog="belie",
        description=_DESCRIPTION,
        epilog=f"Commands: {', '.join(sorted(COMMANDS))}. belie COMMAND --help tells more.",
    )
    front.add_argument(
        "folder", nargs="?", metavar="VAULT", help="the folder of notes to open (default: you are asked)"
    )
    front.add_argument("--vault", help=argparse.SUPPRESS)
    front.add_argument("--demo", action="store_true", help="open the sample vault")
    front.add_argument(
        "--plain",
        action="store_true",
        help="lines of text and typed answers instead of a screen",
    )
    front.add_argument("--version", action="version", version=f"belie {app.__version__}")
    return front


def _workspace(options: argparse.Namespace) -> int:
    named = str(places.sample_vault()) if options.demo else options.folder or options.vault
    in_terminal = sys.stdout.isatty() and sys.stdin.isatty()
    if options.plain or (in_terminal and _cannot_draw()):
        from app.cli.plain import run_plain

        return run_plain(named)
    from app.services.vaults import remember, store_place, vault_folder

    if named is None and in_terminal:
        return _window(None, None)
    root = vault_folder(named)
    if not in_terminal:
        from app.cli import check

        return check.run(
            argparse.Namespace(folder=str(root), vault=None, json=False, now=None, models=None, store=None)
        )
    store = store_place(root)
    if not options.demo:
        remember(root)
    return _window(root, store)


def _cannot_draw() -> bool:
    """Whether the terminal says of itself that it only prints lines."""
    return os.environ.get("TERM", "").lower() in _LINES_ONLY


def _window(root: Path | None, store: Path | None) -> int:
    # What a start makes stays; looking among it for garbage takes a tenth of the time. The window turns the
    # collector on again when it has been painted.
    gc.disable()
    from app import settings
    from app.tui.app import run_workspace  # the command line must not pay for textual

    return run_workspace(root, store, settings.load())


if __name__ == "__main__":
    entry()
