"""Does the story settle a pair: an explicit change, a correction, a retirement in words."""

from __future__ import annotations

from collections.abc import Iterable

from app.detection.compare_values import compare_values
from app.detection.norm_entry import Entry


def newer(a: Entry, b: Entry) -> Entry | None:
    """The later of the two by date; undated is never newer."""
    if a.date and b.date and a.date != b.date:
        return a if a.date > b.date else b
    return None


def says_change(entry: Entry) -> bool:
    return entry.norm.change is not None


def settled(a: Entry, b: Entry, changes: Iterable[Entry]) -> str | None:
    """Why a reader today would know which of the two holds, or None.

    `changes` are the entries about the same subject that say in words that something changed.
    """
    later = newer(a, b)
    for speaker, other in ((a, b), (b, a)):
        if says_change(speaker) and later is not other:
            return f"“{_short(speaker)}” says itself that it replaces what was before"
    for change in changes:
        if change.id in (a.id, b.id):
            continue
        for old, current in ((a, b), (b, a)):
            if replaced(old, current, change):
                return f"settled by “{_short(change)}”"
    return None


def replaced(old: Entry, current: Entry, change: Entry) -> bool:
    """`change` turned what `old` says into what `current` says, and `old` did not speak after it."""
    spoken = change.norm.change
    if spoken is None or (old.date and change.date and old.date > change.date):
        return False
    now_matches = _equal(spoken.now, current.norm.value)
    if current.date and change.date and current.date > change.date and spoken.now and not now_matches:
        return False  # the current one goes on to say something else again
    return now_matches or _equal(spoken.was, old.norm.value)


def _equal(x: str | None, y: str | None) -> bool:
    return bool(x and y) and compare_values(x or "", y or "").relation == "equal"


def _short(entry: Entry) -> str:
    text = entry.claim.statement.text
    return text if len(text) <= 60 else text[:57].rstrip() + "…"
