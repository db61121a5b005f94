"""A vault and what reads it, examined: what is ignored, broken or missing."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import app
from app import places, settings
from app.detection.decide import calibrated, decision_id
from app.models.report import ago, report
from app.models.setup import chosen
from app.services.errors import ServiceError
from app.services.strategy_rules import problems, rule_json
from app.services.vaults import look_into_store
from app.store.errors import StoreError
from app.strategies.settle import Where
from app.vault.settings import vault_settings
from app.vault.walk import VaultError, walk


def examine(root: Path, *, with_models: bool = True) -> dict[str, Any]:
    """Everything about one vault; trying the models takes longest and can be left out."""
    config = settings.load()
    overrides = config.overrides(root)
    try:
        seen = walk(root, vault_settings(root, **overrides))
    except VaultError as error:
        raise ServiceError(str(error)) from error
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
    except (ServiceError, StoreError) as error:
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


def is_wanting(name: str, part: Mapping[str, Any]) -> bool:
    """Should it work, and does not? A language model that is not there is an addition, and no fault."""
    return part["state"] not in ("ready", "idle") and (name, part["state"]) != ("llama", "absent")


def to_add(models: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """What could be added to the installation."""
    return [addition for addition in models.get("additions", ()) if not addition["there"]]


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
