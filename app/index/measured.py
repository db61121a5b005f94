"""Who measures the same as whom: claims by what they give a value for, and the nearest among those.

Two statements of one thing may share so few words that neither is among the nearest of the other. Among the
few that tell how long, how much or when at all, they nearly always are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from app.guard.contrast import Kind, kinds
from app.guard.judged import spoken
from app.models.neighbours import Neighbours
from app.words import Claim


class Measured:
    """Follows the claims that neighbours are held of."""

    def __init__(self) -> None:
        self._kinds: dict[str, frozenset[Kind]] = {}
        self._of: dict[Kind, set[str]] = defaultdict(set)

    def add(self, claim: Claim) -> None:
        self.put(claim.id, kinds(spoken(claim), counts=claim.statement.form != "row"))

    def put(self, id: str, told: frozenset[Kind]) -> None:
        self.remove(id)
        if told:
            self._kinds[id] = told
            for kind in told:
                self._of[kind].add(id)

    def remove(self, id: str) -> None:
        for kind in self._kinds.pop(id, ()):
            self._of[kind].discard(id)

    def nearest(self, ids: Sequence[str], held: Neighbours) -> set[frozenset[str]]:
        """Pairs of one of these and another of which each is the nearest of the other among those that
        measure something that both do."""
        found: set[frozenset[str]] = set()
        for kind in sorted({kind for id in ids for kind in self._kinds.get(id, ())}):
            same = self._of[kind]
            near = _nearest(held, [id for id in ids if id in same], same)
            back = _nearest(held, sorted(set(near.values())), same)
            found |= {frozenset((id, other)) for id, other in near.items() if back.get(other) == id}
        return found


def _nearest(held: Neighbours, ids: Sequence[str], among: set[str]) -> dict[str, str]:
    near = held.nearest_of(ids, 1, among)
    # What cannot be embedded is near to nothing.
    return {id: around[0].id for id, around in near.items() if around and around[0].cosine > 0}
