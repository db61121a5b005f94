"""Reversals by subject and value: X, an explicit change to Y, X again with no word of a change back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from app.guard.candidates import ClaimIndex
from app.guard.compare import same_subject
from app.guard.entry import Entry, saying
from app.guard.find import order
from app.guard.question import question
from app.guard.slots import conflict_slot
from app.guard.values import compare_values
from app.normalize.subjects import subject_bag
from app.normalize.tokens import LIGHT
from app.words import Change, Finding, Reason

_SPOKEN = ("asserted", "logged")


Key = tuple[str, int]
"""A claim and the place of an entry in it."""


class Turns:
    """Reversals around each explicit change. One is read again when something is said of its subject, or when
    the very words of its two sides are."""

    def __init__(self) -> None:
        self._entries: dict[str, tuple[Entry, ...]] = {}
        self._changes: dict[Key, Entry] = {}
        self._by_stem: defaultdict[str, set[Key]] = defaultdict(set)
        self._by_saying: defaultdict[frozenset[str], set[Key]] = defaultdict(set)
        self._found: dict[Key, Finding] = {}

    def follow(self, index: ClaimIndex, ids: Iterable[str]) -> None:
        moved: list[Entry] = []
        new: set[Key] = set()
        for id in ids:
            gone, came = self._entries.pop(id, ()), index.entries_of(id)
            moved += (*gone, *came)
            if came:
                self._entries[id] = came
            for n, entry in enumerate(gone):
                self._drop((id, n), entry)
            for n, entry in enumerate(came):
                if _turning(entry):
                    self._take((id, n), entry)
                    new.add((id, n))
        for key in self._concerned(moved, new):
            self._found.pop(key, None)
            arc = _reversal(index, self._changes[key])
            if arc is not None:
                self._found[key] = arc

    def findings(self) -> list[Finding]:
        found = {self._found[key].members: self._found[key] for key in sorted(self._found)}
        return [found[members] for members in sorted(found)]

    def _concerned(self, moved: Sequence[Entry], new: set[Key]) -> set[Key]:
        """The changes to read: the new ones, and those that something was said of, or no longer is."""
        concerned = set(new)
        for entry in moved:
            if len(concerned) == len(self._changes):
                break  # a first reading
            concerned |= self._by_saying.get(saying(entry), set())
            for key in set().union(*(self._by_stem.get(one, ()) for one in entry.subject)) - concerned:
                if same_subject(self._changes[key], entry):
                    concerned.add(key)
        return concerned

    def _take(self, key: Key, entry: Entry) -> None:
        self._changes[key] = entry
        for place in self._places(entry):
            place.add(key)

    def _drop(self, key: Key, entry: Entry) -> None:
        if self._changes.pop(key, None) is not None:
            self._found.pop(key, None)
            for place in self._places(entry):
                place.discard(key)

    def _places(self, entry: Entry) -> list[set[Key]]:
        change = entry.norm.change
        sides = [side for side in (change.was, change.now) if side] if change else []
        return [
            *(self._by_stem[one] for one in entry.subject),
            *(self._by_saying[_words_of(entry, side)] for side in sides),
        ]


def _turning(entry: Entry) -> bool:
    norm = entry.norm
    return bool(
        norm.change is not None and norm.value and norm.single and entry.date and norm.standing in _SPOKEN
    )


def _words_of(change: Entry, value: str) -> frozenset[str]:
    return (change.subject | subject_bag(value)) - LIGHT


def thread(index: ClaimIndex, entry: Entry) -> list[Entry]:
    """Everything said about one subject, oldest first."""
    return sorted([entry, *(e for e in index.candidates(entry) if same_subject(entry, e))], key=order)


def _spoken(index: ClaimIndex, change: Entry, value: str | None) -> list[Entry]:
    """Claims that say of the changed thing just what the change names, in whatever form: "done by hand"."""
    if not value:
        return []
    return [
        replace(e, norm=replace(e.norm, value=value))
        for e in index.saying(_words_of(change, value))
        if e.norm.modality == "is" and e.norm.change is None
    ]


def _reversal(index: ClaimIndex, change: Entry) -> Finding | None:
    """The stations of a reversal around one explicit change, if its story turns back unsaid."""
    spoken = change.norm.change
    if spoken is None or not change.date:
        return None
    said = [*thread(index, change), *_spoken(index, change, spoken.was), *_spoken(index, change, spoken.now)]
    story = sorted(
        (
            e
            for e in said
            if e.norm.standing in _SPOKEN
            and e.norm.value
            and (e.norm.single or _names(e, spoken))
            and e.id != change.id
        ),
        key=order,
    )
    earlier = [
        e for e in story if e.date and e.date < change.date and e.norm.change is None and not _same(e, change)
    ]
    later = [e for e in story if e.date and e.date > change.date]
    for index_of_back, back in enumerate(later):
        if back.norm.change is not None:
            return None  # the story says itself that it changed again
        if _same(back, change) or not (_was(spoken.was, back) or _comparable(back, change)):
            continue
        before = [
            e
            for e in earlier
            if compare_values(e.norm.value or "", back.norm.value or "").relation == "equal"
        ]
        if not before and not _was(spoken.was, back):
            continue
        if any(_same(e, change) for e in later[index_of_back + 1 :]):
            return None  # the newest word agrees with the change
        stations = [
            *before[-1:],
            change,
            *[
                e
                for e in later[index_of_back:]
                if compare_values(e.norm.value or "", back.norm.value or "").relation == "equal"
            ],
        ]
        return _finding(stations, change, back)
    return None


def _names(entry: Entry, spoken: Change) -> bool:
    """The value is one of the two the change itself names."""
    return _was(spoken.was, entry) or _was(spoken.now, entry)


def _was(was: str | None, back: Entry) -> bool:
    return bool(was) and compare_values(was or "", back.norm.value or "").relation == "equal"


def _same(entry: Entry, change: Entry) -> bool:
    return compare_values(entry.norm.value or "", change.norm.value or "").relation == "equal"


def _comparable(entry: Entry, change: Entry) -> bool:
    return compare_values(entry.norm.value or "", change.norm.value or "").relation == "differ"


def _finding(stations: list[Entry], change: Entry, back: Entry) -> Finding:
    members = tuple(dict.fromkeys(e.id for e in sorted(stations, key=order)))
    slot = conflict_slot([e.claim for e in stations], min(stations, key=order))
    detail = f"{back.norm.value} again after the change to {change.norm.value} on {change.date}"
    reason = Reason("arc", "reversal", "HIGH", detail)
    return Finding("reversal", members, slot, "warn", 0.9, question(back), "detective", (reason,))
