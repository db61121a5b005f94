"""`belie promote`: candidates become active, and the guard has its say."""

from __future__ import annotations

import argparse

from rich.text import Text

from app.capture.judge_new import judge
from app.cli.claim import find_claim
from app.cli.opened import add_vault, opened, read, warn_unjudged
from app.cli.output import console, print_json
from app.cli.readers import models
from app.cli.report import conflict_json, member_json, members, print_claim, print_conflict


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("promote")
    parser.add_argument("claims", nargs="*", metavar="CLAIM", help="default: list the candidates")
    add_vault(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    with models(None) as host, opened(options.vault) as vault:
        store, out = vault.store, console()
        if not options.claims:
            waiting = list(store.claims.with_status("candidate"))
            if options.json:
                print_json({"candidates": [member_json(c) for c in waiting]}, indent=1)
                return 0
            out.print(
                Text(f"{len(waiting):,} {'candidate' if len(waiting) == 1 else 'candidates'}", style="bold")
            )
            for claim in waiting:
                print_claim(out, claim)
            return 0
        ids = [find_claim(store, named).id for named in options.claims]
        event = store.claims.promote(ids)
        # Before they are compared, so that its word counts there.
        warn_unjudged(judge(host, store, ids).failed)
        read(vault)
        open_now = {c.id: c for id in ids for c in store.conflicts.of_claim(id) if c.status == "open"}
        found = [open_now[id] for id in sorted(open_now)]
        claims = members(store, found)
        if options.json:
            answer = {"promoted": ids, "event": event, "conflicts": [conflict_json(c, claims) for c in found]}
            print_json(answer, indent=1)
            return 0
        out.print(Text(f"{len(ids)} promoted; belie undo takes it back.", style="bold"))
        for number, conflict in enumerate(found, 1):
            out.print()
            print_conflict(out, number, conflict, claims, ids=True)
    return 0
