"""`belie redact`: the text of a claim taken out of the store for good, and on request out of its notes."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from rich.text import Text

from app.cli.claim import find_claim
from app.cli.errors import CommandError
from app.cli.mirror import renew
from app.cli.opened import Opened, add_vault, opened, read
from app.cli.output import console, print_json
from app.cli.report import print_claim
from app.cli.writeback import agreed, show_diff
from app.mirror.write import drop_pages
from app.plain import shown
from app.services.mirror_pages import default_folder
from app.services.redaction import forget
from app.words import Claim
from app.writeback.edits import CannotWrite
from app.writeback.redaction import Removals, removals, still_standing, take_out


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("redact")
    parser.add_argument("claim", metavar="CLAIM", help="the claim, such as 5ipthy4z")
    parser.add_argument("--reason", metavar="R", default="", help="why, for the record")
    parser.add_argument("--edit-note", action="store_true", help="take it out of the notes too")
    parser.add_argument("--dry-run", action="store_true", help="show what would go and stop")
    parser.add_argument("--yes", action="store_true", help="edit the notes without asking")
    add_vault(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    with opened(options.vault) as vault:
        claim = find_claim(vault.store, options.claim)
        claims = vault.store.claims.redactable(claim.id)
        if not claims and not options.edit_note:
            raise CommandError(f"{claim.id} was redacted already; --edit-note looks after its note.")
        if claims and not options.reason.strip() and not options.dry_run:
            raise CommandError("A reason is needed: --reason R, for the record.")
        edits = _removals(vault, claims or [claim]) if options.edit_note else Removals()
        if not options.json:
            _show(claims, edits)
        if options.dry_run:
            return _answer(vault, options, None, claims, edits)
        if edits.edits and not options.yes and not agreed(len(edits.edits)):
            console().print(Text("Nothing was redacted."))
            return 0
        event = _redact(vault, claim, claims, options.reason) if claims else None
        _edit(vault, edits)
        return _answer(vault, options, event, claims, edits)


def _removals(vault: Opened, claims: Sequence[Claim]) -> Removals:
    return removals(vault.root, claims, vault.store.claims.forgotten(), vault.pipeline.settings)


def _redact(vault: Opened, claim: Claim, claims: Sequence[Claim], reason: str) -> int:
    """Pages of the mirror are made again without it; stopped in between, they are simply gone."""
    folder = default_folder(vault.root)
    mirrored = drop_pages(folder)
    event = forget(vault.store, claims, claim.id, reason)
    read(vault)  # what is left of its conflicts is looked at again
    if mirrored:
        renew(vault, folder)
    return event


def _edit(vault: Opened, wanted: Removals) -> None:
    try:
        for edit in wanted.edits:
            take_out(vault.store, vault.root, edit)
    except CannotWrite as error:
        raise CommandError(f"It is redacted, but a note was left as it is. {error}") from error
    finally:
        read(vault)


def _show(claims: Sequence[Claim], edits: Removals) -> None:
    out = console()
    for claim in claims:
        print_claim(out, claim)
    for edit in edits.edits:
        show_diff(out, edit)


def _answer(
    vault: Opened, options: argparse.Namespace, event: int | None, claims: Sequence[Claim], edits: Removals
) -> int:
    paths = {claim.statement.path for claim in claims or [find_claim(vault.store, options.claim)]}
    standing = still_standing(vault.root, vault.store, paths, vault.pipeline.settings)
    if options.json:
        answer = {
            "redacted": [] if event is None else [claim.id for claim in claims],
            "would_redact": [claim.id for claim in claims] if options.dry_run else [],
            "event": event,
            "edited": [] if options.dry_run else [edit.path for edit in edits.edits],
            "still_in_notes": standing,
        }
        print_json(answer, indent=1)
        return 0
    out = console()
    if event is not None:
        count = "1 claim" if len(claims) == 1 else f"{len(claims)} claims"
        out.print(Text(f"{count} redacted (event {event}); this cannot be undone.", style="bold"))
    if edits.edits and not options.dry_run:
        for edit in edits.edits:
            out.print(Text(f"{shown(edit.path)} was edited; no backup was made."))
    for path, why in edits.refused:
        out.print(Text(f"{shown(path)} was left as it is. {shown(why)}", style="yellow"))
    for place in standing:
        out.print(Text(f"It still stands in {shown(place)}.", style="yellow"))
    if standing and not options.edit_note:
        out.print(Text(f"belie redact {options.claim} --edit-note takes it out.", style="dim"))
    return 0
