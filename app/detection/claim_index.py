"""Which claims are worth comparing with which: an index by subject words and by named slots."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations

from app.detection.canonical_names import Changed, Names
from app.detection.norm_entry import Entry, entries, saying
from app.detection.statement_links import links
from app.reading.subjects import subject_bag
from app.reading.tokens import LIGHT
from app.words import Claim


class ClaimIndex:
    """Every comparable norm, found by its words; never all pairs.

    Two subjects match only if the words of one are among the words of the other (what is missing comes
    from the surroundings), so a claim is looked up by the subsets of its words and, where it may be the
    smaller one, by its rarest word. Lines that fill a slot named in the frontmatter are found by it too.

    What a name stands for is a matter of all claims together: those whose name came to mean something else
    are entered anew before the next look.
    """

    def __init__(self, claims: Iterable[Claim] = ()) -> None:
        self.claims: dict[str, Claim] = {}
        self._names = Names()
        self._entries: dict[str, tuple[Entry, ...]] = {}
        self._subjects: defaultdict[frozenset[str], dict[Entry, None]] = defaultdict(dict)
        self._at_home: defaultdict[tuple[str, frozenset[str]], dict[Entry, None]] = defaultdict(dict)
        self._words: defaultdict[str, dict[Entry, None]] = defaultdict(dict)
        self._slots: defaultdict[tuple[str, ...], dict[Entry, None]] = defaultdict(dict)
        self._sayings: defaultdict[frozenset[str], dict[Entry, None]] = defaultdict(dict)
        self._switches: defaultdict[frozenset[str], dict[Entry, None]] = defaultdict(dict)
        self._moved: set[str] = set()
        self._renamed: set[str] = set()
        self._looked = False
        """Has anybody been told anything yet? Before that, nobody can have compared what is now renamed."""
        self.claims.update((claim.id, claim) for claim in claims)
        for claim in self.claims.values():
            self._names.add(claim)
        self._names.take_changed()  # all names are known before anything is entered
        for claim in self.claims.values():
            self._moved.add(claim.id)
            self._enter(claim)

    def add(self, claim: Claim) -> None:
        self.remove(claim.id)
        self.claims[claim.id] = claim
        self._names.add(claim)
        self._enter(claim)

    def remove(self, claim_id: str) -> None:
        claim = self.claims.pop(claim_id, None)
        if claim is not None:
            self._names.remove(claim)
        self._leave(claim_id)

    def _enter(self, claim: Claim) -> None:
        made = entries(claim, self._names)
        if made:
            self._entries[claim.id] = made
            for entry in made:
                for place in self._places(entry):
                    place[entry] = None

    def _leave(self, claim_id: str) -> None:
        self._moved.add(claim_id)
        for entry in self._entries.pop(claim_id, ()):
            for place in self._places(entry):
                place.pop(entry, None)

    def take_moved(self) -> set[str]:
        """Claims added, replaced or taken out since this was last asked, for the one reader that follows."""
        self._settle_names()
        moved, self._moved = self._moved, set()
        return moved

    def take_renamed(self) -> set[str]:
        """Claims that other claims gave another subject since this was last asked, and who stood near them:
        they are to be compared anew, though nobody touched them."""
        self._settle_names()
        renamed, self._renamed = self._renamed, set()
        return renamed

    def _settle_names(self) -> None:
        """Enter anew whoever uses a name that means something else now; once for all that changed."""
        changed = self._names.take_changed()
        looked, self._looked = self._looked, True
        if changed is None:
            return
        for claim_id in self._users(changed):
            claim, before = self.claims[claim_id], self._entries[claim_id]
            if entries(claim, self._names) == before:
                continue
            if looked:
                near = (other.id for entry in before for other in self.candidates(entry))
                self._renamed.update((claim_id, *near))
            self._leave(claim_id)
            self._enter(claim)

    def _users(self, changed: Changed) -> list[str]:
        """The claims that may use one of these names, whatever they made of it so far."""
        telling = {next(one for one in phrase if one not in LIGHT) for phrase in changed.phrases}
        speakers = {
            id
            for id, made in self._entries.items()
            for entry in made
            if not telling.isdisjoint(entry.subject)
            or (entry.filled is not None and not telling.isdisjoint(subject_bag(entry.filled.name)))
        }
        linking = {id for id in self._entries if changed.files and _links_to(self.claims[id], changed.files)}
        return sorted(speakers | linking)

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
        if entry.filled is not None:
            kept.append(self._slots[entry.filled.slot])
        return [*kept, *(self._words[stem] for subject in _subjects(entry) for stem in subject)]

    def saying(self, stems: frozenset[str]) -> list[Entry]:
        """The entries whose words, value included, are just these."""
        self._settle_names()
        return list(self._sayings.get(stems, ()))

    def switches(self, value: str | None) -> list[Entry]:
        """Changes that say what they replaced, but not of what ("we replaced X with Y")."""
        self._settle_names()
        return list(self._switches.get(subject_bag(value), ())) if value else []

    def entries_of(self, claim_id: str) -> tuple[Entry, ...]:
        self._settle_names()
        return self._entries.get(claim_id, ())

    def ids(self) -> list[str]:
        self._settle_names()
        return list(self._entries)

    def candidates(self, entry: Entry, *, wider: bool = True) -> list[Entry]:
        """Entries this one may be compared with. `wider` also looks for subjects that say more than
        this one; a full run finds those pairs from their other side."""
        self._settle_names()
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
            if entry.filled is not None:
                fillers = self._slots.get(entry.filled.slot, {})
                seen.update(fillers if len(fillers) <= CROWD else {})
            if wider:
                seen.update(dict.fromkeys(self._wider(entry)))
        return [other for other in seen if other.claim.id != entry.claim.id]

    def _wider(self, entry: Entry) -> Iterator[Entry]:
        """Subjects that say more than this one, as far as its surroundings supply it."""
        context = entry.context
        for subject in _subjects(entry):
            rarest = min((self._words.get(stem, {}) for stem in subject), key=len)
            for other in rarest if len(rarest) <= _SCAN else ():
                more = other.subject  # nearly all have but this one
                if (
                    other.borrowed_names
                    or (subject < more and more - subject <= context)
                    or (
                        (other.filled is not None or other.called is not more)
                        and any(subject < more and more - subject <= context for more in _subjects(other))
                    )
                ):
                    yield other


_SUBSET_LIMIT = 7
_SCAN = 5000
CROWD = 48
"""A subject used by more claims than this names each note's own thing; only the note itself can disagree."""


