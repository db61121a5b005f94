"""The store: one facade over the tables, the ledger and the questions asked of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from app.store.changes import ConflictChange, NoteChange
from app.store.rows import (
    ConflictFilter,
    Counts,
    Event,
    KnownNote,
    StoryFilter,
    StoryRow,
    Undone,
)
from app.words import Claim, Conflict, Status


class Store:
    """Claims, conflicts and the ledger of one vault, in one SQLite file.

    A Store holds one connection and a lock, so threads may share it. Every writing method is one short
    `BEGIN IMMEDIATE` transaction that writes rows and events together; reading methods see one
    consistent state. Failures are `StoreError`s with a message for the person.
    """

    read_only: bool
    """Opened for reading only: asked for, or because the file or its folder cannot be written."""
    path: Path | Literal[":memory:"]

    @classmethod
    def open(
        cls,
        path: Path | Literal[":memory:"],
        *,
        read_only: bool = False,
        busy_ms: int = 5000,
        clock: Callable[[], str] | None = None,
    ) -> Store:
        """Open the store, making it (0600, in a 0700 folder) or bringing its schema up to date first.

        `clock` gives the time of decisions (default: now, UTC, ISO 8601 to the microsecond).
        An existing store that cannot be written opens read-only.
        """
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # state of the file
    @property
    def needs_reindex(self) -> bool:
        """A migration changed what is read from notes: everything should be read again."""
        raise NotImplementedError

    @property
    def extractor(self) -> str:
        """The extractor version the last full index ran with; empty before the first."""
        raise NotImplementedError

    def mark_indexed(self, extractor: str) -> None:
        """A full index with this extractor version ended: clears `needs_reindex`."""
        raise NotImplementedError

    def data_version(self) -> int:
        """Changes when another connection wrote since the last call."""
        raise NotImplementedError

    # writing: the index
    def apply_notes(self, changes: Sequence[NoteChange], at: str, *, extractor: str = "") -> None:
        """Write what became of a batch of notes and their claims, in one transaction."""
        raise NotImplementedError

    def apply_conflicts(self, changes: Sequence[ConflictChange], at: str) -> None:
        """Write what became of conflicts, in one transaction. A conflict opened in a slot that has an
        open one by then joins it."""
        raise NotImplementedError

    # writing: decisions; each returns the seq of its event
    def keep(self, conflict_id: str, winner: str, why: str = "", *, who: str = "person") -> int:
        """Resolve for the winner: every other member is superseded by it."""
        raise NotImplementedError

    def dismiss(self, conflict_id: str, why: str = "not a conflict", *, who: str = "person") -> int:
        """Not a conflict, or both true: closed, and the members' pairs do not come back."""
        raise NotImplementedError

    def resolve(
        self,
        conflict_id: str,
        why: str = "",
        *,
        action: Literal["no_action", "supersede_others"] = "no_action",
        winner: str | None = None,
        who: str = "person",
    ) -> int:
        """Resolve without touching claims, or (`supersede_others`, with a winner) as `keep` does."""
        raise NotImplementedError

    def snooze(self, conflict_id: str, until: str, why: str = "", *, who: str = "person") -> int:
        """Hide an open conflict until an ISO date or time."""
        raise NotImplementedError

    def reopen(self, conflict_id: str, why: str = "", *, who: str = "person") -> int:
        """Put a snoozed or settled conflict back in the queue; claims it superseded are active again."""
        raise NotImplementedError

    def promote(self, ids: Sequence[str], why: str = "", *, who: str = "person") -> int:
        """Make candidates active; they stay so while their note remains a draft."""
        raise NotImplementedError

    def undo(self, seq: int | None = None, *, who: str = "person") -> Undone:
        """Take back a decision (default: the person's last one not yet undone) by writing its inverse.

        Raises UndoRefused, saying why, when later events depend on it.
        """
        raise NotImplementedError

    # reading: notes and claims
    def known_notes(self) -> dict[str, KnownNote]:
        """Every note that was read once and is not gone."""
        raise NotImplementedError

    def claims(
        self,
        status: Status | Collection[Status] | None = ("active",),
        *,
        paths: Collection[str] | None = None,
        ids: Collection[str] | None = None,
    ) -> Iterator[Claim]:
        """Claims in the order of path and line; `status` None means every status."""
        raise NotImplementedError

    def claims_of(self, path: str) -> list[Claim]:
        """The claims standing in a note today: active, superseded and candidate."""
        raise NotImplementedError

    def claims_by_path(self, paths: Collection[str], *, status: Collection[Status]) -> dict[str, list[Claim]]:
        """What `diff` asks for: standing claims, or retracted ones, of several notes."""
        raise NotImplementedError

    def claim(self, id: str) -> Claim | None:
        raise NotImplementedError

    def claim_ids(self) -> set[str]:
        """Every id ever given."""
        raise NotImplementedError

    def promoted(self) -> set[str]:
        """Claims the person promoted out of a draft note."""
        raise NotImplementedError

    def problems(self) -> list[tuple[str, str]]:
        """(path, problem) of every note of the vault that could not be read whole."""
        raise NotImplementedError

    # reading: conflicts
    def conflict(self, id: str) -> Conflict | None:
        raise NotImplementedError

    def conflicts(self, status: ConflictFilter | None = "open", *, now: str | None = None) -> list[Conflict]:
        """Conflicts of a status (None: all). `open` leaves out those snoozed past `now` (default: the
        clock) and comes in the order of the queue: tier, trust, age."""
        raise NotImplementedError

    def conflicts_of(self, claim_id: str) -> list[Conflict]:
        """Every conflict the claim is or was a member of, open ones first."""
        raise NotImplementedError

    def settled_pairs(self) -> set[frozenset[str]]:
        """Pairs of claims inside a conflict a person resolved or dismissed: they must not come back."""
        raise NotImplementedError

    # reading: the ledger
    def history(self, target_id: str) -> list[Event]:
        """Everything that happened to a claim or conflict, oldest first."""
        raise NotImplementedError

    def events(self, limit: int = 100, before: int | None = None, *, decisions: bool = False) -> list[Event]:
        """The ledger, newest first, from just before an event; `decisions` only those of a person."""
        raise NotImplementedError

    def counts(self, *, now: str | None = None) -> Counts:
        raise NotImplementedError

    # reading: the story
    def story_count(self, filter: StoryFilter = StoryFilter()) -> int:
        raise NotImplementedError

    def story_ids(self, filter: StoryFilter = StoryFilter()) -> list[str]:
        """Claim ids oldest first; undated ones last by first sight, path and line."""
        raise NotImplementedError

    def story_rows(self, offset: int, limit: int, filter: StoryFilter = StoryFilter()) -> list[StoryRow]:
        """A page of the story in the same order."""
        raise NotImplementedError

    def verify(self) -> list[str]:
        """Everything that is wrong with the store: SQLite's own checks, the chain of events, and the
        tables against the ledger. Empty when all is well."""
        raise NotImplementedError
