"""Reversals by subject and value: X, an explicit change to Y, then X again without a change back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from app.conflicts.question import question
from app.detection.claim_index import ClaimIndex
from app.detection.compare_norms import same_subject
from app.detection.compare_values import compare_values
from app.detection.decide import decide_arc
from app.detection.norm_entry import Entry, saying
from app.detection.norm_findings import order
from app.detection.slots import conflict_slot
from app.detective.arc_settlement import Station, settled
from app.detective.mentions import Mention, MentionChanges, MentionIndex
from app.detective.return_phrases import may_tell_return, mentions_of_return
from app.detective.story_words import stems
from app.reading.subjects import subject_bag
from app.reading.tokens import LIGHT
from app.words import Change, Finding, Reason

_SPOKEN = ("asserted", "logged")


EntryKey = tuple[str, int]
"""A claim id and the position of an entry in that claim."""


class ValueReversals:
    """Reversals around each explicit change. One is read again when a claim about its subject or with the
    exact words of one of its sides changes, or when a line that may announce a return names one of them."""

    def __init__(self, mentions: MentionIndex) -> None:
        self._mentions = mentions
        self._entries: dict[str, tuple[Entry, ...]] = {}
        self._changes: dict[EntryKey, Entry] = {}
        self._by_stem: defaultdict[str, set[EntryKey]] = defaultdict(set)
        self._by_saying: defaultdict[frozenset[str], set[EntryKey]] = defaultdict(set)
        self._sides: dict[EntryKey, frozenset[str]] = {}
        self._by_side: defaultdict[str, set[EntryKey]] = defaultdict(set)
        self._found: dict[EntryKey, Finding] = {}

    def follow(self, index: ClaimIndex, ids: Iterable[str], changed: MentionChanges) -> None:
        moved: list[Entry] = []
        new: set[EntryKey] = set()
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
        for key in self._concerned(moved, changed, new):
            self._forget(key)
            read = _reversal(index, self._mentions, self._changes[key])
            self._sides[key] = read.sides
            for one in read.sides:
                self._by_side[one].add(key)
            if read.finding is not None:
                self._found[key] = read.finding

    def findings(self) -> list[Finding]:
        found = {self._found[key].members: self._found[key] for key in sorted(self._found)}
        return [found[members] for members in sorted(found)]

    def _concerned(
        self, moved: Sequence[Entry], changed: MentionChanges, new: set[EntryKey]
    ) -> set[EntryKey]:
        """The changes to read: the new ones, and those affected by claims that came or went."""
        concerned = set(new)
        for entry in moved:
            if len(concerned) == len(self._changes):
                break  # a first reading
            concerned |= self._by_saying.get(saying(entry), set())
            for key in set().union(*(self._by_stem.get(one, ()) for one in entry.subject)) - concerned:
                if same_subject(self._changes[key], entry):
                    concerned.add(key)
        for line in changed.all:
            named = set().union(*(self._by_side.get(one, ()) for one in line.stems))
            if not named <= concerned and may_tell_return(line):
                concerned |= named
        return concerned

    def _take(self, key: EntryKey, entry: Entry) -> None:
        self._changes[key] = entry
        for place in self._places(entry):
            place.add(key)

    def _drop(self, key: EntryKey, entry: Entry) -> None:
        if self._changes.pop(key, None) is not None:
            self._forget(key)
            for place in self._places(entry):
                place.discard(key)

    def _forget(self, key: EntryKey) -> None:
        self._found.pop(key, None)
        for one in self._sides.pop(key, ()):
            self._by_side[one].discard(key)

    def _places(self, entry: Entry) -> list[set[EntryKey]]:
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


def _thread(index: ClaimIndex, entry: Entry) -> list[Entry]:
    """Everything said about one subject, oldest first."""
    return sorted([entry, *(e for e in index.candidates(entry) if same_subject(entry, e))], key=order)


def _spoken(index: ClaimIndex, change: Entry, value: str | None) -> list[Entry]:
    """Claims that say about the changed thing exactly what the change names, in any form: "done by hand"."""
    if not value:
        return []
    return [
        replace(e, norm=replace(e.norm, value=value))
        for e in index.saying(_words_of(change, value))
        if e.norm.modality == "is" and e.norm.change is None
    ]


class _ValueArc(NamedTuple):
    finding: Finding | None = None
    sides: frozenset[str] = frozenset()
    """Words of its two sides: a line with one of them may announce a return."""


def _reversal(index: ClaimIndex, mentions: MentionIndex, change: Entry) -> _ValueArc:
    """The reversal around one explicit change, if the story returns without saying so."""
    spoken = change.norm.change
    if spoken is None or not change.date:
        return _ValueArc()
    said = [*_thread(index, change), *_spoken(index, change, spoken.was), *_spoken(index, change, spoken.now)]
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
    for place, back in enumerate(later):
        if back.norm.change is not None:
            return _ValueArc()  # the story says that it changed again
        if _same(back, change) or not (_was(spoken.was, back) or _comparable(back, change)):
            continue
        before = [e for e in earlier if _equal(e.norm.value, back.norm.value)]
        if not before and not _was(spoken.was, back):
            continue
        backs = [e for e in later[place:] if _equal(e.norm.value, back.norm.value)]
        was, now = _sides([*before, *backs], change)
        undone = list(
            mentions_of_return(mentions, was, now, [Mention(e.claim) for e in (*before[-1:], change)])
        )
        story_of_it = [
            *(Station(e.date, "before") for e in (*before, *backs)),
            Station(change.date, "after", in_words=True),
            *(Station(e.date, "after", e.norm.change is not None) for e in later[place:] if _same(e, change)),
            *(Station(h.date, "before", in_words=True) for h in undone),
        ]
        last = max(one.date or "" for one in story_of_it)
        open_end = all(one.side == "before" for one in story_of_it if one.date == last)
        if settled(story_of_it) or not open_end:
            return _ValueArc(None, was | now)
        return _ValueArc(_finding([*before[-1:], change, *backs], change, back), was | now)
    return _ValueArc()


def _sides(old: Sequence[Entry], change: Entry) -> tuple[frozenset[str], frozenset[str]]:
    """The words of what was before and of its replacement, without those they share."""
    spoken = change.norm.change
    was = stems(" ".join((*(e.norm.value or "" for e in old), (spoken and spoken.was) or "")))
    now = stems(" ".join((change.norm.value or "", (spoken and spoken.now) or "")))
    return was - now, now - was


def _names(entry: Entry, spoken: Change) -> bool:
    """Is the value one of the two that the change names?"""
    return _was(spoken.was, entry) or _was(spoken.now, entry)


def _equal(a: str | None, b: str | None) -> bool:
    return compare_values(a or "", b or "").relation == "equal"


def _was(was: str | None, back: Entry) -> bool:
    return bool(was) and _equal(was, back.norm.value)


def _same(entry: Entry, change: Entry) -> bool:
    return _equal(entry.norm.value, change.norm.value)


def _comparable(entry: Entry, change: Entry) -> bool:
    return compare_values(entry.norm.value or "", change.norm.value or "").relation == "differ"


def _finding(stations: list[Entry], change: Entry, back: Entry) -> Finding:
    members = tuple(dict.fromkeys(e.id for e in sorted(stations, key=order)))
    slot = conflict_slot([e.claim for e in stations], min(stations, key=order))
    detail = f"{back.norm.value} again after the change to {change.norm.value} on {change.date}"
    reason = Reason("arc", "reversal", "HIGH", detail)
    decision = decide_arc("values")
    asked = question(back)
    return Finding(
        "reversal", members, slot, decision.tier, decision.probability, asked, "detective", (reason,)
    )
