"""The guard before anything is stored: new claims held against the active ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from app.capture.outcomes import Verdict
from app.detection import norm_findings
from app.detection.claim_index import ClaimIndex
from app.detective import arcs
from app.words import TIER_WEIGHT, Claim, Finding, Tier


def weigh(
    held: Iterable[Claim], new: Sequence[Claim], *, settled: Collection[frozenset[str]] = ()
) -> Verdict:
    """What guard and detective say about the new claims, each against all that is held.

    A pair the person settled before is not held against a text that comes back.
    """
    return weigh_in(ClaimIndex(held), new, settled=settled)


def weigh_in(index: ClaimIndex, new: Sequence[Claim], *, settled: Collection[frozenset[str]] = ()) -> Verdict:
    """The same with claims that are indexed already; the index is afterwards as it was."""
    ids = {claim.id for claim in new}
    before = [index.claims[id] for id in ids if id in index.claims]
    for claim in new:
        if claim.status == "active":
            index.add(claim)
    try:
        return _weighed(index, ids, settled)
    finally:
        for id in ids:
            index.remove(id)
        for claim in before:
            index.add(claim)


def _weighed(index: ClaimIndex, ids: set[str], settled: Collection[frozenset[str]]) -> Verdict:
    found = [
        f
        for f in (*norm_findings.findings(index, ids), *arcs.findings(index, ids))
        if ids.intersection(f.members) and frozenset(f.members) not in settled
    ]
    found.sort(key=_order)  # what weighs most is named first
    others = dict.fromkeys(m for f in found for m in f.members if m not in ids)
    tier: Tier = max((f.tier for f in found), key=TIER_WEIGHT.__getitem__, default="clean")
    return Verdict(tier, tuple(found), tuple(index.claims[m] for m in others))


def _order(finding: Finding) -> tuple[int, tuple[str, ...]]:
    return -TIER_WEIGHT[finding.tier], finding.members
