"""`belie sweep`: read again what older rules read, and compare everything with everything anew."""

from __future__ import annotations

import argparse

from rich.text import Text

from app.cli.opened import add_vault, opened, warn_canon
from app.cli.output import console, print_json
from app.cli.readers import models, warn_about_models
from app.pipeline.sweep import sweep
from app.store.rows import Counts
from app.store.store import now_utc


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("sweep")
    add_vault(parser)
    parser.add_argument("--models", metavar="rules|embedded", help="what reads besides the rules")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    with (
        models(options.models) as host,
        opened(options.vault, look=False, host=host, recall=False) as vault,
    ):
        store = vault.store
        before = {c.id for c in store.conflicts.all() if c.status == "open"}
        done = sweep(vault.pipeline, store, now_utc())
        after = {c.id for c in store.conflicts.all() if c.status == "open"}
        counts: Counts = store.counts()
    warn_about_models(done, host)
    warn_canon(done.canon)
    answer = {
        "notes": counts.notes,
        "read_again": done.changed,
        "claims": counts.claims,
        "pairs_judged": done.pairs,
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
