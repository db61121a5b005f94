"""`belie writeback`: a decision written into the losing notes, after its diff was seen and agreed to."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from app import places
from app.cli.errors import CommandError
from app.cli.opened import Opened, add_vault, opened, read
from app.cli.output import console, print_json
from app.plain import shown
from app.writeback.conflict_edits import WRITTEN, Proposal, proposal, take_back, write
from app.writeback.diff import diff
from app.writeback.edits import STYLES, CannotWrite, Edit

_COLOURS = {"+": "green", "-": "red", "@": "cyan"}


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("writeback")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "conflict", nargs="?", metavar="CONFLICT", help="a conflict one of whose members was kept"
    )
    what.add_argument("--undo", type=int, metavar="EVENT", help="take back an edit, byte for byte")
    parser.add_argument(
        "--style", choices=STYLES, default="annotate",
        help="mark the losing line with a link to the winner (default), strike it through, put the "
        "winner's value in its place, or mark the whole note in its frontmatter",
    )  # fmt: skip
    parser.add_argument("--dry-run", action="store_true", help="show the diff and stop")
    parser.add_argument("--yes", action="store_true", help="write without asking")
    add_vault(parser, json=False)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    with opened(options.vault) as vault:
        if options.undo is not None:
            return take_back_edit(vault, options.undo)
        try:
            return _write(vault, options)
        except CannotWrite as error:
            raise CommandError(str(error)) from error


def take_back_edit(vault: Opened, seq: int, *, json: bool = False) -> int:
    try:
        applied = take_back(vault.store, vault.root, seq, places.backups_dir())
    except CannotWrite as error:
        raise CommandError(str(error)) from error
    read(vault)
    if json:
        print_json({"undone": seq, "action": WRITTEN, "note": applied.path})
    else:
        console().print(Text(f"{shown(applied.path)} is as it was before."))
    return 0


def _write(vault: Opened, options: argparse.Namespace) -> int:
    wanted = proposal(vault.store, vault.root, options.conflict, options.style, vault.pipeline.settings)
    out = console()
    _show(out, wanted)
    if not wanted.edits:
        raise CommandError("There is nothing to write.")
    if options.dry_run:
        return 0
    if not options.yes and not agreed(len(wanted.edits)):
        out.print(Text("Nothing was written."))
        return 0
    for seq, applied in write(vault.store, vault.root, wanted, places.backups_dir()):
        out.print(Text(f"{shown(applied.path)} was written; belie writeback --undo {seq} takes it back."))
    read(vault)
    return 0


def _show(out: Console, wanted: Proposal) -> None:
    """The files first, then what changes in each."""
    for claim, why in wanted.refused:
        place = f"{claim.statement.path}:{claim.statement.line}"
        print(f"belie: {shown(place)} is left alone. {shown(why)}", file=sys.stderr)
    if len(wanted.edits) > 1:
        out.print(Text(f"{len(wanted.edits)} notes:", style="bold"))
        for edit in wanted.edits:
            out.print(Text(f"  {shown(edit.path)}:{_numbers(edit.lines)}"))
        out.print()
    for edit in wanted.edits:
        show_diff(out, edit)


def show_diff(out: Console, edit: Edit) -> None:
    for line in diff(edit).removesuffix("\n").split("\n"):
        style = _COLOURS.get(line[:1], "") if line[:3] not in ("---", "+++") else "bold"
        out.print(Text(shown(line.removesuffix("\r")), style=style), soft_wrap=True)


def _numbers(lines: Sequence[int]) -> str:
    return ",".join(map(str, lines)) or "1"


def agreed(count: int) -> bool:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise CommandError("Nothing was written: without a terminal to ask on, --yes is needed.")
    what = "this note" if count == 1 else f"these {count} notes"
    return input(f"Write {what}? [y/N] ").strip().lower() in ("y", "yes")
