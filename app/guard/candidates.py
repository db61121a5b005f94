"""Which claims are worth comparing with which: an inverted index over subject and context words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from app.guard.entry import Entry, entries
from app.normalize.subjects import subject_bag
from app.normalize.tokens import LIGHT
from app.words import Claim


class ClaimIndex:
    """Every comparable norm, found by its words; never all pairs."""

    def __init__(self, claims: Iterable[Claim] = ()) -> None:
        self.claims: dict[str, Claim] = {}
        self._entries: dict[str, tuple[Entry, ...]] = {}
        self._subjects: defaultdict[str, dict[Entry, None]] = defaultdict(dict)
        self._sayings: defaultdict[frozenset[str], dict[Entry, None]] = defaultdict(dict)
        for claim in claims:
            self.add(claim)

    def add(self, claim: Claim) -> None:
        self.remove(claim.id)
        self.claims[claim.id] = claim
        made = entries(claim)
        if made:
            self._entries[claim.id] = made
            for entry in made:
                for place in self._places(entry):
                    place[entry] = None

    def remove(self, claim_id: str) -> None:
        self.claims.pop(claim_id, None)
        for entry in self._entries.pop(claim_id, ()):
            for place in self._places(entry):
                place.pop(entry, None)

    def _places(self, entry: Entry) -> list[dict[Entry, None]]:
        """A plain saying is only ever denied or changed as a whole, so its words are one key."""
        whole = self._sayings[saying(entry)]
        return [whole] if entry.plain else [whole, *(self._subjects[stem] for stem in entry.subject)]

    def saying(self, stems: frozenset[str]) -> list[Entry]:
        """The entries whose words, value included, are just these."""
        return list(self._sayings.get(stems, ()))

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
        if entry.plain or entry.norm.modality == "is_not":
            seen = {e: None for e in self._sayings.get(saying(entry), ()) if e.claim.id != entry.claim.id}
        if entry.plain:
            return list(seen)
        for stem in sorted(entry.subject, key=lambda s: (len(self._subjects[s]), s)):
            posting = self._subjects[stem]
            if seen and len(posting) > _TOO_COMMON:
                break
            for other in posting:
                if other.claim.id != entry.claim.id and other not in seen and _may_match(entry, other):
                    seen[other] = None
        return list(seen)


_TOO_COMMON = 2000


def saying(entry: Entry) -> frozenset[str]:
    """All content words of an entry: what it is about and what it says of it."""
    words = entry.subject | subject_bag(entry.norm.value) if entry.norm.value else entry.subject
    return words - LIGHT or words


def _may_match(a: Entry, b: Entry) -> bool:
    if a.subject == b.subject or a.subject < b.subject or b.subject < a.subject:
        return True
    return not (a.subject - b.subject - b.context) and not (b.subject - a.subject - a.context)
