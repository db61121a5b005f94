"""`belie sweep`: read again what older rules read, and compare everything with everything anew."""

from __future__ import annotations

import argparse

from rich.text import Text

from app.cli.opened import add_vault, opened
from app.cli.output import console, print_json
from app.store.rows import Counts


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("sweep", help="look at every note by content and compare every claim anew")
    add_vault(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """A sweep that is cut short goes on at the next start of anything: the store knows what is not done."""
    with opened(options.vault, look=False) as vault:
        store = vault.store
        before = {c.id for c in store.conflicts(None) if c.status == "open"}
        store.look_again()
        done = vault.pipeline.run(store.known_notes().keys())
        after = {c.id for c in store.conflicts(None) if c.status == "open"}
        counts: Counts = store.counts()
    answer = {
        "notes": counts.notes,
        "read_again": done.changed,
        "claims": counts.claims,
        "opened": len(after - before),
        "closed": len(before - after),
        "open_conflicts_count": counts.open,
    }
    if options.json:
        print_json(answer)
        return 0
    out = console()
    for key, value in answer.items():
        out.print(Text.assemble((f"{key.replace('_', ' '):>22}  ", "cyan"), f"{value:,}"))
    return 0
