"""Who writes to a canon note should know at once what in it is disputed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from app.store.changes import ClaimChange
from app.words import Claim, Conflict

_KINDS = ("memory_slot", "entity_slot", "cross_layer")
Touching = Callable[[Collection[str], Collection[tuple[str, tuple[str, ...]]]], Iterable[Conflict]]
"""The conflicts of some claims, and those open in some slots."""


def says_anew(change: ClaimChange) -> bool:
    """Did it come with this save, or come to another trust by it?"""
    moved = change.before is not None and change.before.layer != change.claim.layer
    return moved or change.kind in ("added", "returned")


def in_dispute(
    written: Iterable[Claim], slot_keys: Callable[[Claim], set[tuple[str, ...]]], touching: Touching
) -> list[Conflict]:
    """Which open conflicts are about what was just written to a canon note: it is a member, or says something
    of the same slot. Most saves are of no such note, and nothing is asked."""
    canon = {claim.id: claim for claim in written if claim.layer == "state"}
    if not canon:
        return []
    keys = {key for claim in canon.values() for key in slot_keys(claim)}
    # One that is trusted less stands against canon in a slot of another kind.
    slots = {(kind, key) for key in keys for kind in _KINDS}
    return [conflict for conflict in touching(canon.keys(), slots) if conflict.status == "open"]
