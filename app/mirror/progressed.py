"""Statements that a later one says in words to have replaced: still in their notes, no longer true."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from app.detection import gates
from app.detection.claim_index import ClaimIndex
from app.detection.compare_norms import compare, same_subject
from app.detection.norm_entry import Entry
from app.detection.settle import newer, replaced, says_change
from app.words import Claim


def progressed(claims: Iterable[Claim]) -> frozenset[str]:
    """The ids of the replaced among these claims."""
    held = list(claims)
    if not any(norm.change for claim in held for norm in claim.norms):
        return frozenset()  # nothing was replaced in words, and an index of many claims takes its time
    index = ClaimIndex(held)
    entries = [entry for id in index.ids() for entry in index.entries_of(id)]
    return frozenset(
        [old.id for change in entries if says_change(change) for old in _before(change, index)]
        + [old.id for old in entries if _switched(old, index)]
    )


def _before(change: Entry, index: ClaimIndex) -> Iterator[Entry]:
    """What was said of the same thing before "the pump moved from A to B"."""
    thread = [entry for entry in index.candidates(change) if same_subject(change, entry)]
    for old in thread:
        if (
            newer(old, change) is not old
            and compare(old, change).contradicts
            and not gates.silent_among(old, change, thread)
        ):
            yield old


def _switched(old: Entry, index: ClaimIndex) -> bool:
    """Does "we replaced A with B", which does not say of what, replace this A by another statement's B?"""
    changes = index.switches(old.norm.value)
    return bool(changes) and any(
        replaced(old, current, change)
        for current in index.candidates(old)
        if compare(old, current).contradicts
        for change in changes
    )
