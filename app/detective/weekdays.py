"""Reversals by weekday: something moved to another day and is later on the old one again."""

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
from app.detective.arc_settlement import Station, settled
from app.detective.endings import MOVE_VERBS, is_temporary
from app.detective.mention_reversals import GRACE, looks_back
from app.detective.mentions import Mention, MentionChanges, MentionIndex, mention_order
from app.detective.return_phrases import tells_return
from app.detective.story_words import pieces, stems, token, topical
from app.reading.explicit_change import CHANGE_CUE
from app.words import Finding, Reason

_SPOKEN = frozenset({"asserted", "logged"})
_STATIONS = 2
COMMON = 300
"""A word in more claims is a topic of the vault: the rarer words of a line show what it is about."""
_TOLD = re.compile(rf"\b{MOVE_VERBS}\b|\b(?:is|are) now\b|\bfrom (?:now|this)\b", re.I)
# Words that accompany the verb of a change and do not say what changed.
_MOVING = stems(
    "moved moves moving switched switches changed changes shifted shifts swapped term new day week too many "
    "more before after"
)
_PART = re.compile(r"[;()–—]|[:,.]\s|\s-\s")
_ONCE = re.compile(r"\b(?:only|cancel\w*|skip\w*|missed|instead|this|next|last|except|swap\w*)\b", re.I)
# "Mon: swam, read": a line of a log, dated by its first word.
_DIARY = re.compile(rf"^(?:{one_of(SHORT_WEEKDAYS)})\w*\b[.:,]", re.I)


class WeekdayReversals:
    """Reversals around each line that moves something to another weekday. One is read again when a line with
    a weekday and a shared word comes or goes."""

    def __init__(self, mentions: MentionIndex) -> None:
        self._mentions = mentions
        self._changes: dict[str, Mention] = {}
        self._by_stem: defaultdict[str, set[str]] = defaultdict(set)
        self._found: dict[str, Finding] = {}
        self._broad: set[str] = set()
        """Changes without a rare word that shows what they are about."""

    def follow(self, moved: MentionChanges) -> None:
        again: set[str] = set()
        for mention in moved.gone:
            if self._changes.pop(mention.id, None) is not None:
                self._found.pop(mention.id, None)
                self._broad.discard(mention.id)
                for one in _about(mention):
                    self._by_stem[one].discard(mention.id)
        for mention in moved.came:
            if _moves(mention):
                self._changes[mention.id] = mention
                again.add(mention.id)
                for one in _about(mention):
                    self._by_stem[one].add(mention.id)
        many = len(moved.gone) + len(moved.came)
        for mention in moved.all:
            if len(again) >= len(self._changes):
                break  # all of them, as in a first index
            if _days(mention.stems):
                again.update(*(self._told_by(one, many) for one in mention.stems))
        for id in again & self._changes.keys():
            self._found.pop(id, None)
            change = self._changes[id]
            about = _telling(self._mentions, change)
            (self._broad.discard if _rare(self._mentions, about) else self._broad.add)(id)
            found = next(_reversals(self._mentions, change, about), None)
            if found is not None:
                self._found[id] = found

    def _told_by(self, one: str, many: int) -> set[str]:
        """The changes that a word leads to. A word that has just become a topic of the vault still led to
        some before."""
        led = self._by_stem.get(one, set())
        return led if self._mentions.count(one) <= COMMON + many else led & self._broad

    def findings(self) -> list[Finding]:
        return [
            self._found[id] for id in sorted(self._found, key=lambda id: mention_order(self._changes[id]))
        ]


def _days(tokens: frozenset[str]) -> frozenset[str]:
    return frozenset(one for one in tokens if one.startswith("weekday:"))


def _about(mention: Mention) -> frozenset[str]:
    return topical(mention.stems) - _MOVING


def _telling(mentions: MentionIndex, mention: Mention) -> frozenset[str]:
    """Its words that few claims use; if all are topics of the vault, the rarest."""
    about = _about(mention)
    rare = frozenset(one for one in about if mentions.count(one) <= COMMON)
    return rare or frozenset(sorted(about, key=lambda one: (mentions.count(one), one))[:1])


def _rare(mentions: MentionIndex, about: frozenset[str]) -> bool:
    return all(mentions.count(one) <= COMMON for one in about)


def _moves(mention: Mention) -> bool:
    if not mention.date or mention.held not in _SPOKEN or not 1 <= len(_days(mention.stems)) <= 2:
        return False
    return bool(_TOLD.search(mention.text)) and not is_temporary(mention.text)


def _reversals(mentions: MentionIndex, change: Mention, about: frozenset[str]) -> Iterator[Finding]:
    kin = {h.id: h for one in about for h in mentions.with_tokens(frozenset({one})) if _days(h.stems)}
    story = sorted(kin.values(), key=mention_order)
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
            *(Station(h.date, "before", in_words=True) for h in later if tells_return(h, old, new)),
        ]
        if backs and not settled(stations):
            yield _finding([first, change, *backs[-_STATIONS:]], backs[-1])


def _leads(change: Mention, old: frozenset[str], new: frozenset[str], first: Mention) -> bool:
    """Does the change lead from the old day to the new one? If it does not name the old day, only in the same
    note."""
    if not old & change.stems:
        return change.place == first.place
    return any(old & e.was and new & e.now for e in change.endings)


def _again(
    later: Mention, change: Mention, old: frozenset[str], new: frozenset[str], shared: frozenset[str]
) -> bool:
    """Is it on the old day again: in one clause with what moved, after a while, and as a rule?"""
    if later.held not in _SPOKEN or not old & later.stems or new & later.stems:
        return False
    if date.fromisoformat(later.date) - date.fromisoformat(change.date) < GRACE or _DIARY.match(later.text):
        return False
    if CHANGE_CUE.search(later.text) or _ONCE.search(later.text) or looks_back(later.text):
        return False
    parts = (frozenset(token(w) for w, _ in pieces(part)) for part in _PART.split(later.text))
    return any(old & part and shared & part for part in parts)


def _finding(members: list[Mention], back: Mention) -> Finding:
    change = members[1]
    slot = conflict_slot([h.claim for h in members], spoken_for(members[0].claim))
    reason = Reason("arc", "reversal", "MED", f"the old day again after the change on {change.date}")
    asked = question(spoken_for(back.claim))
    ids = tuple(h.id for h in members)
    decision = decide_arc("weekdays")
    return Finding("reversal", ids, slot, decision.tier, decision.probability, asked, "detective", (reason,))
