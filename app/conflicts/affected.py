"""What some claims can have changed: the findings and conflicts that hang together with them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field

from app.words import Conflict, Finding, Slot

Members = tuple[str, ...]
Key = tuple[str, tuple[str, ...]]
Touching = Callable[[Collection[str], Collection[Key]], list[Conflict]]
"""The stored conflicts with one of these claims among their members, or open in one of these slots."""


@dataclass(slots=True)
class Affected:
    """Whole conflicts: none outside it shares a claim or a slot with one inside."""

    findings: dict[Members, Finding] = field(default_factory=dict)
    stored: dict[str, Conflict] = field(default_factory=dict)


class FindingIndex:
    """All findings, by the claims and the slots they are about. Kept between two saves, so that a save costs
    what it changed and not what there is."""

    def __init__(self) -> None:
        self._all: dict[Members, Finding] = {}
        self._holding: defaultdict[str, dict[Members, Finding]] = defaultdict(dict)
        self._filling: defaultdict[Key, dict[Members, Finding]] = defaultdict(dict)

    def take(self, findings: Mapping[Members, Finding]) -> set[str]:
        """These are all there are now; returns the members of those that came, went or changed."""
        held = self._all
        # Most are the very same objects: comparing what they say would take as long as all else.
        came = [(m, f) for m, f in findings.items() if (was := held.get(m)) is not f and was != f]
        gone = [members for members in held if members not in findings]
        changed = {member for members in gone for member in members}
        for members in gone:
            self._drop(held.pop(members))
        for members, finding in came:
            changed.update(members)
            if members in held:
                self._drop(held[members])
            held[members] = finding
            for place in self._places(finding):
                place[members] = finding
        return changed

    def _drop(self, finding: Finding) -> None:
        for place in self._places(finding):
            del place[finding.members]

    def _places(self, finding: Finding) -> list[dict[Members, Finding]]:
        slots = [self._filling[_key(finding.slot)]] if finding.slot.key else []
        return [*(self._holding[member] for member in dict.fromkeys(finding.members)), *slots]

    def part(self, ids: Iterable[str], touching: Touching) -> Affected:
        """Everything that can be reached from these claims, from member to member and from slot to slot."""
        out = Affected()
        reached: set[str] = set()
        slots: set[Key] = set()
        near, near_slots = set(ids), set[Key]()
        while near or near_slots:
            reached |= near
            slots |= near_slots
            found = [f for id in near for f in self._holding.get(id, {}).values()]
            found += [f for slot in near_slots for f in self._filling.get(slot, {}).values()]
            stored = touching(near, near_slots)
            out.findings |= {f.members: f for f in found}
            out.stored |= {c.id: c for c in stored}
            both: list[Finding | Conflict] = [*found, *stored]
            near = {m for one in both for m in one.members} - reached
            near_slots = {_key(one.slot) for one in both if one.slot.key} - slots
        return out


def _key(slot: Slot) -> Key:
    return slot.kind, slot.key
