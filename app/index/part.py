"""What some claims can have changed: the findings and conflicts that hang together with them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field

from app.words import Conflict, Finding, Slot

Key = tuple[str, tuple[str, ...]]
Touching = Callable[[Collection[str], Collection[Key]], list[Conflict]]
"""The stored conflicts with one of these claims among their members, or open in one of these slots."""


@dataclass(slots=True)
class Part:
    """Whole conflicts: none outside it shares a claim or a slot with one inside."""

    findings: dict[tuple[str, ...], Finding] = field(default_factory=dict)
    stored: dict[str, Conflict] = field(default_factory=dict)


def part(findings: Mapping[tuple[str, ...], Finding], ids: Iterable[str], touching: Touching) -> Part:
    """Everything that can be reached from these claims, from member to member and from slot to slot."""
    holding: defaultdict[str, list[Finding]] = defaultdict(list)
    filling: defaultdict[Key, list[Finding]] = defaultdict(list)
    for finding in findings.values():
        for member in finding.members:
            holding[member].append(finding)
        if finding.slot.key:
            filling[_key(finding.slot)].append(finding)
    out = Part()
    reached: set[str] = set()
    slots: set[Key] = set()
    near, near_slots = set(ids), set[Key]()
    while near or near_slots:
        reached |= near
        slots |= near_slots
        found = [f for id in near for f in holding.get(id, ())]
        found += [f for slot in near_slots for f in filling.get(slot, ())]
        stored = touching(near, near_slots)
        out.findings |= {f.members: f for f in found}
        out.stored |= {c.id: c for c in stored}
        both: list[Finding | Conflict] = [*found, *stored]
        near = {m for one in both for m in one.members} - reached
        near_slots = {_key(one.slot) for one in both if one.slot.key} - slots
    return out


def differing(
    before: Mapping[tuple[str, ...], Finding], after: Mapping[tuple[str, ...], Finding]
) -> set[str]:
    """The members of findings that came, went or changed."""
    changed = [members for members, one in after.items() if before.get(members) != one]
    changed += [members for members in before if members not in after]
    return {member for members in changed for member in members}


def _key(slot: Slot) -> Key:
    return slot.kind, slot.key
