"""`belie check`: index, guard and detective to the end, then report."""

from __future__ import annotations

import argparse
import sys
from datetime import date
from pathlib import Path
from typing import Any

from app import settings
from app.cli.errors import CommandError
from app.cli.output import console, print_json
from app.cli.progress import clear_progress, show_progress
from app.cli.report import members, print_report, report_json
from app.cli.statements import iso_date
from app.cli.vaults import open_store, vault_folder
from app.index.pipeline import Pipeline, Run
from app.store.errors import StoreError
from app.store.store import Store, now_utc
from app.vault.settings import vault_settings
from app.vault.walk import VaultError


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("check", help="read a vault to the end and report its open conflicts")
    parser.add_argument(
        "folder", nargs="?", metavar="VAULT", help="the folder of notes (default: the last one opened)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--now", metavar="DATE", help="take this as today (YYYY-MM-DD)")
    parser.add_argument("--models", metavar="rules|embedded|PATH.gguf", help="what reads besides the rules")
    parser.add_argument("--store", metavar="PATH|:memory:", help="where to keep what is found")
    parser.add_argument("--vault", help=argparse.SUPPRESS)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    root = vault_folder(options.folder or options.vault)
    today = iso_date(options.now) or date.today().isoformat()
    models = check_models(options.models)
    # A question about another day or another model must not rewrite the vault's own store.
    in_memory = options.now is not None or options.models is not None
    with open_store(root, options.store, in_memory=in_memory) as store:
        done = index(root, store, today, in_memory)
        conflicts = store.conflicts("open", now=today)
        claims = members(store, conflicts)
        counts = store.counts(now=today)
        if options.json:
            stats: dict[str, Any] = {"notes": counts.notes, "claims": counts.claims}
            stats |= {"unreadable": len(done.unreadable), "models": models}
            stats["seconds"] = {k: round(v, 3) for k, v in done.seconds.items()}
            print_json(report_json(str(root), today, conflicts, claims, stats), indent=1)
        else:
            print_report(console(), root.name, conflicts, claims, counts, len(done.unreadable))
    return 1 if conflicts else 0


def index(root: Path, store: Store, today: str, in_memory: bool) -> Run:
    """Bring a store up to date with its vault; progress on stderr when someone is looking."""
    overrides = settings.load().overrides(root)
    clock = (lambda: f"{today}T00:00:00.000000+00:00") if in_memory else now_utc
    try:
        pipeline = Pipeline(
            root, store, vault_settings(root, **overrides), on_progress=show_progress, clock=clock
        )
        return pipeline.run()
    except (StoreError, VaultError) as error:
        raise CommandError(str(error)) from error
    finally:
        clear_progress()


def check_models(named: str | None) -> str:
    """What will read: rules alone for now, since no model host is installed."""
    if named in (None, "rules"):
        return "rules"
    if named == "embedded":
        print("belie: no embedded models are installed; the rules read alone.", file=sys.stderr)
        return "rules"
    if not Path(named).is_file():
        raise CommandError(f"There is no model file {named}.")
    raise CommandError("This version reads by rules alone; it cannot load a GGUF model.")
