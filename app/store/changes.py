"""What the index asks the store to write: what became of notes, claims and conflicts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.words import Claim, Conflict, Note

ClaimChangeKind = Literal["added", "kept", "updated", "moved", "retracted", "returned"]
ConflictChangeKind = Literal["opened", "changed", "edited", "reopened"]
NoteState = Literal["present", "unreadable", "gone"]

EDITED = "edited"
"""The resolution of a conflict whose notes were fixed in an editor."""
SUPERSEDED = "superseded"
"""The resolution of a conflict that ended because a member lost another one."""
REDACTED = "redacted"
"""The resolution of a conflict that ended because the text of a member was taken out."""
AUTOMATIC = frozenset({EDITED, SUPERSEDED, REDACTED})
"""Resolutions nobody decided: such a conflict comes back when its members are found again."""

UNTIL_CHANGE = "9999-12-31"
"""Put off with no date: until a member changes. A date like any other to whoever compares dates."""


@dataclass(frozen=True, slots=True)
class Gone:
    """A note that is no longer in the vault (a move is told apart by the planner)."""

    path: str


@dataclass(frozen=True, slots=True)
class FileStat:
    """What the planner compares to tell that a file has not changed."""

    size: int
    mtime_ns: int
    inode: int
    indexed_ns: int = 0
    """The clock when it was read."""


@dataclass(frozen=True, slots=True)
class ClaimChange:
    """What became of one claim.

    `claim` is its new state. Norms are whatever the claim had before (none for an added one); the
    pipeline puts its own there with `dataclasses.replace` before the change is applied. A `kept`
    change is written only if its norms were replaced.
    """

    kind: ClaimChangeKind
    claim: Claim
    before: Claim | None = None
    """Its state until now; None for an added claim."""

    @property
    def path(self) -> str:
        """The note it belongs to from now on."""
        return self.claim.statement.path


@dataclass(frozen=True, slots=True)
class NoteChange:
    """What became of one note, and of the claims in it.

    `note` None with state `present` only notes the file's stat anew. `unreadable` and `gone` need
    neither note nor stat; an unreadable note keeps what is known of it.
    """

    path: str
    state: NoteState = "present"
    note: Note | None = None
    stat: FileStat | None = None
    moved_from: str | None = None
    problem: str | None = None
    """Why an unreadable note could not be read."""
    claims: tuple[ClaimChange, ...] = ()


@dataclass(frozen=True, slots=True)
class ConflictChange:
    """What became of one conflict; `conflict` is its new state, members included."""

    kind: ConflictChangeKind
    conflict: Conflict
    before: Conflict | None = None
    why: str = ""
