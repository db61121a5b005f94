"""`belie doctor`: what is ignored and why, whether the store is whole, what is installed."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from rich.text import Text

from app.cli.opened import add_vault_argument
from app.cli.output import console, print_json
from app.plain import shown
from app.services.examination import decided_by, examine, is_wanting, past_error, state_of, to_add
from app.services.vaults import vault_folder

_LIMIT = 40


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("doctor")
    add_vault_argument(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    root = vault_folder(options.folder or options.vault)
    answer = examine(root)
    if options.json:
        print_json(answer, indent=1)
    else:
        _print(answer)
    return 0 if not answer["store"]["problems"] else 1


def _print_models(models: dict[str, Any], line: Callable[..., None]) -> None:
    for name, part in models["try"].items():
        why = f": {part['reason']}" if part["reason"] else ""
        wanting = is_wanting(name, part)
        line(name, f"{state_of(part)}{why}", "yellow" if wanting else "")
        if part["repair"] and (wanting or part["state"] == "ready"):
            line("", f"to repair it: {part['repair']}", "yellow")
    line("decides by", decided_by(models["decision"]))
    for n, file in enumerate(models["files"]):
        size = f"{file['bytes'] / 1e6:,.0f} MB" if file["bytes"] is not None else "not there"
        text = f"{file['model']}: {size}" + (f", {file['path']}" if file["path"] else "")
        line("model files" if n == 0 else "", text, "" if file["bytes"] is not None else "dim")
    for n, (name, version) in enumerate(models["packages"].items()):
        line("packages" if n == 0 else "", f"{name} {version or 'not installed'}", "" if version else "dim")
    for n, addition in enumerate(to_add(models)):
        line("could add" if n == 0 else "", f"{addition['name']}: {addition['adds']}")
        line("", f"to add it: {addition['get']}", "dim")
    line("processor", f"{models['cpu']['model'] or 'unknown'}: {' '.join(models['cpu']['features'])}")
    if models["last_error"]:
        error = models["last_error"]
        if error["old"]:
            line("last error", f"{past_error(error)} ({error['error']})", "dim")
        else:
            line("last error", f"{error['at']} {error['error']}", "yellow")
        if error["repair"]:
            line("", f"to repair it: {error['repair']}", "yellow")


def _print(answer: dict[str, Any]) -> None:
    out = console()

    def line(label: str, value: object, style: str = "") -> None:
        out.print(Text.assemble((f"{label:>12}  ", "cyan"), (shown(str(value)), style)))

    line("vault", f"{answer['vault']}, {answer['notes']:,} notes")
    store = answer["store"]
    line("store", store["path"] + (" (read-only)" if store["read_only"] else ""))
    for problem in store["problems"]:
        line("", problem, "red")
    if not store["problems"] and not store["extractor"]:
        line("", "nothing has been read yet", "dim")
    elif not store["problems"]:
        line("", "whole: tables, ledger and its chain of hashes agree", "green")
    line("reads by", "rules" if answer["models"]["in_use"] == "rules" else "rules and models")
    _print_models(answer["models"], line)
    if answer["watching"]["inotify_watches"] is not None:
        line("watching", f"up to {answer['watching']['inotify_watches']:,} folders, then by polling")
    for problem in answer["config"]["problems"]:
        line("config", problem, "yellow")
    for n, rule in enumerate(answer["strategies"]):
        told = f"{rule['folder'] or 'everywhere'}: {rule['use']}{', by itself' if rule['apply'] else ''}"
        line("strategies" if n == 0 else "", told)
        if rule["problem"]:
            line("", rule["problem"], "yellow")
    for label, rows in (("ignored", answer["ignored"]), ("unreadable", answer["unreadable"])):
        for n, row in enumerate(rows[:_LIMIT]):
            line(f"{label}" if n == 0 else "", f"{row['path']}: {row['reason']}")
        if len(rows) > _LIMIT:
            line("", f"and {len(rows) - _LIMIT:,} more (--json lists all)", "dim")
    for n, row in enumerate(store["notes_with_problems"][:_LIMIT]):
        line("problems" if n == 0 else "", f"{row['path']}: {row['problem']}")
