"""Who writes to a canon note should know at once what in it is disputed."""

from __future__ import annotations

from collections.abc import Iterable

from app.guard.entry import entries
from app.guard.slots import slot_of
from app.store.changes import ClaimChange
from app.words import Claim, Conflict


def says_anew(change: ClaimChange) -> bool:
    """Did it come with this save, or come to another trust by it?"""
    moved = change.before is not None and change.before.layer != change.claim.layer
    return moved or change.kind in ("added", "returned")


def in_dispute(written: Iterable[Claim], conflicts: Iterable[Conflict]) -> list[Conflict]:
    """Which of these open conflicts are about what was just written to a canon note: it is a member, or says
    something of the same slot."""
    canon = {claim.id: claim for claim in written if claim.layer == "state"}
    slots = {slot_of(entry).key for claim in canon.values() for entry in entries(claim)}
    return [c for c in conflicts if c.slot.key in slots or not canon.keys().isdisjoint(c.members)]
