"""Forks and what is otherwise in them, as jobs for the threads that hold a store; touches no widget."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from textual.message import Message

from app.cells import clip
from app.store.errors import StoreError
from app.tui.wording import plural

if TYPE_CHECKING:
    from app.forks.diff import Difference
    from app.store.store import Store
    from app.tui.store_thread import Job


_ID = re.compile(r"\b[a-z2-7]{8}\b")
_LONGEST_QUOTE = 80


@dataclass(frozen=True, slots=True)
class Fork:
    """One fork; `trouble` says why it cannot be read."""

    name: str
    at: int = 0
    """The last event it shares with the present."""
    decisions: int = 0
    """How many applying it would make."""
    differences: tuple[Difference, ...] = ()
    trouble: str = ""


@dataclass
class ForksRead(Message, bubble=False):
    forks: tuple[Fork, ...]


@dataclass
class ForkChanged(Message, bubble=False):
    """What became of making, applying or discarding one."""

    said: str
    trouble: str = ""
    applied: bool = False


def read_forks(place: Path) -> Job:
    """All forks of the store that lies there, by name."""

    def job(store: Store) -> ForksRead:
        from app.forks import files

        present = (store.conflicts.all(), list(store.claims.all()))
        return ForksRead(tuple(_read(place, name, present) for name in files.names(place)))

    return job


def _read(place: Path, name: str, present: tuple[list, list]) -> Fork:
    from app.forks import files
    from app.forks.apply import decisions
    from app.forks.diff import differences

    try:
        with files.open_fork(place, name) as fork:
            claims = list(fork.claims.all())
            found = differences((fork.conflicts.all(), claims), present)
            said = {claim.id: claim.statement.text for claim in (*claims, *present[1])}
            told = tuple(
                replace(one, fork=_in_words(one.fork, said), present=_in_words(one.present, said))
                for one in found
            )
            return Fork(name, fork.forked_at or 0, len(decisions(fork)), told)
    except StoreError as error:
        return Fork(name, trouble=str(error))


def _in_words(state: str | None, said: Mapping[str, str]) -> str | None:
    """A state with what claims say in the place of their ids."""
    if state is None:
        return None
    return _ID.sub(lambda id: f"“{clip(said[id[0]], _LONGEST_QUOTE)}”" if id[0] in said else id[0], state)


def make(name: str) -> Job:
    def job(store: Store) -> ForkChanged:
        from app.forks import files

        try:
            files.make(store, name)
        except StoreError as error:
            return ForkChanged("", str(error))
        kept = files.slug(name)
        return ForkChanged(f"Fork {kept}. Decide in it with --fork {kept}.")

    return job


def apply(place: Path, name: str) -> Job:
    """Its decisions in the present; a fork of which something was refused stays."""

    def job(store: Store) -> ForkChanged:
        from app.forks.apply import apply_whole

        try:
            steps = apply_whole(place, store, name)
        except StoreError as error:
            return ForkChanged("", str(error))
        refused = [step.refused for step in steps if step.refused is not None]
        said = f"{plural(len(steps) - len(refused), 'decision')} applied."
        trouble = f"{len(refused)} refused, the fork stays. {refused[0]}" if refused else ""
        return ForkChanged(said, trouble, applied=True)

    return job


def discard(place: Path, name: str) -> Job:
    def job(_: Store) -> ForkChanged:
        from app.forks import files

        try:
            files.discard(place, name)
        except StoreError as error:
            return ForkChanged("", str(error))
        return ForkChanged(f"Fork {name} is gone.")

    return job
