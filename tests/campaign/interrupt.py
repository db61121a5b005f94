"""Commands interrupted at any moment, and what has to hold after that."""

from __future__ import annotations

import contextlib
import os
import random
import select
import signal
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from app.private_files import is_leftover
from app.store.decision_copy import read_copy
from app.store.errors import StoreError, StoreLost
from app.store.store import Store
from tests.campaign.commands import Ended, Stage, Writing, run, start, wait
from tests.robust.settling import secret

Decision = tuple[str, str, str]
"""What was done, to what, and why."""


class Broken(AssertionError):
    """Something that must hold does not."""


@dataclass(frozen=True)
class Outcome:
    """What a command does when nothing interrupts it."""

    seconds: float
    ended: Ended
    old_notes: dict[str, bytes]
    new_notes: dict[str, bytes]
    old: frozenset[Decision]
    new: frozenset[Decision]


@dataclass(frozen=True)
class Struck:
    """How an interrupted command ended, and whether it had told the person that it was done."""

    ended: Ended
    acknowledged: bool


def notes(stage: Stage) -> dict[str, bytes]:
    return {
        path.relative_to(stage.vault).as_posix(): path.read_bytes()
        for path in sorted(stage.vault.rglob("*"))
        if path.is_file()
    }


def standing(stage: Stage) -> frozenset[Decision]:
    """What stands decided: by the store, or by the copy where the store is lost."""
    try:
        with Store.open(stage.store, read_only=True) as store:
            decisions = store.standing_decisions()
    except StoreError:
        copy = read_copy(stage.store)
        decisions = copy.decisions if copy is not None else ()
    return frozenset((one.action, one.target, one.why) for one in decisions)


def undisturbed(stage: Stage, writing: Writing) -> Outcome:
    """What the command does in peace, and how long it takes."""
    stage.put_back()
    writing.before(stage)
    old_notes, old = notes(stage), standing(stage)
    began = time.monotonic()
    ended = run(stage, *writing.words)
    seconds = time.monotonic() - began
    if ended.code not in (0, 1) or "Traceback" in ended.err:
        raise Broken(f"{writing.name} does not even work in peace: {ended}")
    return Outcome(seconds, ended, old_notes, notes(stage), old, standing(stage))


def strike(stage: Stage, writing: Writing, outcome: Outcome, number: signal.Signals, moment: float) -> Struck:
    """Interrupt the command so many seconds after its start, check what is left, do it again, check again."""
    stage.put_back()
    writing.before(stage)
    child = start(stage, writing.words)
    _let_live(child, moment)
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, number)
    ended = wait(stage, child)
    told = outcome.ended.out.rstrip().rpartition("\n")[2]
    struck = Struck(ended, acknowledged=bool(told) and told in ended.out)
    for problem in _after(stage, outcome, struck):
        raise Broken(f"{writing.name}, after {moment:.4f} s: {problem}")
    for problem in _recovery(stage, writing, outcome):
        raise Broken(f"{writing.name}, after {moment:.4f} s, done again: {problem}")
    return struck


def _let_live(child: int, seconds: float) -> None:
    """Wait so long, or until the process has ended."""
    with contextlib.suppress(ProcessLookupError):
        handle = os.pidfd_open(child)
        try:
            select.select([handle], [], [], seconds)
        finally:
            os.close(handle)


def _after(stage: Stage, outcome: Outcome, struck: Struck) -> Iterator[str]:
    if "Traceback" in struck.ended.err or "BELIE_DEBUG" in struck.ended.err:
        yield f"it ended in an error: {struck.ended.err}"
    now = notes(stage)
    for path in now.keys() | outcome.old_notes.keys():
        if is_leftover(path):
            continue
        if now.get(path) not in (outcome.old_notes.get(path), outcome.new_notes.get(path)):
            yield f"{path} is neither as it was nor as it should be: {now.get(path)!r}"
    lost = False
    try:
        with Store.open(stage.store) as store:
            for problem in store.verify():
                yield f"the store does not hold together: {problem}"
    except StoreLost:
        lost = True  # noticed; repair is part of what comes next
    except StoreError as error:
        lost = True
        if "damaged" not in str(error):
            yield f"the store does not open: {error}"
    decided = standing(stage)
    if missing := (outcome.old & outcome.new) - decided:
        yield f"decisions are gone: {missing}"
    if extra := decided - (outcome.old | outcome.new):
        yield f"decisions came from nowhere: {extra}"
    if struck.acknowledged and decided != outcome.new:
        yield f"what was acknowledged is not there: {outcome.new ^ decided}"
    yield from _traces(stage)
    if lost and struck.acknowledged:
        yield "it was acknowledged, but the store is lost"


def _traces(stage: Stage) -> Iterator[str]:
    """Files of Belie's own that still say what the store calls redacted."""
    paths: set[str] = set()
    with contextlib.suppress(StoreError), Store.open(stage.store) as store:
        paths = {claim.statement.path for claim in store.claims.with_status("redacted")}
    told = [secret(Path(path).stem).split()[-1].rstrip(".") for path in paths if path.startswith("old/")]
    for path in _files(stage.home):
        data = path.read_bytes()
        yield from (f"{path.name} still says {code}" for code in told if code.encode() in data)


def _recovery(stage: Stage, writing: Writing, outcome: Outcome) -> Iterator[str]:
    again = run(stage, *writing.words)
    if again.code not in (0, 1, 2, 9) or "Traceback" in again.err or "BELIE_DEBUG" in again.err:
        yield f"{again}"
    checked = run(stage, "check", str(stage.vault))
    if checked.code not in (0, 1):
        yield f"a check says: {checked}"
    with Store.open(stage.store) as store:
        for problem in store.verify():
            yield f"the store does not hold together: {problem}"
    if missing := (outcome.old & outcome.new) - standing(stage):
        yield f"decisions are gone: {missing}"
    left = [path for path in _files(stage.vault) if is_leftover(path.name)]
    left += [path for path in _files(stage.home) if is_leftover(path.name)]
    if left:
        yield f"left behind: {left}"


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def moments(outcome: Outcome, chance: random.Random) -> float:
    """A moment of the command's life, seldom just behind its end."""
    return chance.uniform(0.0, outcome.seconds * 1.02)
