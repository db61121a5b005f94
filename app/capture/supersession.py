"""One claim in the place of others: what a reference fact outdates, and superseding with its record."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from app.capture.guard_check import weigh
from app.pipeline.index_vault import Pipeline
from app.store.store import Store
from app.words import Claim, Conflict


def outdated(store: Store, new: Sequence[Claim]) -> dict[str, str]:
    """Reference facts taken in earlier that cannot hold beside these, each with the one that takes its place.

    One that the person has put into a note of higher trust since is left alone.
    """
    own = {claim.id: claim for claim in new}
    held = [claim for claim in store.claims.active(ids=store.claims.ingested()) if claim.id not in own]
    found: dict[str, str] = {}
    for finding in weigh(held, new, settled=store.conflicts.settled_pairs()).findings:
        old, *place = sorted(finding.members, key=own.__contains__)
        if len(place) == 1 and old not in own:
            found.setdefault(old, place[0])
    trust = {claim.id: claim.trust for claim in held}
    return {old: place for old, place in found.items() if trust[old] <= own[place].trust}


def supersede(pipeline: Pipeline, pairs: Mapping[str, str], why: str) -> list[int]:
    """Put claims in the place of others (by these), each a decision of its own, and compare; the events.

    A conflict that ends by it is resolved for what took the place, and still says who lost.
    """
    store = pipeline.store
    if _disputes(store, pairs):
        pipeline.run()  # the newcomer joins first: there may be others in it that it disagrees with
    before = _disputes(store, pairs)
    events = {old: store.claims.supersede(old, new, why) for old, new in pairs.items()}
    pipeline.run()
    for conflict in before:
        lost = next(id for id in conflict.members if id in pairs)
        store.conflicts.end_superseded(conflict, pairs[lost], why, cause=events[lost])
    return list(events.values())


def _disputes(store: Store, ids: Collection[str]) -> list[Conflict]:
    """The open conflicts with one of these claims in them."""
    found = store.conflicts.touching(ids)
    return [c for c in found if c.status == "open" and not set(ids).isdisjoint(c.members)]
