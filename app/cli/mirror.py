"""`belie mirror`: pages of what the notes currently say, written outside the vault unless asked otherwise."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from urllib.parse import quote

from rich.text import Text

from app import places
from app.cli.errors import CommandError
from app.cli.opened import Opened, add_vault, opened
from app.cli.output import console
from app.mirror.pages import pages
from app.mirror.write import CannotMirror, Written, write_pages
from app.plain import shown
from app.store.store import Store


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("mirror", help="write pages of what the notes currently say")
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


def write_mirror(store: Store, root: Path, folder: Path) -> Written:
    """Write every page of a vault; raises CannotMirror."""
    if _leads_out(folder, root):
        raise CannotMirror(f"{folder} is a link out of the vault; choose another folder.")
    contested = [*store.conflicts("open"), *store.conflicts("snoozed")]
    made = pages(store.claims(), contested, vault=root.name, base=_base(root, folder))
    return write_pages(folder, made)


def default_folder(root: Path) -> Path:
    return places.state_dir() / "mirror" / places.store_path(root).stem


def _leads_out(folder: Path, root: Path) -> bool:
    """A folder of the vault by its name that really lies elsewhere: whoever wrote the vault chose where."""
    named = Path(os.path.normpath(folder))
    inside = named.is_relative_to(root) or named.is_relative_to(root.resolve())
    return inside and not named.resolve().is_relative_to(root.resolve())


def _base(root: Path, folder: Path) -> str:
    """What a link to a note begins with: a way from page to note inside the vault, else the file itself."""
    where = folder.resolve()
    if where.is_relative_to(root):
        up = os.path.relpath(root, where)
        return "" if up == "." else f"{up}/"
    return f"file://{quote(os.fsencode(root))}/"
