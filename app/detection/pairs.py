"""Pairs of claims on their way to a verdict: read, met by words, aligned, weighed, decided."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from app.detection.align import Alignment, align
from app.detection.candidates import MOST_NEIGHBOURS, WordIndex, meetings
from app.detection.decide import Decision, decide, promising
from app.detection.evidence import Meeting, evidence, first_sight
from app.detection.pair_gates import how_held
from app.detection.structure import structure
from app.reading.frame import Reading
from app.reading.read import comparable
from app.reading.reader import ClaimReader
from app.words import Both, Claim, Opinion

_AT_ONCE = 4096
"""How many pairs have their evidence in memory at once."""


class Weighed(NamedTuple):
    """A pair, the older claim first, with its decision."""

    a: Claim
    b: Claim
    alignment: Alignment | None
    decision: Decision
    opinion: Opinion | None = None

    @property
    def both(self) -> Both:
        return frozenset((self.a.id, self.b.id))


class PairReader:
    """Follows the claims of an index: their readings, and which of them share words."""

    def __init__(self, reader: ClaimReader) -> None:
        self._reader = reader
        self._claims: dict[str, Claim] = {}
        self._readings: dict[str, Reading] = {}
        self._words = WordIndex()

    @property
    def trouble(self) -> str:
        """Why nothing can be parsed; empty if parsing works."""
        return self._reader.trouble

    def follow(self, claims: Mapping[str, Claim]) -> None:
        """Update to these claims: all there are now."""
        for id in [id for id in self._claims if id not in claims]:
            self._drop(id)
        changed = [claim for id, claim in claims.items() if self._claims.get(id) is not claim]
        readings = self._reader.read(changed)
        for claim in changed:
            self._drop(claim.id)
            self._claims[claim.id] = claim
            reading = readings.get(claim.id)
            if reading is not None and comparable(claim, reading):
                self._readings[claim.id] = reading
                self._words.add(claim.id, reading)

    def _drop(self, id: str) -> None:
        self._claims.pop(id, None)
        if self._readings.pop(id, None) is not None:
            self._words.remove(id)

    @property
    def lines(self) -> int:
        """Number of comparable claims."""
        return len(self._readings)

    @property
    def alone(self) -> bool:
        """Are there at most two of them?"""
        return self.lines <= 2

    def comparable(self, id: str) -> bool:
        """Does this claim say something that another claim could contradict?"""
        return id in self._readings

    def older_first(self, both: Both) -> tuple[Claim, Claim]:
        a, b = sorted((self._claims[id] for id in both), key=age)
        return a, b

    def met(self, ids: Iterable[str] | None = None) -> dict[Both, Meeting]:
        """The pairs that share telling words and contain one of these claims (default: all pairs)."""
        chosen = [id for id in (self._readings if ids is None else ids) if id in self._readings]
        near = {id: self._words.near(id) for id in chosen}
        if ids is not None:  # also claims that have one of these among their own nearest
            around = {other for id in chosen for other in self._words.near(id, 3 * MOST_NEIGHBOURS)}
            near |= {other: self._words.near(other) for other in around - near.keys()}
        return meetings(near, set(chosen))

    def recalled(self, a: str, b: str, decision: Decision, opinion: Opinion) -> Weighed:
        """A pair that was weighed earlier, with its decision."""
        aligned = align(self._readings[a], self._readings[b])
        return Weighed(self._claims[a], self._claims[b], aligned, decision, opinion)

    def weigh(
        self,
        met: Mapping[Both, Meeting],
        contradicting: Collection[Both] = (),
        opinions: Mapping[Both, Opinion] | None = None,
        judge: str = "",
        *,
        shown_only: bool = False,
    ) -> list[Weighed]:
        """Decide each pair by its evidence. `contradicting`: pairs whose norms contradict; `opinions`: those
        of this judge."""
        rest = iter(met.items())
        out: list[Weighed] = []
        while some := dict(islice(rest, _AT_ONCE)):
            made = self._weighed(some, contradicting, opinions, judge)
            out += [one for one in made if one.decision.shown] if shown_only else made
        return out

    def _weighed(
        self,
        met: Mapping[Both, Meeting],
        contradicting: Collection[Both],
        opinions: Mapping[Both, Opinion] | None,
        judge: str,
    ) -> list[Weighed]:
        told: list[tuple[Claim, Claim, Alignment | None, Opinion | None]] = []
        records: list[dict[str, float]] = []
        alone = self.alone
        for both, a, b in self._promising(met, contradicting, judged=opinions is not None):
            meeting = met[both]
            x, y = self._readings[a.id], self._readings[b.id]
            aligned = align(x, y)
            said = opinions.get(both) if opinions is not None else None
            held = how_held(a), how_held(b)
            norms = structure(a, b, both in contradicting)
            records.append(evidence(a, b, (x, y), aligned, replace(meeting, alone=alone), held, norms, said))
            told.append((a, b, aligned, said))
        return [
            Weighed(a, b, aligned, decision, said)
            for (a, b, aligned, said), decision in zip(told, decide(records, judge), strict=True)
        ]

    def _promising(
        self, met: Mapping[Both, Meeting], contradicting: Collection[Both], *, judged: bool
    ) -> list[tuple[Both, Claim, Claim]]:
        """The pairs worth aligning, the older claim first. Always kept: pairs whose norms contradict, pairs
        already judged, and the only pair of a two-claim vault."""
        pairs = [(both, *self.older_first(both)) for both in met if both <= self._readings.keys()]
        pairs = [(both, a, b) for both, a, b in pairs if not _same_text(a, b)]
        if judged or self.alone or not pairs:
            return pairs
        kept = promising([first_sight(a, b, met[both]) for both, a, b in pairs])
        return [one for one, keep in zip(pairs, kept, strict=True) if keep or one[0] in contradicting]


def _same_text(a: Claim, b: Claim) -> bool:
    return a.statement.text.casefold() == b.statement.text.casefold()


def nearer(met: Meeting | None, cosine: float, near_a: int, near_b: int) -> Meeting:
    """The meeting by words, if any, completed with how near the two are in meaning."""
    unmet = Meeting(rank_a=FARTHEST, rank_b=FARTHEST)
    return replace(met or unmet, cosine=cosine, near_a=near_a, near_b=near_b)


FARTHEST = 24
"""Rank given to claims outside the nearest 24."""


def age(claim: Claim) -> tuple[str, str, int, str]:
    """Oldest first; undated ones before all dated ones, since they are never newer."""
    s = claim.statement
    return (s.date or "", s.path, s.line, claim.id)
