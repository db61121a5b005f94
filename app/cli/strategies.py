"""`belie strategies`: which rule holds where, what each would do, and doing it."""

from __future__ import annotations

import argparse
from typing import Any

from rich.text import Text

from app import places
from app.cli.errors import CommandError
from app.cli.opened import Opened, add_vault, opened
from app.cli.output import console, print_json
from app.conflicts.title import title
from app.plain import shown
from app.services.strategy_rules import problems, rule_json
from app.strategies.api import Contradiction
from app.strategies.decide import suggestion
from app.strategies.rules import MANUAL, Rule
from app.strategies.settle import FAILED, Where, proposal, ruled, settle


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("strategies")
    add_vault(parser)
    parser.set_defaults(run=run)
    actions = parser.add_subparsers(metavar="apply")
    apply = actions.add_parser("apply", help="let the strategies decide, where they can")
    apply.add_argument("ids", nargs="*", metavar="ID", help="only these conflicts (default: all open ones)")
    add_vault(apply, inner=True)
    apply.set_defaults(run=run_apply)


def run(options: argparse.Namespace) -> int:
    with opened(options.vault) as vault:
        rules = [*vault.config.rules(vault.root), MANUAL]
        wrong = problems(rules, Where(vault.root, places.config_dir()))
        found = [(_title(given), _row(vault, given, rule)) for given, rule in ruled(vault.store, rules)]
    if options.json:
        told = [rule_json(rule, problem) for rule, problem in zip(rules, wrong, strict=True)]
        print_json({"rules": told, "conflicts": [row for _, row in found]}, indent=1)
        return 0
    out = console()
    for rule, problem in zip(rules, wrong, strict=True):
        line = Text.assemble((f"{shown(rule.folder or 'everything else'):<20}  ", "cyan"), (rule.use, "bold"))
        line.append(f" {shown(rule.function)}" if rule.function else "")
        line.append(", by itself" if rule.apply else ", proposes", style="dim")
        out.print(line)
        if problem is not None:
            out.print(Text(f"{'':<22}{shown(problem)}", style="yellow"))
    for named, row in found:
        would = f"keep {row['claim']}: {shown(row['why'])}" if row["claim"] else "you decide"
        out.print()
        out.print(Text.assemble((f"{row['conflict']}  ", "dim"), (named, "bold")))
        out.print(Text.assemble((f"            {row['strategy']}: ", "dim"), would))
        if row["problem"]:
            out.print(Text(f"            {shown(row['problem'])}", style="yellow"))
    return 0


def run_apply(options: argparse.Namespace) -> int:
    with opened(options.vault) as vault:
        there = {conflict.id for conflict in vault.store.conflicts.open()}
        named = {id if id.startswith("c-") else f"c-{id}" for id in (i.strip().lower() for i in options.ids)}
        if unknown := sorted(named - there):
            raise CommandError(f"There is no open conflict {unknown[0]}.")
        where = Where(vault.root, places.config_dir())
        done = settle(vault.store, vault.config.rules(vault.root), where, only=named or there)
    left = sorted((named or there) - done.applied.keys())
    if options.json:
        print_json({"applied": done.applied, "left": left, "failed": done.failed}, indent=1)
        return 0
    out = console()
    for id, event in done.applied.items():
        out.print(Text(f"{id} is settled; belie undo {event} takes it back."))
    out.print(Text(f"{len(done.applied)} settled, {len(left)} left to you."))
    for why in sorted(set(done.failed.values())):
        out.print(Text(shown(why), style="yellow"))
    return 0


def _title(given: Contradiction) -> str:
    return title(given.kind, given.question, tuple(member.text for member in given.members))


def _row(vault: Opened, given: Contradiction, rule: Rule) -> dict[str, Any]:
    """One open conflict with its rule, what is proposed, and what went wrong last."""
    history = vault.store.ledger.history(given.id)
    suggested = suggestion(given, rule, proposal(history))
    failed = next((event for event in reversed(history) if event.action == FAILED), None)
    return {
        "conflict": given.id,
        "question": given.question,
        "strategy": rule.use,
        "folder": rule.folder,
        "claim": suggested.claim if suggested else None,
        "why": suggested.why if suggested else None,
        "problem": failed.why if failed else None,
    }
