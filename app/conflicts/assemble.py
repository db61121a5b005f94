"""Findings to conflicts: connected findings become one conflict, in one slot, of the weightiest kind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from app.claims.ids import conflict_id
from app.words import KIND_WEIGHT, TIER_WEIGHT, Claim, Conflict, Finding, Reason


def assemble(
    findings: Sequence[Finding], claims: Mapping[str, Claim], settled: Collection[frozenset[str]] = ()
) -> list[Conflict]:
    """Group findings by shared members. A pair the person settled before does not come back."""
    live = [
        f
        for f in findings
        if not (len(f.members) == 2 and frozenset(f.members) in settled) and not _all_settled(f, settled)
    ]
    groups = _joined(sorted(live, key=lambda f: (f.members, f.kind)))
    return sorted((_conflict(g, claims) for g in _by_slot(_absorb(groups), claims)), key=lambda c: c.id)


def _absorb(groups: list[list[Finding]]) -> list[list[Finding]]:
    """A group whose members all belong to a larger one is a detail of that one."""
    kept: list[list[Finding]] = []
    whole: list[set[str]] = []
    holding: defaultdict[str, list[int]] = defaultdict(list)
    for group in sorted(groups, key=lambda g: (-len(_members(g)), min(f.members for f in g))):
        members = _members(group)
        home = next((n for n in holding[min(members)] if members <= whole[n]), None)
        if home is None:
            for member in members:
                holding[member].append(len(kept))
            kept.append(list(group))
            whole.append(members)
        else:
            kept[home].extend(group)
    return kept


def _members(group: Sequence[Finding]) -> set[str]:
    return {m for f in group for m in f.members}


def _joined(findings: Sequence[Finding]) -> list[list[Finding]]:
    """One arc is one conflict; pairs join if they share a member and a subject."""
    arcs: defaultdict[str, list[int]] = defaultdict(list)
    for n, finding in enumerate(findings):
        for member in finding.members if finding.kind == "reversal" else ():
            arcs[member].append(n)
    # An arc takes in whatever touches its stations.
    ties = [[*_ties(f), *(n for member in f.members for n in arcs[member])] for f in findings]
    return [[findings[n] for n in places] for places in _united(ties)]


def _united(ties: Iterable[Iterable[object]]) -> list[list[int]]:
    """The connected components: places that share a tie, directly or through others."""
    parent: list[int] = []
    first: dict[object, int] = {}

    def root(n: int) -> int:
        while parent[n] != n:
            parent[n] = parent[parent[n]]
            n = parent[n]
        return n

    for n, of_one in enumerate(ties):
        parent.append(n)
        for tie in of_one:
            parent[root(n)] = root(first.setdefault(tie, n))
    places: defaultdict[int, list[int]] = defaultdict(list)
    for n in range(len(parent)):
        places[root(n)].append(n)
    return list(places.values())


def _ties(finding: Finding) -> Iterator[object]:
    for n, member in enumerate(finding.members):
        yield member, finding.slot.key
        yield member, finding.slot.subject
        if finding.differs:  # another line that differs in the same place belongs to it
            yield member, "differs", finding.differs[n].casefold()
        for other in finding.members[n + 1 :]:
            yield frozenset((member, other))


def _by_slot(groups: list[list[Finding]], claims: Mapping[str, Claim]) -> list[list[Finding]]:
    """Groups of one slot are one conflict if they share a member, or if two members say the same: what
    contradicts one contradicts the other. Otherwise they stay apart: settling one must not supersede what the
    other is about."""
    ties: list[list[object]] = []
    for group in groups:
        slot, members = _head(group).slot, _members(group)
        said = {(word,) for member in members for word in _said(claims[member])}
        ties.append([(slot.kind, slot.key, tie) for tie in (*members, *said)])
    return [[f for n in places for f in groups[n]] for places in _united(ties)]


def _said(claim: Claim) -> set[str]:
    values = {norm.value.casefold() for norm in claim.norms if norm.value}
    return values or {norm.modality for norm in claim.norms}


def _head(group: Sequence[Finding]) -> Finding:
    return max(group, key=lambda f: (KIND_WEIGHT[f.kind], f.confidence, tuple(reversed(f.members))))


def _all_settled(finding: Finding, settled: Collection[frozenset[str]]) -> bool:
    """An arc all of whose pairs are inside one settled set."""
    members = finding.members
    return len(members) > 2 and all(
        frozenset((a, b)) in settled for i, a in enumerate(members) for b in members[i + 1 :]
    )


def _conflict(group: Sequence[Finding], claims: Mapping[str, Claim]) -> Conflict:
    head = _head(group)
    members = tuple(sorted(_members(group), key=lambda i: _age(claims[i])))
    reasons: dict[Reason, None] = {r: None for f in sorted(group, key=lambda f: f.members) for r in f.reasons}
    tier = max((f.tier for f in group), key=TIER_WEIGHT.__getitem__)
    found_by = tuple(sorted({f.found_by for f in group}))
    kind = max((f.kind for f in group), key=KIND_WEIGHT.__getitem__)
    confidence = max(f.confidence for f in group)
    return Conflict(
        conflict_id(members),
        kind,
        members,
        head.slot,
        tier,
        confidence,
        head.question,
        found_by,
        tuple(reasons),
    )


def _age(claim: Claim) -> tuple[str, str, int]:
    return (claim.statement.date or "", claim.statement.path, claim.statement.line)
