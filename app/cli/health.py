"""`belie health`: how much there is, and how much of it is disputed."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from rich.text import Text

from app.cli.opened import add_vault
from app.cli.output import console, print_json
from app.services.vaults import look_into_store, vault_folder


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("health")
    add_vault(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    root = vault_folder(options.vault)
    with look_into_store(root) as store:
        counts = store.counts()
        indexed = bool(store.progress.extractor)
    answer = {"vault": str(root), "indexed": indexed, "open_conflicts_count": counts.open, **asdict(counts)}
    if options.json:
        print_json(answer)
        return 0
    out = console()
    if not indexed:
        out.print(Text("This vault has not been read yet: run belie check or open the workspace."))
    for key, value in answer.items():
        if key not in ("vault", "indexed", "open"):
            out.print(Text.assemble((f"{key.replace('_', ' '):>22}  ", "cyan"), f"{value:,}"))
    return 0
