"""All pairs worth comparing, compared; what contradicts and is not settled becomes a finding."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from app.conflicts.question import question
from app.detection import gates
from app.detection.claim_index import ClaimIndex
from app.detection.compare_norms import Verdict, compare, same_subject
from app.detection.decide import decide_norms
from app.detection.norm_entry import Entry
from app.detection.settle import newer, says_change, settled
from app.detection.slots import conflict_slot
from app.words import Finding, Kind, Reason

STALE_DAYS = 180
"""An old claim contradicted by one at least this much newer is stale rather than disputed."""


def order(entry: Entry) -> tuple[str, str, int]:
    """Oldest first; undated ones before all dated ones, since they are never newer."""
    return (entry.date or "", entry.claim.statement.path, entry.claim.statement.line)


def findings(index: ClaimIndex, touched: Iterable[str] | None = None) -> list[Finding]:
    """Findings with at least one of the touched claims (default: all) as a member."""
    everything = touched is None
    ids = sorted(index.ids() if touched is None else {i for i in touched if index.entries_of(i)})
    found: dict[tuple[str, str], Finding] = {}
    for claim_id in ids:
        for entry in index.entries_of(claim_id):
            thread: list[Entry] | None = None
            for other in index.candidates(entry, wider=not everything):
                pair = (min(claim_id, other.id), max(claim_id, other.id))
                if pair in found:
                    continue
                verdict = compare(entry, other)
                if not verdict.contradicts:
                    continue
                if thread is None:  # the same for whoever contradicts it, and slow to gather
                    thread = [e for e in index.candidates(entry) if same_subject(entry, e)]
                if made := _finding(index, entry, other, verdict, thread):
                    found[pair] = made
    return [found[pair] for pair in sorted(found)]


def _finding(
    index: ClaimIndex, a: Entry, b: Entry, verdict: Verdict, thread: Sequence[Entry]
) -> Finding | None:
    """A contradiction as a finding, unless something in the thread of a speaks against it."""
    if gates.silent_among(a, b, thread):
        return None
    changes = (
        [e for e in thread if says_change(e)] + index.switches(a.norm.value) + index.switches(b.norm.value)
    )
    if settled(a, b, changes):
        return None
    old, new = sorted((a, b), key=order)
    verdict = compare(old, new)  # the same verdict, worded oldest first
    kind: Kind = "stale" if outdated(old, new) else "disagreement"
    slot = conflict_slot([old.claim, new.claim], old)
    reasons = (verdict.reason(), Reason("slot", slot.kind, "HIGH", slot.subject))
    decision = decide_norms(
        same_subject=a.subject == b.subject,
        opposite=verdict.outcome == "contradiction",
        other_trust=old.claim.trust != new.claim.trust,
    )
    if not decision.shown:
        return None
    return Finding(
        kind,
        (old.id, new.id),
        slot,
        decision.tier,
        decision.probability,
        question(old, new),
        "guard",
        reasons,
    )


def outdated(old: Entry, new: Entry) -> bool:
    later = newer(old, new)
    if later is not new or not old.date or not new.date:
        return False
    return (date.fromisoformat(new.date) - date.fromisoformat(old.date)).days >= STALE_DAYS
