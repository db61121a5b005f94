"""Which claims are worth comparing with which: an inverted index over subject and context words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations

from app.guard.entry import Entry, entries, saying
from app.normalize.subjects import subject_bag
from app.words import Claim


class ClaimIndex:
    """Every comparable norm, found by its words; never all pairs.

    Two subjects match only if the words of one are among the words of the other (what is missing comes
    from the surroundings), so a claim is looked up by the subsets of its words and, where it may be the
    smaller one, by its rarest word.
    """

    def __init__(self, claims: Iterable[Claim] = ()) -> None:
        self.claims: dict[str, Claim] = {}
        self._entries: dict[str, tuple[Entry, ...]] = {}
        self._subjects: defaultdict[frozenset[str], dict[Entry, None]] = defaultdict(dict)
        self._at_home: defaultdict[tuple[str, frozenset[str]], dict[Entry, None]] = defaultdict(dict)
        self._words: defaultdict[str, dict[Entry, None]] = defaultdict(dict)
        self._sayings: defaultdict[frozenset[str], dict[Entry, None]] = defaultdict(dict)
        self._switches: defaultdict[frozenset[str], dict[Entry, None]] = defaultdict(dict)
        self._moved: set[str] = set()
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
        self._moved.add(claim_id)
        for entry in self._entries.pop(claim_id, ()):
            for place in self._places(entry):
                place.pop(entry, None)

    def take_moved(self) -> set[str]:
        """Claims added, replaced or taken out since this was last asked, for the one reader that follows."""
        moved, self._moved = self._moved, set()
        return moved

    def _places(self, entry: Entry) -> list[dict[Entry, None]]:
        """Where an entry is kept. A plain saying is only ever denied or changed as a whole."""
        whole = self._sayings[saying(entry)]
        change = entry.norm.change
        if change is not None and change.was and entry.norm.subject == change.was:
            return [self._switches[subject_bag(change.was)]]
        if entry.plain:
            return [whole]
        home = entry.claim.statement.path
        kept = [whole]
        for key in _keys(entry):
            kept += (self._subjects[key], self._at_home[home, key])
        return [*kept, *(self._words[stem] for stem in entry.subject)]

    def saying(self, stems: frozenset[str]) -> list[Entry]:
        """The entries whose words, value included, are just these."""
        return list(self._sayings.get(stems, ()))

    def switches(self, value: str | None) -> list[Entry]:
        """Changes that say what they replaced, but not of what ("we replaced X with Y")."""
        return list(self._switches.get(subject_bag(value), ())) if value else []

    def entries_of(self, claim_id: str) -> tuple[Entry, ...]:
        return self._entries.get(claim_id, ())

    def ids(self) -> list[str]:
        return list(self._entries)

    def candidates(self, entry: Entry, *, wider: bool = True) -> list[Entry]:
        """Entries this one may be compared with. `wider` also looks for subjects that say more than
        this one; a full run finds those pairs from their other side."""
        seen: dict[Entry, None] = {}
        home = entry.claim.statement.path
        if entry.plain or entry.norm.modality == "is_not":
            said = self._sayings.get(saying(entry), {})
            seen = dict.fromkeys(said if len(said) <= CROWD else ())
        if not entry.plain:
            for key in _keys(entry):
                for subset in _subsets(key):
                    named = self._subjects.get(subset, {})
                    if len(named) > CROWD:
                        named = self._at_home.get((home, subset), {})
                    if len(named) <= CROWD:  # more than that in one note is a list
                        seen.update(named)
            if wider:
                rarest = min((self._words.get(stem, {}) for stem in entry.subject), key=len)
                for other in rarest if len(rarest) <= _SCAN else ():
                    if (
                        entry.subject < other.subject and not other.subject - entry.subject - entry.context
                    ) or other.borrowed_names:
                        seen[other] = None
        return [other for other in seen if other.claim.id != entry.claim.id]


_SUBSET_LIMIT = 7
_SCAN = 5000
CROWD = 48
"""A subject used by more claims than this names each note's own thing; only the note itself can disagree."""


def _keys(entry: Entry) -> tuple[frozenset[str], ...]:
    """The subject, and for a key of a titled note also with only the names of its title."""
    if entry.borrowed_names and entry.borrowed_names != entry.borrowed:
        return (entry.subject, entry.subject - entry.borrowed | entry.borrowed_names)
    return (entry.subject,)


def _subsets(stems: frozenset[str]) -> Iterator[frozenset[str]]:
    ordered = sorted(stems)
    smallest = 1 if len(ordered) <= _SUBSET_LIMIT else len(ordered) - 1
    for size in range(len(ordered), smallest - 1, -1):
        for chosen in combinations(ordered, size):
            yield frozenset(chosen)
