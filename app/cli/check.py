"""`belie check`: index, guard and detective to the end, then report."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from datetime import date
from pathlib import Path
from typing import Any

from app import places, settings
from app.cli.errors import CommandError
from app.cli.opened import add_vault_argument, warn_canon, warn_held_back, warn_settled
from app.cli.output import console, print_json
from app.cli.progress import clear_progress, show_progress
from app.cli.readers import models, warn_about_models
from app.cli.report import members, print_report, report_json
from app.cli.statements import iso_date
from app.models.host import ModelHost
from app.pipeline.around import Around
from app.pipeline.index_vault import Pipeline
from app.pipeline.run import Run
from app.pipeline.stage_list import Models
from app.services.vaults import open_store, vault_folder
from app.store.errors import DiskFull, StoreError, StoreReadOnly
from app.store.store import Store, now_utc
from app.strategies.settle import Where, settle
from app.vault.settings import vault_settings
from app.vault.walk import VaultError


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("check")
    add_vault_argument(parser)
    parser.add_argument("--now", metavar="DATE", help="take this as today (YYYY-MM-DD)")
    parser.add_argument("--models", metavar="rules|embedded|PATH.gguf", help="what reads besides the rules")
    parser.add_argument("--store", metavar="PATH|:memory:", help="where to keep what is found")
    parser.add_argument(
        "--accept-deletions", action="store_true", help="most of the notes are gone, and that is meant"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    root = vault_folder(options.folder or options.vault)
    today = iso_date(options.now) or date.today().isoformat()
    # A question about another day or another model must not rewrite the vault's own store.
    in_memory = options.now is not None or options.models is not None
    with models(options.models) as host, ExitStack() as stack:
        store = stack.enter_context(open_store(root, options.store, in_memory=in_memory))
        try:
            done = index(root, store, today, in_memory, host, accepts_deletions=options.accept_deletions)
        except CommandError as error:
            if not isinstance(error.__cause__, StoreReadOnly | DiskFull):
                raise
            store = stack.enter_context(store.copied())
            done = index(
                root, store, today, in_memory, host,
                settles=False, accepts_deletions=options.accept_deletions,
            )  # fmt: skip
            why = "disk is full" if isinstance(error.__cause__, DiskFull) else "store cannot be written"
            print(f"belie: the {why}, so what was found is not kept.", file=sys.stderr)
        used = "rules" if host is None else "embedded" if done.judge_failed is None else "rules"
        warn_about_models(done, host)
        conflicts = store.conflicts.open(now=today)
        claims = members(store, conflicts)
        counts = store.counts(now=today)
        if options.json:
            stats: dict[str, Any] = {"notes": counts.notes, "claims": counts.claims}
            stats |= {"unreadable": len(done.unreadable), "models": used}
            if done.pairs_left:
                stats["pairs_left"] = done.pairs_left
            if done.threads_left:
                stats["threads_left"] = done.threads_left
            if done.batches_left:
                stats["batches_left"] = done.batches_left
            stats["seconds"] = {k: round(v, 3) for k, v in done.seconds.items()}
            print_json(report_json(str(root), today, conflicts, claims, stats), indent=1)
        else:
            print_report(console(), root.name, conflicts, claims, counts, len(done.unreadable))
    return 1 if conflicts else 0


def index(
    root: Path, store: Store, today: str, in_memory: bool, host: ModelHost | None = None, *,
    settles: bool = True, accepts_deletions: bool = False,
) -> Run:  # fmt: skip
    """Bring a store up to date with its vault, and with `settles` let strategies decide; progress on stderr
    when someone is looking."""
    config = settings.load()
    clock = (lambda: f"{today}T00:00:00.000000+00:00") if in_memory else now_utc
    try:
        pipeline = Pipeline(
            root,
            store,
            vault_settings(root, **config.overrides(root)),
            around=Around(on_progress=show_progress, clock=clock),
            models=Models.of(host, store),
            accepts_deletions=accepts_deletions,
        )
        done = pipeline.run()
        warn_held_back(done)
        if not in_memory:  # a question about another day decides nothing
            clear_progress()
            warn_canon(done.canon)
        if settles and not in_memory:
            warn_settled(settle(store, config.rules(root), Where(root, places.config_dir())))
        return done
    except (StoreError, VaultError) as error:
        raise CommandError(str(error)) from error
    finally:
        clear_progress()
