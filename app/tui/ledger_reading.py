"""The ledger in words: what was decided when, about what, and why; runs in threads, touches no widget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.conflicts.title import conflict_title
from app.store.event_chain import DECISIONS
from app.store.rows import Event
from app.tui.clock import until_words
from app.tui.wording import plural
from app.words import Claim, Conflict

if TYPE_CHECKING:
    from app.store.store import Store

_WRITTEN = "written"
_VERBS = {
    "kept": "Kept", "dismissed": "Not a conflict", "resolved": "Resolved", "reopened": "Reopened",
    "promoted": "Promoted", "replaced": "Retired", "remembered": "Captured", "learned": "Learned",
    "ingested": "Taken in", "excepted": "Captured as an exception", "redacted": "Redacted",
    _WRITTEN: "Written into the note", "removed": "Taken out of the note", "opened": "Conflict found",
    "edited": "No longer a conflict", "changed": "Conflict changed", "added": "New statement",
    "retracted": "Statement gone from its note", "returned": "Statement back in its note",
    "moved": "Note moved", "shifted": "Lines moved", "restored": "Restored", "superseded": "Retired",
    "activated": "Active now",
    "tombstone": "Text removed",
}  # fmt: skip
_BOTH_TRUE = "both are true"


@dataclass(frozen=True, slots=True)
class Entry:
    """One event as the history shows it."""

    seq: int
    at: str
    verb: str
    about: str
    details: tuple[str, ...]
    why: str
    undone: bool
    undoable: bool
    by_person: bool
    conflict: Conflict | None


def read_history(store: Store, limit: int, *, everything: bool) -> tuple[tuple[Entry, ...], bool]:
    """The newest entries, and whether there are more."""
    events = store.ledger.events(limit + 1, decisions=not everything)
    shown = events[:limit]
    claims = {claim.id: claim for claim in store.claims.all(ids=_claim_ids(shown))}
    conflicts = {id: found for id in _conflict_ids(shown) if (found := store.conflicts.get(id)) is not None}
    for conflict in conflicts.values():
        missing = [id for id in conflict.members if id not in claims]
        claims |= {claim.id: claim for claim in store.claims.all(ids=missing)} if missing else {}
    undone = {event.seq: event for event in shown}
    entries = tuple(_entry(event, claims, conflicts, undone) for event in shown)
    return entries, len(events) > limit


def _entry(
    event: Event,
    claims: Mapping[str, Claim],
    conflicts: Mapping[str, Conflict],
    events: Mapping[int, Event],
) -> Entry:
    conflict = conflicts.get(_conflict_of(event) or "")
    claim = claims.get(event.target_id)
    titled = conflict_title(conflict, _members(conflict, claims)) if conflict else ""
    about = titled if conflict else _said(claim) if claim else event.target_id
    verb = _VERBS.get(event.action, event.action.capitalize())
    details: list[str] = []
    match event.action:
        case "kept" if conflict and event.payload.get("winner") in conflict.members:
            winner = str(event.payload["winner"])
            verb = f"Kept number {conflict.members.index(winner) + 1}"
            details = [_said(claims.get(winner))]
        case "dismissed" if event.why == _BOTH_TRUE:
            verb = "Both true"
        case "snoozed":
            verb = f"Snoozed {until_words(str(event.payload.get('snoozed_until')))}"
        case "replaced":
            details = [f"now: {_said(claims.get(str(event.payload.get('winner'))))}"]
        case "promoted" if len(event.payload.get("claims", ())) > 1:
            verb = f"Promoted {plural(len(event.payload['claims']), 'statement')}"
        case "remembered" | "learned" if event.payload.get("exception"):
            verb = "Captured as an exception"
        case "undo":
            verb, about = "Took back", _taken_back(event, events, conflicts, claims)
        case "written":
            about, details = event.target_id, [titled] if conflict else []
    if event.action in ("remembered", "learned", "ingested", "excepted"):
        details = [f"against: {_said(claims.get(id))}" for id in event.payload.get("against", ())]
    # The reasons that a key stores by itself say no more than the verb does.
    why = "" if event.why.casefold() in (verb.casefold(), _BOTH_TRUE, "not a conflict") else event.why
    mine = event.cause is None and event.who != "belie"
    return Entry(
        event.seq, event.at, verb, about, tuple(d for d in details if d), why, event.undone,
        mine and not event.undone and event.action in (*DECISIONS, _WRITTEN), mine,
        conflict,
    )  # fmt: skip


def _taken_back(
    event: Event,
    events: Mapping[int, Event],
    conflicts: Mapping[str, Conflict],
    claims: Mapping[str, Claim],
) -> str:
    undone = events.get(int(event.target_id)) if event.target_id.isdigit() else None
    if undone is None:
        return f"event {event.target_id} ({_VERBS.get(str(event.payload.get('undoes')), 'a decision')})"
    entry = _entry(undone, claims, conflicts, {})
    return f"{entry.verb}: {entry.about}"


def _members(conflict: Conflict, claims: Mapping[str, Claim]) -> list[Claim]:
    return [claims[id] for id in conflict.members if id in claims]


def _said(claim: Claim | None) -> str:
    return claim.statement.text if claim is not None else "a statement that is not known"


def _conflict_of(event: Event) -> str | None:
    if event.target_kind == "conflict":
        return event.target_id
    named = event.payload.get("conflict")
    return str(named) if named else None


def _conflict_ids(events: Sequence[Event]) -> set[str]:
    return {id for event in events if (id := _conflict_of(event))}


def _claim_ids(events: Sequence[Event]) -> set[str]:
    ids = {event.target_id for event in events if event.target_kind == "claim"}
    for event in events:
        payload: Mapping[str, Any] = event.payload
        ids |= {str(payload[key]) for key in ("winner",) if payload.get(key)}
        ids |= {str(id) for key in ("claims", "against") for id in payload.get(key) or ()}
    return ids
