"""The judge over claims that just became active: these alone, since somebody waits."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from app.capture.outcomes import Verdict
from app.detection.judge_stage import AT_ONCE, JudgeStage
from app.detection.judged_pairs import Slice
from app.detection.stages import is_arc
from app.models.host import ModelHost
from app.store.store import Store
from app.words import TIER_WEIGHT, Finding, Tier

_UNREAD = 48
"""With more claims than these still unjudged, nobody knows yet what is near whom: that is for a check."""


def judge(
    host: ModelHost | None, store: Store, ids: Collection[str], contradicting: Collection[frozenset[str]] = ()
) -> Slice:
    """These claims against their nearest, kept in the store as a check would; the next comparison of the
    index makes conflicts of it. Nothing where no model reads, or where it fails."""
    if host is None:
        return Slice()
    judging = JudgeStage(host, store)
    claims = {claim.id: claim for claim in store.claims.active()}
    judging.pairs.follow(claims)
    waiting = judging.pending(claims)
    own = [id for id in waiting if id in ids]
    if not own or len(waiting) - len(own) > _UNREAD:
        return Slice()
    failed = judging.place(judging.unplaced(claims))
    if failed is not None:
        return Slice(failed=failed)
    judging.weigh(own, contradicting, newcomers=True, urgent=True)
    made = Slice()
    while judging.waiting and made.failed is None:
        made = made.then(judging.read(AT_ONCE, contradicting))
    return made


def with_judged(
    verdict: Verdict, heard: Slice, store: Store, *, own: Collection[str], replaced: Collection[str]
) -> Verdict:
    """What the guard said of the claims `own`, and the judge besides: it warns, never blocks, and is silent
    about what only words spoke for. Where both speak, the rules say why; what is superseded anyway, or was
    settled before, is not told."""
    stays = [one for one in verdict.findings if is_arc(one) or frozenset(one.members) not in heard.silenced]
    verdict = _with_findings(verdict, stays)
    known = {frozenset(finding.members) for finding in verdict.findings} | store.conflicts.settled_pairs()
    more = [
        finding
        for finding in heard.findings
        if frozenset(finding.members) not in known
        and set(own).intersection(finding.members)
        and not set(replaced).intersection(finding.members)
    ]
    if not more:
        return verdict
    others = {id for finding in more for id in finding.members}.difference(
        own, (claim.id for claim in verdict.against)
    )
    return replace(
        verdict,
        tier="warn" if verdict.tier == "clean" else verdict.tier,
        findings=(*verdict.findings, *more),
        against=(*verdict.against, *store.claims.active(ids=others)),
    )


def _with_findings(verdict: Verdict, stays: Sequence[Finding]) -> Verdict:
    """The verdict with fewer findings."""
    if len(stays) == len(verdict.findings):
        return verdict
    members = {id for finding in stays for id in finding.members}
    tier: Tier = max((finding.tier for finding in stays), key=TIER_WEIGHT.__getitem__, default="clean")
    return Verdict(tier, tuple(stays), tuple(claim for claim in verdict.against if claim.id in members))
