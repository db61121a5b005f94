"""Disputed claims in a canon note, to be reported as soon as the note is saved."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from app.conflicts.affected import Touching
from app.store.changes import ClaimChange
from app.words import Claim, Conflict

_KINDS = ("memory_slot", "entity_slot", "cross_layer")


def is_new_or_relayered(change: ClaimChange) -> bool:
    """Is the claim new with this save, or did the save change its layer?"""
    moved = change.before is not None and change.before.layer != change.claim.layer
    return moved or change.kind in ("added", "returned")


def in_dispute(
    written: Iterable[Claim], slot_keys: Callable[[Claim], set[tuple[str, ...]]], touching: Touching
) -> list[Conflict]:
    """The open conflicts about what was just written to a canon note: the claim is a member or fills the same
    slot. Most saves touch no canon note and cost no query."""
    canon = {claim.id: claim for claim in written if claim.layer == "state"}
    if not canon:
        return []
    keys = {key for claim in canon.values() for key in slot_keys(claim)}
    # A conflict between canon and a less trusted claim has a slot of another kind.
    slots = {(kind, key) for key in keys for kind in _KINDS}
    return [conflict for conflict in touching(canon.keys(), slots) if conflict.status == "open"]
