"""`belie doctor`: what is ignored and why, whether the store is whole, what is installed."""

from __future__ import annotations

import argparse
import platform
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from rich.text import Text

import app
from app import places, settings
from app.cli.errors import CommandError
from app.cli.output import console, print_json
from app.cli.strategies import problems, rule_json
from app.cli.vaults import look_into_store, vault_folder
from app.detection.decide import calibrated, decision_id
from app.models.report import ago, report
from app.models.setup import chosen
from app.plain import shown
from app.store.errors import StoreError
from app.strategies.settle import Where
from app.vault.settings import vault_settings
from app.vault.walk import VaultError, walk

_LIMIT = 40


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("doctor", help="look for what is ignored, broken or missing")
    parser.add_argument("folder", nargs="?", metavar="VAULT")
    parser.add_argument("--vault")
    parser.add_argument("--json", action="store_true")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    root = vault_folder(options.folder or options.vault)
    answer = examine(root)
    if options.json:
        print_json(answer, indent=1)
    else:
        _print(answer)
    return 0 if not answer["store"]["problems"] else 1


def examine(root: Path, *, with_models: bool = True) -> dict[str, Any]:
    """Everything about one vault; trying the models takes longest and can be left out."""
    config = settings.load()
    overrides = config.overrides(root)
    try:
        seen = walk(root, vault_settings(root, **overrides))
    except VaultError as error:
        raise CommandError(str(error)) from error
    return {
        "belie": app.__version__,
        "python": platform.python_version(),
        "vault": str(root),
        "notes": len(seen.seen),
        "ignored": [{"path": i.path, "reason": i.reason} for i in seen.ignored],
        "unreadable": [{"path": u.path, "reason": u.reason} for u in seen.unreadable],
        "watching": _watching(),
        "store": _store(root),
        "strategies": _strategies(root, config),
        "config": {"path": str(settings.config_file()), "problems": list(config.problems)},
        "models": models() if with_models else {},
        "log": str(places.log_dir()),
    }


def _store(root: Path) -> dict[str, Any]:
    """What is in the store; one that cannot be opened is a finding, not a reason to say nothing else."""
    found = {
        "path": str(places.store_path(root)),
        "read_only": False,
        "extractor": "",
        "notes_with_problems": [],
    }
    try:
        with look_into_store(root) as store:
            notes = [{"path": path, "problem": problem} for path, problem in store.notes.problems()]
            return {
                **found,
                "read_only": store.read_only,
                "extractor": store.progress.extractor,
                "problems": store.verify(),
                "notes_with_problems": notes,
            }
    except (CommandError, StoreError) as error:
        return {**found, "problems": [str(error)]}


def _strategies(root: Path, config: settings.Settings) -> list[dict[str, Any]]:
    """The rules with what is wrong with the functions they name."""
    rules = config.rules(root)
    wrong = problems(rules, Where(root, places.config_dir()))
    return [rule_json(rule, problem) for rule, problem in zip(rules, wrong, strict=True)]


def _watching() -> dict[str, Any]:
    """How many folders this machine lets one watch; beyond it Belie polls."""
    try:
        limit = int(Path("/proc/sys/fs/inotify/max_user_watches").read_text())
    except (OSError, ValueError):
        return {"inotify_watches": None}
    return {"inotify_watches": limit}


def models() -> dict[str, Any]:
    """What the models are, tried out; and what reads a vault with them."""
    stored = settings.load().models
    setup = chosen(stored)
    found = report(setup or chosen(stored, "embedded"))
    working = all(found["try"][name]["state"] == "ready" for name in ("embedder", "judge"))
    judge = found["try"]["judge"].get("name") or ""
    return {
        "in_use": "embedded" if setup is not None and working else "rules",
        **found,
        "decision": {"id": decision_id(), "judge": judge, "calibrated": calibrated(judge)},
    }


def state_of(part: Mapping[str, Any]) -> str:
    """How a model stands: its name and speed too, where it was tried."""
    said = "there" if part["state"] == "idle" else str(part["state"])
    if part.get("name"):
        said += f", {part['name']}"
    for key, unit in (("per_second", ""), ("tokens_per_second", " tokens")):
        if key in part:
            said += f", {part[key]:,.0f}{unit} a second"
    return said


def decided_by(decision: Mapping[str, Any]) -> str:
    """Which numbers decide what is shown."""
    if not decision["judge"]:
        return f"decision {decision['id']}, without a judge"
    if decision["calibrated"]:
        return f"decision {decision['id']}, learnt with {decision['judge']}"
    return (
        f"decision {decision['id']}, without {decision['judge']}: it informs, but nobody measured what its "
        "word is worth"
    )


def past_error(error: Mapping[str, Any]) -> str:
    return f"{ago(error['at'])}; it works now"


def _print_models(models: dict[str, Any], line: Callable[..., None]) -> None:
    for name, part in models["try"].items():
        why = f": {part['reason']}" if part["reason"] else ""
        line(name, f"{state_of(part)}{why}", "" if part["state"] in ("ready", "idle") else "yellow")
        if part["repair"]:
            line("", f"to repair it: {part['repair']}", "yellow")
    line("decides by", decided_by(models["decision"]))
    for n, file in enumerate(models["files"]):
        size = f"{file['bytes'] / 1e6:,.0f} MB" if file["bytes"] is not None else "not there"
        text = f"{file['model']}: {size}" + (f", {file['path']}" if file["path"] else "")
        line("model files" if n == 0 else "", text, "" if file["bytes"] is not None else "dim")
    for n, (name, version) in enumerate(models["packages"].items()):
        line("packages" if n == 0 else "", f"{name} {version or 'not installed'}", "" if version else "dim")
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
