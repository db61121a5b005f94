"""The messages of the index worker to its parent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from app.pipeline.run import Run


@dataclass(frozen=True, slots=True)
class Progress:
    stage: Literal[
        "looking", "reading", "comparing", "rereading", "judging", "detecting", "waiting", "paused", "done"
    ]
    """`waiting` and `paused` refer to the models: for a quiet moment, and until the person resumes them."""
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Watching:
    mode: Literal["watching", "polling", "still"]


@dataclass(frozen=True, slots=True)
class Indexed:
    """A run has ended and its results are in the store."""

    notes: int
    claims: int
    open_conflicts: int
    changed_notes: int


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something a person should know; the worker goes on unless `fatal`."""

    text: str
    fatal: bool = False


@dataclass(frozen=True, slots=True)
class Reads:
    """What reads the vault now, in a few words: the rules, or which models with them."""

    by: str


Message = Progress | Watching | Indexed | Trouble | Reads


def held_back_words(run: Run) -> str:
    """The message shown when most of the vault is gone."""
    return (
        f"{len(run.held_back):,} notes are gone at once, so what they said is kept until the vault is back. "
        "If you deleted them: belie check --accept-deletions"
    )
