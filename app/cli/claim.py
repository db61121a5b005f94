"""`belie claim`: one claim with its norms, its history and the conflicts it is in."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from app.cli.conflicts import settled_json
from app.cli.errors import CommandError
from app.cli.events import event_json, history, print_events
from app.cli.normalize import norm_json
from app.cli.opened import add_vault, opened
from app.cli.output import console, print_json
from app.cli.report import conflicts_with, member_json, members
from app.conflicts.title import conflict_title
from app.plain import shown
from app.store.store import Store
from app.words import Claim, Conflict

_ID = 15
_STATUS = 10
_LEAST_TITLE = 20


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("claim")
    parser.add_argument("id", metavar="ID", help="the claim, such as 5ipthy4z")
    add_vault(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    with opened(options.vault) as vault:
        claim = find_claim(vault.store, options.id)
        if options.json:
            print_json(claim_json(vault.store, claim), indent=1)
        else:
            _print(console(), vault.store, claim)
    return 0


def find_claim(store: Store, named: str) -> Claim:
    claim = store.claims.get(named.strip().lower())
    if claim is None:
        raise CommandError(f"There is no claim {named}.")
    return claim


def claim_json(store: Store, claim: Claim) -> dict[str, Any]:
    conflicts = store.conflicts.of_claim(claim.id)
    claims = members(store, conflicts)
    return {
        **member_json(claim),
        "conflicts_with": _against(claim, conflicts, claims),
        "text": claim.statement.text,
        "note": claim.note,
        "heading": list(claim.statement.heading),
        "project": claim.project,
        "entity": claim.entity,
        "status": claim.status,
        "silent": claim.silent,
        "first_seen": claim.first_seen,
        "superseded_by": claim.superseded_by,
        "previous": claim.previous,
        "norms": [norm_json(n) for n in claim.norms],
        "conflicts": [settled_json(c, claims) for c in conflicts],
        "history": [event_json(e) for e in history(store, claim.id)],
    }


def _against(claim: Claim, conflicts: Sequence[Conflict], claims: Mapping[str, Claim]) -> list[str]:
    """The claims of higher trust that it stands against, in any open conflict."""
    found = (conflicts_with(conflict, claims).get(claim.id, ()) for conflict in conflicts)
    return list(dict.fromkeys(id for ids in found for id in ids))


def _print(out: Console, store: Store, claim: Claim) -> None:
    s = claim.statement
    conflicts = store.conflicts.of_claim(claim.id)
    held = members(store, conflicts)
    against = _against(claim, conflicts, held)
    out.print(Text.assemble((claim.id, "bold"), "  ", (shown(s.text), "bold")))
    facts = {
        "note": f"{s.path}:{s.line}",
        "date": s.date or "undated",
        "status": claim.status,
        "superseded by": claim.superseded_by,
        "reworded from": claim.previous,
        "layer": f"{claim.layer}, trust {claim.trust}",
        "against": f"{' and '.join(against)}, trusted more" if against else None,
        "type": claim.entity,
        "project": claim.project,
        "left alone": claim.silent,
        "first seen": claim.first_seen[:10],
    }
    for key, value in facts.items():
        if value:
            out.print(Text.assemble((f"{key:>13}  ", "cyan"), shown(value)))
    for number, norm in enumerate(claim.norms, 1):
        out.print()
        out.print(Text("norm" if len(claim.norms) == 1 else f"norm {number}", style="bold"))
        for key, value in norm_json(norm).items():
            if value not in (None, {}, ""):
                out.print(Text.assemble((f"{key:>13}  ", "cyan"), shown(str(value))))
    if conflicts:
        out.print()
        out.print(Text("conflicts", style="bold"))
    room = max(_LEAST_TITLE, out.width - _STATUS - _ID)
    for conflict in conflicts:
        named = conflict_title(conflict, held.values(), room)
        line = Text.assemble((f"{conflict.id:>{_ID - 2}}  ", "cyan"), f"{conflict.status:<{_STATUS}}", named)
        out.print(line, no_wrap=True, overflow="ellipsis")
    out.print()
    out.print(Text("history", style="bold"))
    print_events(out, history(store, claim.id))
