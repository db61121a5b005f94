"""What became of each conflict: a pure comparison of what was found now with what is stored."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Sequence
from dataclasses import replace

from app.claims.ids import conflict_id
from app.store.changes import AUTOMATIC, EDITED, ConflictChange
from app.words import KIND_WEIGHT, TIER_WEIGHT, Conflict


def reconcile(
    found: Iterable[Conflict],
    stored: Iterable[Conflict],
    active: Callable[[str], bool],
    taken: Collection[str] = (),
) -> list[ConflictChange]:
    """The changes that make the stored conflicts agree with the found ones.

    `found` is everything found in the part of the vault that `stored` covers: an open conflict that is not
    found again was fixed in the notes and ends as `edited`. The caller keeps pairs that a person settled out
    of `found`; what a person settled is never changed here. `taken` are the ids of other conflicts.
    """
    merged = _merge(found)
    stored = sorted(stored, key=lambda conflict: conflict.id)
    taken = {*taken, *(conflict.id for conflict in stored)}
    settled = {frozenset(c.members) for c in stored if c.status != "open" and c.resolution not in AUTOMATIC}
    merged = [conflict for conflict in merged if frozenset(conflict.members) not in settled]

    still_open = [c for c in stored if c.status == "open"]
    continued = _pair_up(merged, still_open, _continues)
    ended = [c for c in stored if c.status == "resolved" and c.resolution in AUTOMATIC]
    returned = _pair_up(merged, ended, _returns, without=continued)

    held = {_key(before) for n, before in continued.items() if _slot(before) == _slot(merged[n])}
    changes: list[ConflictChange] = []
    for n, conflict in enumerate(merged):
        before = continued.get(n) or returned.get(n)
        id = before.id if before else conflict_id(conflict.members, taken)
        taken.add(id)
        placed = _placed(replace(conflict, id=id, status="open"), before, held, stays=n in continued)
        if before is None:
            changes.append(ConflictChange("opened", placed))
        else:
            changes += _changed(before, placed) if n in continued else [_reopened(before, placed)]
    kept = {conflict.id for conflict in continued.values()}
    changes += [_edited(conflict, active) for conflict in still_open if conflict.id not in kept]
    return sorted(changes, key=lambda change: change.conflict.id)


def _key(conflict: Conflict) -> tuple[str, tuple[str, ...]]:
    """Unique among open conflicts."""
    return conflict.slot.kind, conflict.slot.key


def _slot(conflict: Conflict) -> tuple[str, tuple[str, ...]] | None:
    """The same for two conflicts about the same thing; None without a slot key.

    A second conflict about a thing, none of whose members contradicts the first, has its id appended to the
    key.
    """
    kind, key = _key(conflict)
    return (kind, key[:-1] if key[-1] == conflict.id else key) if key else None


def _placed(
    conflict: Conflict, before: Conflict | None, held: set[tuple[str, tuple[str, ...]]], *, stays: bool
) -> Conflict:
    """With a key of its own, the previous one wherever possible: other conflicts then do not move it, and a
    decision about it can be undone."""
    if before is not None and _slot(before) == _slot(conflict) and (stays or _key(before) not in held):
        slot = replace(conflict.slot, key=before.slot.key)
    elif _slot(conflict) is not None and _key(conflict) in held:
        slot = replace(conflict.slot, key=(*conflict.slot.key, conflict.id))
    else:
        slot = conflict.slot
    held.add((slot.kind, slot.key))
    return replace(conflict, slot=slot)


def _merge(found: Iterable[Conflict]) -> list[Conflict]:
    """One conflict per set of members, and one for those of a slot that share a member; independent of the
    order in which they were found."""
    conflicts = sorted(found, key=_weight)
    while True:
        by_key: dict[object, int] = {}
        groups: list[list[Conflict]] = []
        for conflict in conflicts:
            slot = _slot(conflict)
            keys: list[object] = [frozenset(conflict.members)]
            keys += [(slot, member) for member in conflict.members if slot is not None]
            place = next((by_key[key] for key in keys if key in by_key), None)
            if place is None:
                place = len(groups)
                groups.append([])
            groups[place].append(conflict)
            for key in keys:
                by_key.setdefault(key, place)
        if len(groups) == len(conflicts):
            return conflicts
        # A union may share a member with yet another conflict, so look again.
        conflicts = sorted((_union(group) for group in groups), key=_weight)


def _weight(conflict: Conflict) -> tuple[object, ...]:
    """The one that represents a merged conflict comes first: reversal before stale before disagreement."""
    return (
        -KIND_WEIGHT[conflict.kind], -TIER_WEIGHT[conflict.tier], -conflict.confidence, conflict.slot.kind,
        conflict.slot.key, conflict.members, conflict.question, conflict.slot.subject, conflict.slot.project,
        conflict.found_by, tuple((r.stage, r.verdict, r.confidence, r.detail) for r in conflict.reasons),
    )  # fmt: skip


def _union(group: Sequence[Conflict]) -> Conflict:
    first = group[0]
    return replace(
        first,
        members=tuple(dict.fromkeys(member for one in group for member in one.members)),
        tier=max((one.tier for one in group), key=TIER_WEIGHT.__getitem__),
        confidence=max(one.confidence for one in group),
        found_by=tuple(sorted({who for one in group for who in one.found_by})),
        reasons=tuple(dict.fromkeys(reason for one in group for reason in one.reasons)),
    )


def _continues(found: Conflict, stored: Conflict) -> bool:
    same_slot = _slot(found) is not None and _slot(found) == _slot(stored)
    return same_slot or _shared(found, stored) >= 2


def _returns(found: Conflict, stored: Conflict) -> bool:
    same_slot = _slot(found) is not None and _slot(found) == _slot(stored)
    return _shared(found, stored) >= (1 if same_slot else 2)


def _shared(a: Conflict, b: Conflict) -> int:
    return len(set(a.members) & set(b.members))


def _pair_up(
    found: Sequence[Conflict],
    stored: Sequence[Conflict],
    fits: Callable[[Conflict, Conflict], bool],
    without: Container[int] = (),
) -> dict[int, Conflict]:
    """Each found conflict (by position) with at most one stored conflict, the best fits first."""
    by_key: dict[object, list[Conflict]] = {}
    for conflict in stored:
        for key in {_slot(conflict), *conflict.members} - {None}:
            by_key.setdefault(key, []).append(conflict)
    candidates = []
    for n, conflict in enumerate(found):
        if n in without:
            continue
        near = {c.id: c for key in (_slot(conflict), *conflict.members) for c in by_key.get(key, ())}
        for other in near.values():
            if fits(conflict, other):
                exact = set(conflict.members) == set(other.members)
                same_slot = _slot(conflict) is not None and _slot(conflict) == _slot(other)
                shared = _shared(conflict, other)
                rank = (not exact, not shared, not same_slot, -shared, other.detected_at, other.id, n)
                candidates.append((rank, n, other))
    pairs: dict[int, Conflict] = {}
    used: set[str] = set()
    for _, n, other in sorted(candidates, key=lambda candidate: candidate[0]):
        if n not in pairs and other.id not in used:
            pairs[n] = other
            used.add(other.id)
    return pairs


def _taken_over(before: Conflict, found: Conflict) -> Conflict:
    """The stored conflict, as it was found now."""
    return replace(
        before,
        kind=found.kind,
        members=found.members,
        slot=found.slot,
        tier=found.tier,
        confidence=found.confidence,
        question=found.question,
        found_by=found.found_by,
        reasons=found.reasons,
    )


def _changed(before: Conflict, found: Conflict) -> list[ConflictChange]:
    after = _taken_over(before, found)
    return [] if after == before else [ConflictChange("changed", after, before)]


def _reopened(before: Conflict, found: Conflict) -> ConflictChange:
    after = replace(
        _taken_over(before, found),
        status="open",
        resolution="",
        resolved_at=None,
        winner=None,
        snoozed_until=None,
    )
    return ConflictChange("reopened", after, before, why="the text is back")


def _edited(before: Conflict, active: Callable[[str], bool]) -> ConflictChange:
    gone = [member for member in before.members if not active(member)]
    if gone:
        why = f"no longer in the notes: {', '.join(gone)}"
    else:
        why = "no longer held to be a disagreement"
    after = replace(before, status="resolved", resolution=EDITED, winner=None, snoozed_until=None)
    return ConflictChange("edited", after, before, why=why)
