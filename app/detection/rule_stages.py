"""Stages that need no model: norms that contradict each other, and pairs whose words are enough to show."""

from __future__ import annotations

from app.detection import norm_findings
from app.detection.claim_index import ClaimIndex
from app.detection.finding import finding
from app.detection.pairs import PairReader
from app.detection.stages import Findings, Touched
from app.words import Both


class NormRules:
    seconds = "guard"

    def __init__(self) -> None:
        self._found: Findings = {}

    @property
    def contradicting(self) -> set[Both]:
        """Pairs whose norms contradict each other."""
        return {frozenset(members) for members in self._found}

    def findings(self, index: ClaimIndex, touched: Touched | None, before: Findings) -> Findings:
        if touched is not None:
            found = {f.members: f for f in norm_findings.findings(index, touched.around)}
            self._found = found | _untouched(self._found, touched)
        return before | self._found


class WordPairs:
    """The words of two claims, aligned; where their norms contradict each other, those say why."""

    seconds = "guard"

    def __init__(self, pairs: PairReader, norms: NormRules) -> None:
        self._pairs, self._norms = pairs, norms
        self._found: Findings = {}

    @property
    def shown(self) -> set[Both]:
        """Pairs that their words are enough to show."""
        return {frozenset(members) for members in self._found}

    def findings(self, index: ClaimIndex, touched: Touched | None, before: Findings) -> Findings:
        if touched is not None:
            self._pairs.follow(index.claims)
            met = self._pairs.met(touched.around)
            weighed = self._pairs.weigh(met, self._norms.contradicting, shown_only=True)
            found = {one.members: one for one in map(finding, weighed)}
            self._found = found | _untouched(self._found, touched)
        return self._found | before


def _untouched(found: Findings, touched: Touched) -> Findings:
    if touched.around is None:
        return {}
    around = frozenset(touched.around)
    return {members: one for members, one in found.items() if not around.intersection(members)}
