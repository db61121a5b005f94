"""Moved to another weekday, and later on the old one again: reversals by day."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from datetime import date

from app.calendar_names import SHORT_WEEKDAYS, one_of
from app.conflicts.question import question
from app.detection.decide import decide_arc
from app.detection.norm_entry import spoken_for
from app.detection.slots import conflict_slot
from app.detective.endings import MOVED, for_a_while
from app.detective.mention_reversals import GRACE, looks_back
from app.detective.mentions import Heard, Hearing, Moved, order
from app.detective.return_phrases import told_back
from app.detective.settling import Station, settled
from app.detective.story_words import pieces, stems, token, topical
from app.reading.changes import CUE
from app.words import Finding, Reason

_SPOKEN = frozenset({"asserted", "logged"})
_STATIONS = 2
COMMON = 300
"""What more claims speak of is a topic of the vault: the rarer words of a line tell what it is about."""
_TOLD = re.compile(rf"\b{MOVED}\b|\b(?:is|are) now\b|\bfrom (?:now|this)\b", re.I)
# What is said with the verb of a change says nothing of what changed.
_MOVING = stems(
    "moved moves moving switched switches changed changes shifted shifts swapped term new day week too many "
    "more before after"
)
_PART = re.compile(r"[;()–—]|[:,.]\s|\s-\s")
_ONCE = re.compile(r"\b(?:only|cancel\w*|skip\w*|missed|instead|this|next|last|except|swap\w*)\b", re.I)
# "Mon: swam, read": a line of a log, dated by its first word.
_DIARY = re.compile(rf"^(?:{one_of(SHORT_WEEKDAYS)})\w*\b[.:,]", re.I)


class Weekdays:
    """Reversals around each line that moves something to another weekday. One is read again when a line with
    a weekday comes or goes that shares a word with it."""

    def __init__(self, hearing: Hearing) -> None:
        self._hearing = hearing
        self._changes: dict[str, Heard] = {}
        self._by_stem: defaultdict[str, set[str]] = defaultdict(set)
        self._found: dict[str, Finding] = {}
        self._broad: set[str] = set()
        """Changes of which no rare word tells what they are about."""

    def follow(self, moved: Moved) -> None:
        again: set[str] = set()
        for heard in moved.gone:
            if self._changes.pop(heard.id, None) is not None:
                self._found.pop(heard.id, None)
                self._broad.discard(heard.id)
                for one in _about(heard):
                    self._by_stem[one].discard(heard.id)
        for heard in moved.came:
            if _moves(heard):
                self._changes[heard.id] = heard
                again.add(heard.id)
                for one in _about(heard):
                    self._by_stem[one].add(heard.id)
        many = len(moved.gone) + len(moved.came)
        for heard in moved.all:
            if len(again) >= len(self._changes):
                break  # all of them, as in a first index
            if _days(heard.stems):
                again.update(*(self._told_by(one, many) for one in heard.stems))
        for id in again & self._changes.keys():
            self._found.pop(id, None)
            change = self._changes[id]
            about = _telling(self._hearing, change)
            (self._broad.discard if _rare(self._hearing, about) else self._broad.add)(id)
            found = next(_reversals(self._hearing, change, about), None)
            if found is not None:
                self._found[id] = found

    def _told_by(self, one: str, many: int) -> set[str]:
        """The changes that a word leads to. One that became a topic of the vault with so many claims more led
        to some before."""
        led = self._by_stem.get(one, set())
        return led if self._hearing.uses(one) <= COMMON + many else led & self._broad

    def findings(self) -> list[Finding]:
        return [self._found[id] for id in sorted(self._found, key=lambda id: order(self._changes[id]))]


def _days(tokens: frozenset[str]) -> frozenset[str]:
    return frozenset(one for one in tokens if one.startswith("weekday:"))


def _about(heard: Heard) -> frozenset[str]:
    return topical(heard.stems) - _MOVING


def _telling(hearing: Hearing, heard: Heard) -> frozenset[str]:
    """Its words that few claims use; where all are topics of the vault, the rarest."""
    about = _about(heard)
    rare = frozenset(one for one in about if hearing.uses(one) <= COMMON)
    return rare or frozenset(sorted(about, key=lambda one: (hearing.uses(one), one))[:1])


def _rare(hearing: Hearing, about: frozenset[str]) -> bool:
    return all(hearing.uses(one) <= COMMON for one in about)


def _moves(heard: Heard) -> bool:
    if not heard.date or heard.held not in _SPOKEN or not 1 <= len(_days(heard.stems)) <= 2:
        return False
    return bool(_TOLD.search(heard.text)) and not for_a_while(heard.text)


def _reversals(hearing: Hearing, change: Heard, about: frozenset[str]) -> Iterator[Finding]:
    kin = {h.id: h for one in about for h in hearing.having(frozenset({one})) if _days(h.stems)}
    story = sorted(kin.values(), key=order)
    for first in story:
        old, shared = _days(first.stems), _about(change) & first.stems
        new = _days(change.stems) - old
        if first.date >= change.date or first.held != "asserted" or len(old) != 1 or len(new) != 1:
            continue
        if not _leads(change, old, new, first):
            continue
        later = [h for h in story if h.date > change.date and shared & h.stems]
        backs = [h for h in later if _again(h, change, old, new, shared)]
        stations = [
            Station(first.date, "before"),
            Station(change.date, "after", in_words=True),
            *(Station(h.date, "before") for h in backs),
            *(Station(h.date, "after") for h in later if new & h.stems),
            *(Station(h.date, "before", in_words=True) for h in later if told_back(h, old, new)),
        ]
        if backs and not settled(stations):
            yield _finding([first, change, *backs[-_STATIONS:]], backs[-1])


def _leads(change: Heard, old: frozenset[str], new: frozenset[str], first: Heard) -> bool:
    """Does the change lead from the old day to the new one? Without naming the old, only in the same note."""
    if not old & change.stems:
        return change.place == first.place
    return any(old & e.was and new & e.now for e in change.endings)


def _again(
    later: Heard, change: Heard, old: frozenset[str], new: frozenset[str], shared: frozenset[str]
) -> bool:
    """Spoken of as on the old day: in one breath with what moved, after a while, and as a rule."""
    if later.held not in _SPOKEN or not old & later.stems or new & later.stems:
        return False
    if date.fromisoformat(later.date) - date.fromisoformat(change.date) < GRACE or _DIARY.match(later.text):
        return False
    if CUE.search(later.text) or _ONCE.search(later.text) or looks_back(later.text):
        return False
    parts = (frozenset(token(w) for w, _ in pieces(part)) for part in _PART.split(later.text))
    return any(old & part and shared & part for part in parts)


def _finding(told: list[Heard], back: Heard) -> Finding:
    change = told[1]
    slot = conflict_slot([h.claim for h in told], spoken_for(told[0].claim))
    reason = Reason("arc", "reversal", "MED", f"the old day again after the change on {change.date}")
    asked = question(spoken_for(back.claim))
    ids = tuple(h.id for h in told)
    decision = decide_arc("weekdays")
    return Finding("reversal", ids, slot, decision.tier, decision.probability, asked, "detective", (reason,))
