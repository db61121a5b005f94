"""What the store hands out besides the words of the design: small frozen rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from app.words import Kind, Layer, Status

ConflictFilter = Literal["open", "snoozed", "resolved", "dismissed"]

SHOWN: tuple[Status, ...] = ("active", "superseded", "candidate")
"""Statuses of claims that stand in a note today."""


@dataclass(frozen=True, slots=True)
class Event:
    """One row of the ledger."""

    seq: int
    at: str
    who: str
    action: str
    target_kind: Literal["claim", "conflict", "note", "event"]
    target_id: str
    why: str
    payload: Mapping[str, Any]
    cause: int | None
    """The decision this event belongs to."""
    hash: str
    undone: bool = False
    """A decision that was taken back later."""


@dataclass(frozen=True, slots=True)
class Undone:
    """What an undo did: the decision taken back, and the event that did it."""

    event: Event
    seq: int
    conflict_id: str | None
    claim_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Counts:
    """How much there is of everything."""

    notes: int = 0
    unreadable: int = 0
    claims: int = 0
    """Standing in a note today: active, superseded and candidate."""
    active: int = 0
    candidate: int = 0
    superseded: int = 0
    retracted: int = 0
    redacted: int = 0
    open: int = 0
    """Open and not snoozed."""
    snoozed: int = 0
    resolved: int = 0
    dismissed: int = 0
    events: int = 0


@dataclass(frozen=True, slots=True)
class StoryFilter:
    """Which claims of the story to show; everything given must hold."""

    subject: str | None = None
    """Part of a norm's subject."""
    text: str | None = None
    """Part of the claim's text, the note's title or the path; case is ignored."""
    project: str | None = None
    tag: str | None = None
    layer: Layer | None = None
    kind: Kind | None = None
    """Members of an open conflict of this kind."""
    statuses: tuple[Status, ...] = SHOWN
    as_of: str | None = None
    """ISO date: claims dated later or whose window does not hold that day are left out; undated stay."""
    scope: tuple[tuple[str, str], ...] = ()
    """Each (key, value) must be in a norm's scope."""


Tally = tuple[tuple[str, int], ...]
"""Values with how many claims have them, the most frequent first."""


@dataclass(frozen=True, slots=True)
class Facets:
    """What the story can be filtered by, as far as there are claims for it."""

    projects: Tally = ()
    tags: Tally = ()
    layers: Tally = ()
    kinds: Tally = ()
    subjects: Tally = ()


@dataclass(frozen=True, slots=True)
class StoryRow:
    """One line of the story."""

    id: str
    date: str | None
    path: str
    line: int
    title: str
    """The note's title."""
    heading: tuple[str, ...]
    text: str
    layer: Layer
    status: Status
    disputed: str | None
    """The open conflict the claim is in (the first by id), snoozed ones included."""
    struck: bool = False
    """Struck out in the note itself."""
    file_day: str | None = None
    """The day the note's file was last changed (ISO), where nothing else dates the line: a hint to look at,
    never evidence."""
