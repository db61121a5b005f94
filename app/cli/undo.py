"""`belie undo`: take back a decision by writing its inverse."""

from __future__ import annotations

import argparse

from rich.text import Text

from app.cli.errors import CommandError
from app.cli.opened import Opened, add_fork, add_vault, opened, read
from app.cli.output import console, print_json
from app.cli.writeback import take_back_edit
from app.plain import shown
from app.writeback.conflict_edits import WRITTEN


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("undo", help="take back a decision")
    parser.add_argument("event", nargs="?", type=int, metavar="EVENT", help="default: your last decision")
    add_vault(parser)
    add_fork(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    with opened(options.vault, fork=options.fork) as vault:
        if options.event is not None and _is_edit(vault, options.event):
            if vault.fork is not None:
                raise CommandError("A fork touches no note: that edit can only be taken back in the present.")
            return take_back_edit(vault, options.event, json=options.json)
        undone = vault.store.ledger.undo(options.event)
        read(vault)  # claims that are active again are compared again
        answer = {
            "undone": undone.event.seq,
            "action": undone.event.action,
            "event": undone.seq,
            "conflict": undone.conflict_id,
            "claims": list(undone.claim_ids),
        }
        if options.json:
            print_json(answer)
            return 0
        why = f"  {shown(undone.event.why)}" if undone.event.why else ""
        what = undone.conflict_id or undone.event.target_id
        out = console()
        out.print(Text.assemble(("Undone: ", "bold"), f"{undone.event.action} {what}", (why, "italic")))
        if undone.event.action == "replaced":
            out.print(Text(f"The new statement, {undone.event.payload['winner']}, stays in its note."))
    return 0


def _is_edit(vault: Opened, seq: int) -> bool:
    """An edit of a note is taken back in the note."""
    return any(
        e.seq == seq and e.action == WRITTEN for e in vault.store.ledger.events(limit=1, before=seq + 1)
    )
