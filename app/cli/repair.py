"""`belie repair`: a store that is damaged or lost, made anew from the notes and the copy of the decisions."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from rich.text import Text

from app.cli.check import index
from app.cli.errors import CommandError
from app.cli.opened import add_vault_argument
from app.cli.output import console, print_json
from app.cli.readers import models, warn_about_models
from app.plain import shown
from app.services.vaults import store_place, vault_folder
from app.store.decide_again import decide_again
from app.store.decision_copy import CopiedDecision, read_copy
from app.store.errors import StoreBusy, StoreError
from app.store.store import Store, now_utc

_SIDE_FILES = ("", "-wal", "-shm")


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("repair")
    add_vault_argument(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    root = vault_folder(options.folder or options.vault)
    path = store_place(root)
    wrong = _wrong(path)
    if not wrong:
        _print(options, {"repaired": False, "wrong": [], "damaged": None, "saved": 0, "lost": []})
        return 0
    aside = _put_aside(path)
    decisions = _decisions(path, aside)
    with models(None) as host, Store.open(path, anew=True) as store:
        done = index(root, store, date.today().isoformat(), False, host, settles=False)
        warn_about_models(done, host)
        refused = decide_again(store, decisions, now_utc())
        with contextlib.suppress(OSError):  # it is copied with the next decision
            store.copy_decisions()
    lost = [{"at": one.at, "action": one.action, "target": one.target, "reason": why} for one, why in refused]
    saved = len(decisions) - len(lost)
    damaged = str(aside) if aside is not None else None
    _print(options, {"repaired": True, "wrong": wrong, "damaged": damaged, "saved": saved, "lost": lost})
    return 1 if lost else 0


def _wrong(path: Path) -> list[str]:
    """What is wrong with the store; nothing where there never was one."""
    if not path.exists() and read_copy(path) is None:
        return []
    try:
        with Store.open(path, read_only=True) as store:
            return store.verify()
    except StoreBusy as error:
        raise CommandError(str(error)) from error
    except StoreError as error:
        return [str(error)]


def _put_aside(path: Path) -> Path | None:
    """Move the damaged file, with what belongs to it, out of the way; it is never deleted."""
    stamp = "".join(c for c in now_utc()[:19] if c.isdigit())
    aside = path.with_name(f"{path.name}.damaged-{stamp}")
    try:
        for ending in _SIDE_FILES:
            with contextlib.suppress(FileNotFoundError):
                path.with_name(path.name + ending).rename(aside.with_name(aside.name + ending))
    except OSError as error:
        raise CommandError(f"{path} cannot be moved aside: {error.strerror or error}.") from error
    return aside if aside.exists() else None


def _decisions(path: Path, aside: Path | None) -> Sequence[CopiedDecision]:
    """Those of the damaged file where it still tells as many as the copy, else those of the copy."""
    copy = read_copy(path)
    copied = copy.decisions if copy is not None else ()
    read: Sequence[CopiedDecision] = ()
    if aside is not None:
        with contextlib.suppress(StoreError, ValueError, KeyError), Store.open(aside, read_only=True) as old:
            read = old.standing_decisions()
    return read if len(read) > len(copied) else copied


def _print(options: argparse.Namespace, answer: dict[str, Any]) -> None:
    if options.json:
        print_json(answer, indent=1)
        return
    out = console()
    if not answer["repaired"]:
        out.print(Text("The store is whole; there is nothing to repair."))
        return
    for problem in answer["wrong"][:10]:
        out.print(Text(shown(problem), style="red"))
    out.print(Text("The store was made anew from the notes.", style="bold"))
    if answer["damaged"] is not None:
        out.print(Text(f"The damaged file is kept: {shown(answer['damaged'])}"), soft_wrap=True)
    out.print(Text(f"Decisions made again: {answer['saved']:,}"))
    for one in answer["lost"]:
        told = f"{one['action']} {one['target']} of {one['at'][:10]}: {one['reason']}"
        out.print(Text(f"Not saved: {shown(told)}", style="yellow"), soft_wrap=True)
