"""The guard before anything is stored: new claims held against the active ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from app.capture.outcomes import Verdict
from app.detection.claim_index import ClaimIndex
from app.detection.pairs import PairReader
from app.detection.stages import Touched, found_by
from app.pipeline.stage_list import rule_stages
from app.words import TIER_WEIGHT, Claim, Finding, Tier


def weigh(
    held: Iterable[Claim],
    new: Sequence[Claim],
    *,
    settled: Collection[frozenset[str]] = (),
    pairs: PairReader | None = None,
) -> Verdict:
    """What the stages without a model say about the new claims, each against all that is held; without
    `pairs` those alone that need no parser.

    A pair the person settled before is not held against a text that comes back.
    """
    return weigh_in(ClaimIndex(held), new, settled=settled, pairs=pairs)


def weigh_in(
    index: ClaimIndex,
    new: Sequence[Claim],
    *,
    settled: Collection[frozenset[str]] = (),
    pairs: PairReader | None = None,
) -> Verdict:
    """The same with claims that are indexed already; the index is afterwards as it was."""
    ids = {claim.id for claim in new}
    before = [index.claims[id] for id in ids if id in index.claims]
    for claim in new:
        if claim.status == "active":
            index.add(claim)
    try:
        return _weighed(index, ids, settled, pairs)
    finally:
        for id in ids:
            index.remove(id)
        for claim in before:
            index.add(claim)


def _weighed(
    index: ClaimIndex, ids: set[str], settled: Collection[frozenset[str]], pairs: PairReader | None
) -> Verdict:
    touched = Touched(ids, ids, written_by_others=False)
    found = [
        one
        for one in found_by(rule_stages(pairs), index, touched).values()
        if ids.intersection(one.members) and frozenset(one.members) not in settled
    ]
    found.sort(key=_order)  # what weighs most is named first
    others = dict.fromkeys(m for f in found for m in f.members if m not in ids)
    tier: Tier = max((f.tier for f in found), key=TIER_WEIGHT.__getitem__, default="clean")
    return Verdict(tier, tuple(found), tuple(index.claims[m] for m in others))


def _order(finding: Finding) -> tuple[int, tuple[str, ...]]:
    return -TIER_WEIGHT[finding.tier], finding.members
