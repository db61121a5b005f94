"""`belie fork`: decide otherwise in a store of its own, look at the difference, discard or apply it."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.text import Text

from app.cli.events import event_json
from app.cli.opened import Opened, add_vault, opened, read
from app.cli.output import console, print_json
from app.cli.report import clip
from app.cli.story import end_of
from app.forks import files
from app.forks.apply import Step, apply_whole, decisions
from app.forks.diff import Difference, differences
from app.plain import shown
from app.store.rows import Event
from app.store.store import Store

_UNKNOWN = "not there"


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("fork")
    add_vault(parser)
    parser.set_defaults(run=run_list)
    actions = parser.add_subparsers(metavar="new|diff|apply|discard")
    new = _action(actions, "new", "a fork of the store, from any point of its ledger", run_new)
    new.add_argument("--at", metavar="SEQ|DATE", help="an event, or the end of a day (default: now)")
    _action(actions, "diff", "what is otherwise in it", run_diff)
    _action(actions, "apply", "make its decisions in the present", run_apply)
    _action(actions, "discard", "away with it", run_discard)


def _action(
    actions: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    help: str,
    run: Callable[[argparse.Namespace], int],
) -> argparse.ArgumentParser:
    parser = actions.add_parser(name, help=help)
    parser.add_argument("name", metavar="NAME", help="small letters, digits and dashes")
    add_vault(parser, inner=True)
    parser.set_defaults(run=run)
    return parser


def run_list(options: argparse.Namespace) -> int:
    with opened(options.vault) as vault:
        where = _place(vault)
        rows = []
        for name in files.names(where):
            with files.open_fork(where, name) as fork:
                rows.append({"fork": name, "at": fork.forked_at, "decisions": len(decisions(fork))})
    if options.json:
        print_json({"forks": rows}, indent=1)
        return 0
    out = console()
    if not rows:
        out.print(Text("No forks.", style="dim"))
    for row in rows:
        line = Text.assemble((f"{row['fork']:<20}", "bold"), f"  from event {row['at']}")
        out.print(line.append(f"  {_count(int(row['decisions'] or 0))} to apply", style="dim"))
    return 0


def run_new(options: argparse.Namespace) -> int:
    with opened(options.vault) as vault:
        at = files.make(vault.store, options.name, _seq(vault.store, options.at))
    name = files.slug(options.name)
    if options.json:
        print_json({"fork": name, "at": at})
    else:
        out = console()
        out.print(Text(f"Fork {name}, from event {at}."))
        out.print(Text(f"Decide in it: belie conflicts --fork {name}", style="dim"))
    return 0


def _seq(store: Store, given: str | None) -> int | None:
    if given is None:
        return None
    return int(given) if given.isascii() and given.isdigit() else store.ledger.last_until(end_of(given))


def run_diff(options: argparse.Namespace) -> int:
    with opened(options.vault) as vault, files.open_fork(_place(vault), options.name) as fork:
        made = decisions(fork)
        found = differences(_state(fork), _state(vault.store))
        answer: dict[str, Any] = {
            "fork": options.name,
            "at": fork.forked_at,
            "decisions": [_decision_json(event) for event in made],
            "conflicts": [_json(one) for one in found if one.kind == "conflict"],
            "claims": [_json(one) for one in found if one.kind == "claim"],
        }
    if options.json:
        print_json(answer, indent=1)
        return 0
    out = console()
    out.print(Text.assemble((options.name, "bold"), f", from event {answer['at']}: {_count(len(made))}"))
    if not found:
        out.print(Text("Nothing is otherwise.", style="dim"))
    for one in found:
        out.print(Text.assemble((f"{one.id:<10}  ", "dim"), clip(shown(one.text), max(20, out.width - 14))))
        out.print(Text.assemble(("      fork  ", "cyan"), one.fork or _UNKNOWN))
        out.print(Text.assemble(("   present  ", "cyan"), one.present or _UNKNOWN))
    return 0


def run_apply(options: argparse.Namespace) -> int:
    """A fork of which everything was applied is of no more use; one with something left stays."""
    with opened(options.vault) as vault:
        steps = apply_whole(_place(vault), vault.store, options.name)
        left = [step for step in steps if step.refused is not None]
        read(vault)  # claims that are active again are compared again
    if options.json:
        print_json(
            {"fork": options.name, "steps": [_step_json(s) for s in steps], "kept": bool(left)}, indent=1
        )
        return 0
    out = console()
    for step in steps:
        what = f"{step.decision.action} {step.decision.target_id}"
        if step.refused is None:
            out.print(Text.assemble(("applied  ", "green"), f"{what}, event {step.seq}"))
        else:
            out.print(Text.assemble(("refused  ", "yellow"), f"{what}: {shown(step.refused)}"))
    gone = "the fork stays" if left else "the fork is gone"
    out.print(Text(f"{len(steps) - len(left)} applied, {len(left)} refused; {gone}."))
    return 0


def run_discard(options: argparse.Namespace) -> int:
    with opened(options.vault, look=False) as vault:
        files.discard(_place(vault), options.name)
    if options.json:
        print_json({"fork": options.name, "discarded": True})
    else:
        console().print(Text(f"Fork {options.name} is gone."))
    return 0


def _place(vault: Opened) -> Path:
    """The store's file; that of a vault always is one."""
    assert isinstance(vault.store.path, Path)
    return vault.store.path


def _state(store: Store) -> tuple[list[Any], list[Any]]:
    return store.conflicts.all(), list(store.claims.all())


def _count(decisions: int) -> str:
    return "1 decision" if decisions == 1 else f"{decisions} decisions"


def _json(one: Difference) -> dict[str, Any]:
    named = (
        {"id": one.id, "question": one.question}
        if one.kind == "conflict"
        else {"claim": one.id, "text": one.text}
    )
    return {**named, "fork": one.fork, "present": one.present}


def _decision_json(event: Event) -> dict[str, Any]:
    return {**event_json(event), "target": event.target_id}


def _step_json(step: Step) -> dict[str, Any]:
    return {**_decision_json(step.decision), "became": step.seq, "refused": step.refused}
