"""The arc reader: everything the detective finds without a model, over the threads of an index."""

from __future__ import annotations

from collections.abc import Iterable
from weakref import WeakKeyDictionary

from app.detection.claim_index import ClaimIndex
from app.detection.stages import Findings, Touched
from app.detective.mention_reversals import MentionReversals
from app.detective.mentions import MentionIndex
from app.detective.merge import merged
from app.detective.rates import ConflictingRates
from app.detective.value_reversals import ValueReversals
from app.detective.versions import OutdatedVersions
from app.detective.weekdays import WeekdayReversals
from app.words import Finding


class ArcReader:
    """Follows one index: what it keeps between readings makes the next one cost only what changed."""

    def __init__(self) -> None:
        self._mentions = MentionIndex()
        self._turns, self._returns = ValueReversals(self._mentions), MentionReversals(self._mentions)
        self._weekdays = WeekdayReversals(self._mentions)
        self._versions, self._rates = OutdatedVersions(self._mentions), ConflictingRates()

    def read(self, index: ClaimIndex) -> list[Finding]:
        ids = sorted(index.take_moved())
        moved = self._mentions.follow(index.claims, ids)
        self._turns.follow(index, ids, moved)
        by_words = (self._returns, self._weekdays, self._versions, self._rates)
        for reading in by_words:
            reading.follow(moved)
        found = merged(reading.findings() for reading in (self._turns, *by_words))
        return [one for one in found if one.tier != "clean"]


_READERS: WeakKeyDictionary[ClaimIndex, ArcReader] = WeakKeyDictionary()


def findings(index: ClaimIndex, touched: Iterable[str] | None = None) -> list[Finding]:
    """Reversals and outdated claims with at least one touched member (default: all)."""
    found = _READERS.setdefault(index, ArcReader()).read(index)
    if touched is None:
        return found
    ids = frozenset(touched)
    return [f for f in found if ids.intersection(f.members)]


class Arcs:
    """Arcs as a stage. They follow the whole index, since a distant claim may end an arc."""

    seconds = "detective"

    def __init__(self) -> None:
        self._found: Findings = {}

    @property
    def found(self) -> list[Finding]:
        return sorted(self._found.values(), key=lambda finding: finding.members)

    def findings(self, index: ClaimIndex, touched: Touched | None, before: Findings) -> Findings:
        if touched is not None:
            self._found = {found.members: found for found in findings(index)}
        return before | self._found
