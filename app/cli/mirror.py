"""`belie mirror`: pages of what the notes currently say, written outside the vault unless asked otherwise."""

from __future__ import annotations

import argparse
from pathlib import Path

from rich.text import Text

from app.cli.errors import CommandError
from app.cli.opened import Opened, add_vault, opened
from app.cli.output import console
from app.mirror.write import CannotMirror, Written
from app.plain import shown
from app.services.mirror_pages import default_folder, write_mirror


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("mirror")
    parser.add_argument("--out", metavar="DIR", help="where to (default: Belie's own state folder)")
    add_vault(parser, json=False)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    with opened(options.vault) as vault:
        folder = Path(options.out).expanduser().absolute() if options.out else default_folder(vault.root)
        done = renew(vault, folder)
    out = console()
    count = len(done.written) + len(done.unchanged)
    out.print(Text(f"{count} pages in {shown(str(folder))}"), soft_wrap=True)
    out.print(
        Text(f"{len(done.written)} written, {len(done.unchanged)} unchanged, {len(done.removed)} removed")
    )
    return 0


def renew(vault: Opened, folder: Path) -> Written:
    """Bring the pages in the folder in step with the store."""
    try:
        return write_mirror(vault.store, vault.root, folder)
    except CannotMirror as error:
        raise CommandError(str(error)) from error
