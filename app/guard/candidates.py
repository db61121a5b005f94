"""Which claims are worth comparing with which: an inverted index over subject and context words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from app.guard.entry import Entry, entries
from app.words import Claim


class ClaimIndex:
    """Every comparable norm, found by its words; never all pairs."""

    def __init__(self, claims: Iterable[Claim] = ()) -> None:
        self.claims: dict[str, Claim] = {}
        self._entries: dict[str, tuple[Entry, ...]] = {}
        self._subjects: defaultdict[str, dict[Entry, None]] = defaultdict(dict)
        for claim in claims:
            self.add(claim)

    def add(self, claim: Claim) -> None:
        self.remove(claim.id)
        self.claims[claim.id] = claim
        made = entries(claim)
        if made:
            self._entries[claim.id] = made
            for entry in made:
                for stem in entry.subject:
                    self._subjects[stem][entry] = None

    def remove(self, claim_id: str) -> None:
        self.claims.pop(claim_id, None)
        for entry in self._entries.pop(claim_id, ()):
            for stem in entry.subject:
                self._subjects[stem].pop(entry, None)

    def entries_of(self, claim_id: str) -> tuple[Entry, ...]:
        return self._entries.get(claim_id, ())

    def ids(self) -> list[str]:
        return list(self._entries)

    def candidates(self, entry: Entry) -> list[Entry]:
        """Entries whose subject and surroundings can cover this one's, and the other way round.

        Words only one subject has must come from the other's context, so whatever matches shares at
        least one subject word; the rarest ones are looked at first and the scan is bounded.
        """
        seen: dict[Entry, None] = {}
        for stem in sorted(entry.subject, key=lambda s: (len(self._subjects[s]), s)):
            posting = self._subjects[stem]
            if seen and len(posting) > _TOO_COMMON:
                break
            for other in posting:
                if other.claim.id != entry.claim.id and other not in seen and _may_match(entry, other):
                    seen[other] = None
        return list(seen)


_TOO_COMMON = 2000


def _may_match(a: Entry, b: Entry) -> bool:
    if a.subject == b.subject or a.subject < b.subject or b.subject < a.subject:
        return True
    return not (a.subject - b.subject - b.context) and not (b.subject - a.subject - a.context)
