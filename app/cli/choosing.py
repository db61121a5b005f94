"""Which conflicts a list is to show: by subject, project, type, and whether one claim superseded another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from app.detection.slots import ENTITY_SLOTS
from app.reading.tokens import bag
from app.store.changes import SUPERSEDED
from app.store.store import Store
from app.words import Claim, Conflict

_SLOT_FIELDS = frozenset(field for fields in ENTITY_SLOTS.values() for field in fields)


@dataclass(frozen=True, slots=True)
class Asked:
    """Everything given must hold of a conflict."""

    subject: str | None = None
    project: str | None = None
    type: str | None = None
    superseded: bool = False
    """Only those in which one claim superseded another; with a type, both of that type."""


def choose(
    found: Sequence[Conflict], claims: Mapping[str, Claim], asked: Asked, store: Store
) -> list[Conflict]:
    """Those of the conflicts that were asked for; `claims` are their members."""
    known = dict(claims)
    if asked.superseded and asked.type is not None:
        # What took a member's place need not be one itself.
        winners = {c.superseded_by for c in claims.values() if c.superseded_by} - claims.keys()
        known |= {claim.id: claim for claim in store.claims.all(ids=winners)} if winners else {}
    return [conflict for conflict in found if _fits(conflict, known, asked)]


def _fits(conflict: Conflict, claims: Mapping[str, Claim], asked: Asked) -> bool:
    involved = [claims[m] for m in conflict.members]
    if asked.project is not None:
        names = {conflict.slot.project, *(c.project or "" for c in involved)}
        if asked.project.casefold() not in {name.casefold() for name in names}:
            return False
    if asked.subject is not None and not _touches(conflict, involved, asked.subject):
        return False
    if not asked.superseded:
        return asked.type is None or any(c.entity == asked.type for c in involved)
    lost = [claims[id] for id in superseded(conflict, claims)]
    if asked.type is None:
        return bool(lost)
    won = [claims[c.superseded_by] for c in lost if c.superseded_by and c.entity == asked.type]
    return any(c.entity == asked.type for c in won)


def _touches(conflict: Conflict, involved: Sequence[Claim], subject: str) -> bool:
    """Is it about this, whatever the order, number or case of the words? A part of the name will do."""
    part, stems = subject.casefold(), bag(subject)
    subjects = [conflict.slot.subject, *(norm.subject for c in involved for norm in c.norms)]
    if any(part in name.casefold() for name in subjects):
        return True
    if not stems:
        return False
    shared = bag(conflict.slot.subject)
    return any(stems <= shared.union(*map(bag, _names(claim))) for claim in involved)


def _names(claim: Claim) -> Iterator[str]:
    """All that a claim says, or its note, about what it speaks of."""
    yield from (norm.subject for norm in claim.norms)
    yield claim.note
    yield from claim.aliases
    yield from (value for field, value in claim.properties if field in _SLOT_FIELDS)


def superseded(conflict: Conflict, claims: Mapping[str, Claim]) -> list[str]:
    """Members that lost to another claim by settling this conflict."""
    if conflict.status == "open" or not (conflict.winner or conflict.resolution == SUPERSEDED):
        return []
    lost = [claims[m] for m in conflict.members if claims[m].superseded_by is not None]
    return [c.id for c in lost if conflict.winner in (None, c.superseded_by)]
