"""What a change of some claims can affect: the findings and conflicts connected with them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field

from app.words import Conflict, Finding, Slot

Members = tuple[str, ...]
SlotKey = tuple[str, tuple[str, ...]]
Touching = Callable[[Collection[str], Collection[SlotKey]], list[Conflict]]
"""The stored conflicts with one of these claims among their members, or open in one of these slots."""


@dataclass(slots=True)
class Affected:
    """Whole conflicts: none outside it shares a claim or a slot with one inside."""

    findings: dict[Members, Finding] = field(default_factory=dict)
    stored: dict[str, Conflict] = field(default_factory=dict)


class FindingIndex:
    """All findings, by claim and by slot. Kept between saves, so that the cost of a save depends on what it
    changed, not on the size of the vault."""

    def __init__(self) -> None:
        self._all: dict[Members, Finding] = {}
        self._holding: defaultdict[str, dict[Members, Finding]] = defaultdict(dict)
        self._filling: defaultdict[SlotKey, dict[Members, Finding]] = defaultdict(dict)

    def replace_all(self, findings: Mapping[Members, Finding]) -> set[str]:
        """Take these as all findings; returns the members of those that came, went or changed."""
        held = self._all
        # Most are the very same objects: comparing their contents would take as long as everything else.
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

    def reachable_from(self, ids: Iterable[str], touching: Touching) -> Affected:
        """Everything reachable from these claims, from member to member and from slot to slot."""
        out = Affected()
        reached: set[str] = set()
        slots: set[SlotKey] = set()
        near, near_slots = set(ids), set[SlotKey]()
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


def _key(slot: Slot) -> SlotKey:
    return slot.kind, slot.key
