"""`belie health`: how much there is, and how much of it is disputed."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from rich.console import Console
from rich.text import Text

from app.cli.vaults import open_store, vault_folder


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("health", help="counts of notes, claims and conflicts as last indexed")
    parser.add_argument("--vault")
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    root = vault_folder(options.vault)
    with open_store(root, None) as store:
        counts = store.counts()
        indexed = bool(store.extractor)
    answer = {"vault": str(root), "indexed": indexed, "open_conflicts_count": counts.open, **asdict(counts)}
    if options.json:
        print(json.dumps(answer))
        return 0
    console = Console(highlight=False)
    if not indexed:
        console.print(Text("This vault has not been read yet: run belie check or open the workspace."))
    for key, value in answer.items():
        if key not in ("vault", "indexed", "open"):
            console.print(Text.assemble((f"{key.replace('_', ' '):>22}  ", "cyan"), f"{value:,}"))
    return 0
