"""The language model over statements the rules could not read: a few in each run, the telling ones first."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from app.detection.claim_index import CROWD, ClaimIndex
from app.models.host import ModelHost
from app.models.normalizer import Normalizer, question
from app.models.requests import Failed
from app.reading.tokens import bag
from app.store.errors import StoreError
from app.store.rereadings import Rereading as Row
from app.store.store import Store
from app.words import Claim

BUDGET = 32
"""Statements read in a vault, at about two a second. The same ones however often it is read, until notes
change: so the same notes give the same conflicts."""


@dataclass(slots=True)
class Reread:
    """What reading some claims brought: those whose norms are now the model's."""

    claims: list[Claim] = field(default_factory=list)
    failed: Failed | None = None


class NormStage:
    """Holds what the model said of claims; the store keeps the rules' norms, so without a model all is as if
    it had never been asked."""

    def __init__(self, host: ModelHost, store: Store, *, budget: int = BUDGET) -> None:
        self._normalizer = Normalizer(host)
        self._store, self._budget = store, budget
        self.reader = self._normalizer.reader
        self._known = {row.claim_id: row for row in store.caches.rereadings.of(self.reader)}
        self._weighed: dict[str, tuple[Claim, frozenset[str] | None]] = {}

    def over(self, claim: Claim) -> Claim:
        """The claim with the model's norms, where it was read as it stands and found something in it."""
        row = self._known.get(claim.id)
        if row is None or not row.norms or not _wanted(claim) or row.key != _key(claim):
            return claim
        return replace(claim, norms=row.norms)

    def pending(self, index: ClaimIndex) -> list[str]:
        """The claims worth a reading that have none yet: first those that name what another claim is about,
        then the newest."""
        worth = [claim for claim in index.claims.values() if self._words(claim) is not None]
        if not worth:
            return []
        # What the model itself made of claims must not change whose turn it is.
        spoken_of = Counter(
            stem
            for id in index.ids()
            for entry in index.entries_of(id)
            if entry.norm.by == "rules"
            for stem in entry.subject
        )

        def order(claim: Claim) -> tuple[bool, str, str]:
            shared = any(0 < spoken_of[stem] <= CROWD for stem in self._words(claim) or ())
            return shared, claim.statement.date or "", claim.id

        worth.sort(key=order, reverse=True)
        return [c.id for c in worth[: self._budget] if not self._is_known(c)]

    def read(self, ids: Sequence[str], claims: Mapping[str, Claim]) -> Reread:
        """Ask the model about these claims, and keep what came of it."""
        made = Reread()
        rows: list[Row] = []
        for claim in (claims[id] for id in ids if id in claims):
            norms = self._normalizer.read(claim.statement, claim.note, claim.project)
            if isinstance(norms, Failed):
                made.failed = norms
                if norms.why in ("timeout", "crashed", "refused"):
                    norms = None  # this statement is too much for it; another need not be
                    made.failed = None
                else:
                    break
            rows.append(Row(claim.id, _key(claim), norms))
            if norms:
                made.claims.append(replace(claim, norms=norms))
        self._keep(rows)
        return made

    def _words(self, claim: Claim) -> frozenset[str] | None:
        """The words of a claim worth a reading, None where it is not; found out once for each."""
        held = self._weighed.get(claim.id)
        if held is None or held[0] is not claim:
            held = self._weighed[claim.id] = (claim, bag(claim.statement.text) if _wanted(claim) else None)
        return held[1]

    def _keep(self, rows: Iterable[Row]) -> None:
        rows = list(rows)
        self._known |= {row.claim_id: row for row in rows}
        with contextlib.suppress(StoreError):  # a store that cannot be written only costs time
            self._store.caches.rereadings.put(self.reader, rows)

    def _is_known(self, claim: Claim) -> bool:
        row = self._known.get(claim.id)
        return row is not None and row.key == _key(claim)


def _wanted(claim: Claim) -> bool:
    """Could the rules not place it? What they placed stays theirs, sure or not: structure compares it."""
    s = claim.statement
    if claim.status != "active" or claim.silent or s.struck or s.quoted or s.form in ("row", "property"):
        return False
    placed = any(norm.by == "rules" and norm.subject_kind == "PRESENT" for norm in claim.norms)
    return not placed and question(s, claim.note) is not None


def _key(claim: Claim) -> str:
    wanted = question(claim.statement, claim.note)
    return wanted.key if wanted is not None else ""
