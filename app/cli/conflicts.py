"""`belie conflicts`: list conflicts, look at one, settle it."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any, Literal, cast

from rich.text import Text

from app.cli.choosing import Asked, choose, superseded
from app.cli.errors import CommandError
from app.cli.events import event_json, history, print_events
from app.cli.opened import Opened, add_fork, add_vault, opened
from app.cli.output import console, print_json
from app.cli.report import conflict_json, members, print_conflict
from app.cli.statements import iso_date
from app.plain import shown
from app.store.changes import UNTIL_CHANGE
from app.store.rows import ConflictFilter
from app.store.store import Store
from app.store.winner import most_trusted, newest
from app.vault.note import ENTITIES
from app.words import Claim, Conflict

STATUSES = ("open", "snoozed", "resolved", "dismissed", "all")
SNOOZE_DAYS = 7
_RULES: dict[str, Callable[[list[Claim]], Claim | None]] = {"newest": newest, "trusted": most_trusted}


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("conflicts")
    add_vault(parser)
    add_fork(parser)
    parser.add_argument("--status", choices=STATUSES, help="default: open; with --superseded: all")
    parser.add_argument("--project", metavar="P", help="only those of this project")
    parser.add_argument("--subject", metavar="S", help="only those about this, by name, note, alias or slot")
    parser.add_argument(
        "--type",
        metavar="T",
        choices=sorted(ENTITIES),
        help="only those with a note of this type: decision …",
    )
    parser.add_argument(
        "--superseded",
        action="store_true",
        help="only those in which one claim superseded another; with --type: both of that type",
    )
    parser.set_defaults(run=run_list)
    actions = parser.add_subparsers(metavar="show|resolve|dismiss|snooze|reopen")
    show = _action(actions, "show", "one conflict with all reasons and its history", run_show)
    resolve = _action(actions, "resolve", "settle it, for a winner or without", _resolve)
    resolve.add_argument(
        "--winner",
        metavar="CLAIM|newest|trusted",
        help="the member to keep; the others are superseded",
    )
    resolve.add_argument(
        "--action",
        choices=("supersede_others", "no_action"),
        help="default: supersede_others with a winner, else no_action",
    )
    resolve.add_argument("--notes", metavar="T", default="", help="why, for the record")
    dismiss = _action(actions, "dismiss", "no conflict, or both true", _dismiss)
    dismiss.add_argument("--reason", metavar="R", required=True, help="why, for the record")
    snooze = _action(actions, "snooze", "ask again later", _snooze)
    until = snooze.add_mutually_exclusive_group()
    until.add_argument("--until", metavar="DATE", help=f"default: in {SNOOZE_DAYS} days")
    until.add_argument("--until-change", action="store_true", help="until one of its lines changes")
    reopen = _action(actions, "reopen", "back into the queue", _reopen)
    for parser in (show, resolve, dismiss, snooze, reopen):
        parser.add_argument("id", metavar="ID", help="the conflict, such as c-961d33eb")


def _action(
    actions: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    help: str,
    run: Callable[[argparse.Namespace], int],
) -> argparse.ArgumentParser:
    parser = actions.add_parser(name, help=help)
    add_vault(parser, inner=True)
    add_fork(parser, inner=True)
    parser.set_defaults(run=run)
    return parser


# looking


def run_list(options: argparse.Namespace) -> int:
    with opened(options.vault, fork=options.fork) as vault:
        status = options.status or ("all" if options.superseded else "open")
        found = _found(vault.store, status)
        claims = members(vault.store, found)
        asked = Asked(options.subject, options.project, options.type, options.superseded)
        found = choose(found, claims, asked, vault.store)
        if options.json:
            print_json({"conflicts": [settled_json(c, claims) for c in found]}, indent=1)
            return 0
        out = console()
        count = f"{len(found)} {'conflict' if len(found) == 1 else 'conflicts'}"
        out.print(Text.assemble((count, "bold"), f", {'of any status' if status == 'all' else status}"))
        for number, conflict in enumerate(found, 1):
            out.print()
            print_conflict(out, number, conflict, claims, ids=True)
            _print_outcome(vault.store, conflict)
    return 0


def _found(store: Store, status: str) -> list[Conflict]:
    if status == "all":
        return store.conflicts.all()
    return store.conflicts.with_status(cast(ConflictFilter, status))


def settled_json(conflict: Conflict, claims: dict[str, Claim]) -> dict[str, Any]:
    """As `check` has it; what was decided is added where something was."""
    answer = conflict_json(conflict, claims)
    if conflict.status != "open":
        answer |= {
            "resolution": conflict.resolution,
            "winner": conflict.winner,
            "superseded": superseded(conflict, claims),
            "resolved_at": conflict.resolved_at,
        }
    elif conflict.snoozed_until is not None:
        answer["snoozed_until"] = conflict.snoozed_until
    return answer


def run_show(options: argparse.Namespace) -> int:
    with opened(options.vault, fork=options.fork) as vault:
        conflict = _conflict(vault.store, options.id)
        claims = members(vault.store, [conflict])
        events = history(vault.store, conflict.id)
        if options.json:
            answer = settled_json(conflict, claims) | {"history": [event_json(e) for e in events]}
            print_json(answer, indent=1)
            return 0
        out = console()
        print_conflict(out, 1, conflict, claims, reasons=True, ids=True)
        _print_outcome(vault.store, conflict)
        out.print()
        print_events(out, events)
    return 0


def _print_outcome(store: Store, conflict: Conflict) -> None:
    out = console()
    if conflict.status == "open":
        if conflict.snoozed_until is not None:
            when = (
                "one of its lines changes"
                if conflict.snoozed_until == UNTIL_CHANGE
                else (conflict.snoozed_until[:10])
            )
            out.print(Text(f"       put off until {when}", style="yellow"))
        return
    told = f"{conflict.status}: {conflict.resolution}"
    if conflict.winner is not None:
        told += f", for {conflict.winner}"
    why = next((e.why for e in reversed(store.ledger.history(conflict.id)) if e.why), "")
    out.print(Text.assemble((f"       {told}", "green"), (f"  {shown(why)}" if why else "", "italic")))


# settling


def _resolve(options: argparse.Namespace) -> int:
    named = None if options.winner is None else options.winner.strip().lower()
    action: Literal["no_action", "supersede_others"] = options.action or (
        "no_action" if named is None else "supersede_others"
    )

    def act(store: Store, id: str) -> int:
        how = named if named in _RULES else ""
        winner = _by_rule(store, id, how) if how else named
        return store.conflicts.resolve(id, options.notes, action=action, winner=winner, how=how)

    return _decide(options, act)


def _by_rule(store: Store, id: str, rule: str) -> str:
    conflict = _conflict(store, id)
    found = _RULES[rule](list(store.claims.active(ids=conflict.members)))
    if found is None:
        raise CommandError(
            f"No member of {id} alone is the {'newest' if rule == 'newest' else 'most trusted'}."
        )
    return found.id


def _dismiss(options: argparse.Namespace) -> int:
    if not options.reason.strip():
        raise CommandError("A reason is needed: why it is no conflict.")
    return _decide(options, lambda store, id: store.conflicts.dismiss(id, options.reason))


def _snooze(options: argparse.Namespace) -> int:
    if options.until_change:
        return _decide(options, lambda store, id: store.conflicts.snooze(id, UNTIL_CHANGE))
    until = iso_date(options.until) or (date.today() + timedelta(days=SNOOZE_DAYS)).isoformat()
    if until <= date.today().isoformat():
        raise CommandError(f"{until} is not in the future.")
    return _decide(options, lambda store, id: store.conflicts.snooze(id, until))


def _reopen(options: argparse.Namespace) -> int:
    return _decide(options, lambda store, id: store.conflicts.reopen(id))


def _decide(options: argparse.Namespace, act: Callable[[Store, str], int]) -> int:
    """Take a decision and show what became of the conflict."""
    with opened(options.vault, fork=options.fork) as vault:
        event = act(vault.store, _conflict(vault.store, options.id).id)
        _print_decided(vault, options, event)
    return 0


def _print_decided(vault: Opened, options: argparse.Namespace, event: int) -> None:
    conflict = _conflict(vault.store, options.id)
    claims = members(vault.store, [conflict])
    if options.json:
        print_json(settled_json(conflict, claims) | {"event": event}, indent=1)
        return
    out = console()
    print_conflict(out, 1, conflict, claims, ids=True)
    _print_outcome(vault.store, conflict)
    where = f" --fork {vault.fork}" if vault.fork else ""
    out.print(Text(f"     event {event}; belie undo{where} takes it back", style="dim"))


def _conflict(store: Store, named: str) -> Conflict:
    id = named.strip().lower()
    found = store.conflicts.get(id) or store.conflicts.get(f"c-{id}")
    if found is None:
        raise CommandError(f"There is no conflict {named}.")
    return found
