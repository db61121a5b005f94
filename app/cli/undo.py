"""`belie undo`: take back a decision by writing its inverse, and what of it was written into notes."""

from __future__ import annotations

import argparse

from rich.text import Text

from app import places
from app.cli.errors import CommandError
from app.cli.opened import Opened, add_fork, add_vault, opened, read
from app.cli.output import console, print_json
from app.cli.writeback import take_back_edit
from app.plain import shown
from app.store.rows import Event
from app.writeback.conflict_edits import WRITTEN, take_back
from app.writeback.edits import CannotWrite


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("undo")
    parser.add_argument("event", nargs="?", type=int, metavar="EVENT", help="default: your last decision")
    parser.add_argument(
        "--keep-notes", action="store_true", help="leave notes that the decision was written into as they are"
    )
    add_vault(parser)
    add_fork(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    with opened(options.vault, fork=options.fork) as vault:
        if options.event is not None and _is_edit(vault, options.event):
            if vault.fork is not None:
                raise CommandError("A fork touches no note: that edit can only be taken back in the present.")
            return take_back_edit(vault, options.event, json=options.json)
        decision = vault.store.ledger.to_undo(options.event)
        notes = [] if options.keep_notes or vault.fork is not None else _take_back_edits(vault, decision)
        undone = vault.store.ledger.undo(decision.seq)
        read(vault)  # claims that are active again are compared again
        answer = {
            "undone": undone.event.seq,
            "action": undone.event.action,
            "event": undone.seq,
            "conflict": undone.conflict_id,
            "claims": list(undone.claim_ids),
            "notes": notes,
        }
        if options.json:
            print_json(answer)
            return 0
        why = f"  {shown(undone.event.why)}" if undone.event.why else ""
        what = undone.conflict_id or undone.event.target_id
        out = console()
        out.print(Text.assemble(("Undone: ", "bold"), f"{undone.event.action} {what}", (why, "italic")))
        for path in notes:
            out.print(Text(f"{shown(path)} is as it was before."))
        if undone.event.action == "replaced":
            out.print(Text(f"The new statement, {undone.event.payload['winner']}, stays in its note."))
    return 0


def _take_back_edits(vault: Opened, decision: Event) -> list[str]:
    """Take what a decision had written into notes out of them; raises CommandError where that cannot be."""
    edits = [
        e for e in vault.store.ledger.writings(decision.target_id) if e.seq > decision.seq and not e.undone
    ]
    done: list[str] = []
    for edit in reversed(edits):
        try:
            done.append(take_back(vault.store, vault.root, edit.seq, places.backups_dir()).path)
        except CannotWrite as error:
            told = f"Event {decision.seq} was written into {edit.target_id} (event {edit.seq})"
            so_far = f"Only {', '.join(done)} is as before" if done else "Nothing was undone"
            how = f"Put the note right yourself, then: belie undo {decision.seq} --keep-notes"
            raise CommandError(f"{told}, and that cannot be taken back: {error} {so_far}. {how}") from error
    if done:
        read(vault)
    return done


def _is_edit(vault: Opened, seq: int) -> bool:
    """An edit of a note is taken back in the note."""
    return any(
        e.seq == seq and e.action == WRITTEN for e in vault.store.ledger.events(limit=1, before=seq + 1)
    )