def _links_to(claim: Claim, files: frozenset[str]) -> bool:
    quote = claim.statement.quote
    may = "[[" in quote or "](" in quote
    return may and any(link.target.casefold() in files for link in links(quote))


def _subjects(entry: Entry) -> tuple[frozenset[str], ...]:
    """The subject in its own words, by the names things have in the vault, and by the slot it fills."""
    if entry.filled is None and entry.called == entry.subject:
        return (entry.subject,)
    named = (entry.filled.subject,) if entry.filled is not None else ()
    return tuple(dict.fromkeys((entry.subject, entry.called, *named)))


def _keys(entry: Entry) -> tuple[frozenset[str], ...]:
    """The subjects, and for a key of a titled note also with only the names of its title."""
    if entry.borrowed_names and entry.borrowed_names != entry.borrowed:
        return (*_subjects(entry), entry.subject - entry.borrowed | entry.borrowed_names)
    return _subjects(entry)


def _subsets(stems: frozenset[str]) -> Iterator[frozenset[str]]:
    ordered = sorted(stems)
    smallest = 1 if len(ordered) <= _SUBSET_LIMIT else len(ordered) - 1
    for size in range(len(ordered), smallest - 1, -1):
        for chosen in combinations(ordered, size):
            yield frozenset(chosen)
