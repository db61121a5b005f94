"""The arc reader: everything the detective finds without a model, over the threads of an index."""

from __future__ import annotations

from collections.abc import Iterable
from weakref import WeakKeyDictionary

from app.detection.claim_index import ClaimIndex
from app.detection.stages import Findings, Touched
from app.detective.limits import Rates
from app.detective.mention_reversals import Returns
from app.detective.mentions import Hearing
from app.detective.merge import merged
from app.detective.value_reversals import Turns
from app.detective.versions import Versions
from app.detective.weekdays import Weekdays
from app.words import Finding


class ArcReader:
    """Follows one index: what is kept between two readings makes the second cost what changed."""

    def __init__(self) -> None:
        self._hearing = Hearing()
        self._turns, self._returns = Turns(self._hearing), Returns(self._hearing)
        self._weekdays = Weekdays(self._hearing)
        self._versions, self._rates = Versions(self._hearing), Rates()

    def read(self, index: ClaimIndex) -> list[Finding]:
        ids = sorted(index.take_moved())
        moved = self._hearing.follow(index.claims, ids)
        self._turns.follow(index, ids, moved)
        by_words = (self._returns, self._weekdays, self._versions, self._rates)
        for reading in by_words:
            reading.follow(moved)
        found = merged(reading.findings() for reading in (self._turns, *by_words))
        return [one for one in found if one.tier != "clean"]


_READERS: WeakKeyDictionary[ClaimIndex, ArcReader] = WeakKeyDictionary()


def findings(index: ClaimIndex, touched: Iterable[str] | None = None) -> list[Finding]:
    """Reversals and outdated claims, of which at least one member was touched (default: all)."""
    found = _READERS.setdefault(index, ArcReader()).read(index)
    if touched is None:
        return found
    ids = frozenset(touched)
    return [f for f in found if ids.intersection(f.members)]


class Arcs:
    """Arcs as a stage. They follow the index by themselves: a word far away may end one."""

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
