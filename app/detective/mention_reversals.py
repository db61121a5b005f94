"""Reversals by mention: something was said to be over, and is later mentioned as if it were not."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import islice
from typing import NamedTuple

from app.conflicts.question import question
from app.detection.decide import decide_arc
from app.detection.norm_entry import spoken_for
from app.detection.slots import conflict_slot
from app.detective.arc_settlement import Station, settled
from app.detective.endings import Ending
from app.detective.mentions import Mention, MentionChanges, MentionIndex, mention_order
from app.detective.return_phrases import clause_of, mentions_of_return, tells_return
from app.detective.story_words import days_and_numbers, stems, token, topical
from app.reading.explicit_change import CHANGE_CUE
from app.reading.rule_words import GENERIC
from app.reading.subjects import proper
from app.reading.tokens import words
from app.words import Finding, Reason

GRACE = timedelta(days=14)
"""For this long after an ending, loose ends are tied up and the old name is still used."""
GRACE_AT_HOME = timedelta(days=60)
"""In the note that announces the ending, mentions count as knowing about it for longer."""
RARE = 6
"""A name that at most this many claims use means the same everywhere."""
COMMON = 12
"""A name in more claims is a topic of the vault: one claim that ends it proves little."""
_STATIONS = 3
_SPOKEN = frozenset({"asserted", "logged"})
# Words that look back at what is over, compare it, or deny it.
_LOOKS_BACK = re.compile(
    r"\b(?:former(?:ly)?|previous(?:ly)?|used to|refund\w*|left ?overs?|archiv\w+|histor\w+|remember\w*|"
    r"back (?:to|on|at|in|with|up to|from)|return\w*|cancel\w*|ended|retir\w+|sold|sell\w*|vs|versus|"
    r"compar\w+|than|since|until|unlike|miss(?:es|ed)?|was|were|had|did|not?|never|without|nor|instead|still|"
    r"kept|keeps?|except|only (?:for|in|on|at)|farewell|bye|goodbye|why we|migrat\w+|legacy|"
    r"clean(?:ed|ing)? up)\b|n['’]t\b",
    re.I,
)
_FORMER = re.compile(
    r"\b(?:former(?:ly)?|previous(?:ly)?|used to|ex-\w+|once upon|back then|in the old days)\b", re.I
)
_JUST_BEFORE = frozenset("old older ex last final finally like spare no not unlike pre".split())
_KEPT = re.compile(
    r"\b(?:still|kept|keep(?:s|ing)?|only (?:for|in|on|at)|except|stays?|remains?|for the time being)\b", re.I
)
_AS_EVER = frozenset("in on at via through into onto using use uses our my the usual".split())
# Verbs for people: a name next to one of these is somebody met, not something used.
_BEFORE_PEOPLE = frozenset(
    "met meet saw see told tell asked ask rang called call texted visited visit bumped dear hi and".split()
)
_AFTER_PEOPLE = frozenset(
    """
    came comes says said thinks thought wants wanted brought asked called rang won sent told moved and
    turned got gave took went likes loves hates sings plays wrote writes reckons baked visited birthday
    """.split()
)
_OWNED = frozenset("the our my this each every".split())
_CODE = re.compile(r"\d{3,}")
# Four or more digits: not a year, and not so round that it is an amount.
_CODE_NAME = re.compile(r"(?!(?:19|20)\d\d$)\d{4,}(?<!00)")
_COUNTED = re.compile(r"[€$£¥%]|\b(?:euros?|dollars?|pounds?|eur|usd|gbp|chf)\b", re.I)


class MentionReversals:
    """Arcs by the claim that says something is over. An arc is read again when a claim comes or goes that
    contains a word it depends on: the name of what ended, or of a replacement that may settle it."""

    def __init__(self, mentions: MentionIndex) -> None:
        self._mentions = mentions
        self._changes: dict[str, Mention] = {}
        self._unnamed: set[str] = set()
        self._words: dict[str, set[str]] = {}
        self._hanging: defaultdict[str, set[str]] = defaultdict(set)
        self._found: dict[str, Finding] = {}

    def follow(self, moved: MentionChanges) -> None:
        again: set[str] = set()
        for mention in moved.gone:
            self._forget(mention.id)
        for mention in moved.came:
            if (mention.endings or mention.switch) and mention.date and mention.held_ended in _SPOKEN:
                self._changes[mention.id] = mention
                again.add(mention.id)
                if mention.switch:
                    self._unnamed.add(mention.id)
        for mention in moved.all:
            for one in mention.stems:
                again |= self._hanging.get(one, set())
            if mention.used:
                again |= self._unnamed
        for id in again:
            if id in self._changes:
                self._read(self._changes[id])

    def findings(self) -> list[Finding]:
        return [
            self._found[id] for id in sorted(self._found, key=lambda id: mention_order(self._changes[id]))
        ]

    def _read(self, change: Mention) -> None:
        self._forget(change.id, all=False)
        words: set[str] = set()
        for ending in (*change.endings, *_unnamed(self._mentions, change)):
            words |= _telling(change, ending)
            read = _arc(self._mentions, change, ending)
            words |= read.settling
            if read.finding is not None:
                self._found[change.id] = read.finding
                break
        self._words[change.id] = words
        for one in words:
            self._hanging[one].add(change.id)

    def _forget(self, id: str, *, all: bool = True) -> None:
        self._found.pop(id, None)
        for one in self._words.pop(id, ()):
            self._hanging[one].discard(id)
        if all:
            self._changes.pop(id, None)
            self._unnamed.discard(id)


class _MentionArc(NamedTuple):
    finding: Finding | None = None
    settling: frozenset[str] = frozenset()
    """Words of the replacement: a claim with all of them may settle the arc."""


def _telling(change: Mention, ending: Ending) -> frozenset[str]:
    """Words of which every member of the arc must have one: names of what ended. If the change does not name
    it ("we switched to Y"), all its words."""
    if not ending.was <= change.stems:
        return ending.was
    return frozenset(one for one in ending.was & change.names if _may_name(one))


def _may_name(one: str) -> bool:
    """A number or a time may mean something else in every line; a code means one thing."""
    return (any(c.isalpha() for c in one) and ":" not in one) or bool(_CODE_NAME.fullmatch(one))


def _unnamed(mentions: MentionIndex, change: Mention) -> Iterator[Ending]:
    """ "We switched to Y" after "We use X": X is over, if only one thing fits.

    If the change says what was switched ("switched the API to Y"), X is what was used for that.
    """
    switch = change.switch
    if switch is None:
        return
    in_use = [h for h in mentions.in_use() if h.date and h.date < change.date and h.held == "asserted"]
    if switch.of:
        near = [h for h in in_use if h.used_for and switch.of <= h.used_for]
    else:
        by_us = [h for h in in_use if h.used_by_us]
        near = [h for h in by_us if h.place == change.place] or by_us
    if len({h.used for h in near}) == 1:
        gone = near[-1].used - switch.now
        if gone:
            words = near[-1].claim.norms[0].value or "" if near[-1].claim.norms else ""
            yield Ending(gone, switch.now, words or " ".join(sorted(gone)), gone)


def _arc(mentions: MentionIndex, change: Mention, ending: Ending) -> _MentionArc:
    settling: frozenset[str] = frozenset()
    unnamed = change.switch if not ending.was <= change.stems else None
    for gone in _what_ended(mentions, change, ending):
        naming = list(islice(mentions.with_tokens(gone), COMMON + 1))
        if len(naming) > (RARE if _by_code(gone) else COMMON):
            continue
        naming.sort(key=mention_order)
        before = [h for h in naming if h.date < change.date and _stated(h, change, ending)]
        if not before:
            continue
        came = ending.now - frozenset().union(*(h.stems for h in before)) - GENERIC
        first = max(before, key=lambda h: (len(h.stems & change.stems), h.place == change.place, h.date))
        after = [h for h in naming if h.date > change.date]
        if any(tells_return(h, gone, frozenset()) or _kept(h, gone) for h in after):
            return _MentionArc(None, settling)
        if unnamed:  # it must be about the same thing, since the change may be about another
            after = [h for h in after if unnamed.of <= h.stems]
        backs = [h for h in after if _speaks_again(h, change, first, gone, came, rare=len(naming) <= RARE)]
        if not backs:
            continue
        settling |= came
        undone = list(mentions_of_return(mentions, gone, came, (first, change)))
        new = (
            sorted(mentions.with_tokens(came), key=mention_order)
            if came and len(came) <= 3 and not undone
            else []
        )
        stations = [
            Station(first.date, "before"),
            Station(change.date, "after", in_words=True),
            *(Station(h.date, "before") for h in backs),
            *(Station(h.date, "after") for h in new[-1:] if h.place != change.place),
            *(Station(h.date, "before", in_words=True) for h in undone),
        ]
        if settled(stations):
            return _MentionArc(None, settling)
        return _MentionArc(_finding([first, change, *backs[-_STATIONS:]], ending, backs[0]), settling)
    return _MentionArc(None, settling)


def _what_ended(mentions: MentionIndex, change: Mention, ending: Ending) -> list[frozenset[str]]:
    """The words that name it in earlier claims, those of the newest claim first."""
    parts: dict[frozenset[str], Mention] = {}
    for one in _telling(change, ending):
        for earlier in mentions.with_tokens(frozenset({one})):
            gone = ending.was & earlier.stems
            if earlier.date < change.date and gone & ending.head and _tells(gone, (change, earlier)):
                held = parts.get(gone)
                if held is None or mention_order(held) < mention_order(earlier):
                    parts[gone] = earlier
    return sorted(parts, key=lambda gone: mention_order(parts[gone]), reverse=True)


def _tells(gone: frozenset[str], where: Sequence[Mention]) -> bool:
    """Is it a name? A common word, a number or a time may mean something else in every line."""
    # A change that does not name what ended has no say.
    named = frozenset.intersection(*(h.names for h in where if gone <= h.stems))
    return any(one in named and _may_name(one) for one in gone)


def _stated(earlier: Mention, change: Mention, ending: Ending) -> bool:
    """Does the earlier claim state it as a fact, about the same thing as the change?"""
    if earlier.held not in _SPOKEN or any(e.was & ending.was for e in earlier.endings):
        return False
    if earlier.used and earlier.used <= ending.was and (change.switch or not earlier.used_for):
        return True
    shared = (earlier.stems | earlier.around) & change.stems
    return earlier.place == change.place or bool(topical(shared - ending.was - ending.now))


def _kept(later: Mention, gone: frozenset[str]) -> bool:
    """Was it kept for something, an exception the notes mention?"""
    return bool(_KEPT.search(clause_of(later, gone)))


def _speaks_again(
    later: Mention, change: Mention, first: Mention, gone: frozenset[str], came: frozenset[str], *, rare: bool
) -> bool:
    """Is it mentioned as in force: after a while, without looking back or naming the replacement?"""
    if later.held not in _SPOKEN or came & later.stems:
        return False
    grace = GRACE if later.place != change.place else GRACE_AT_HOME
    if date.fromisoformat(later.date) - date.fromisoformat(change.date) < grace:
        return False
    if _FORMER.search(later.text):
        return False
    clause = clause_of(later, gone)
    if CHANGE_CUE.search(clause) or _LOOKS_BACK.search(clause) or _looked_back_at(clause, gone):
        return False
    if _by_code(gone) and any(_COUNTED.search(clause_of(h, gone)) for h in (first, change, later)):
        return False
    topic = (first.stems | change.stems | first.around | change.around) - gone - came - GENERIC
    shared = topic & (later.stems | later.around)
    named = gone & (first.names | change.names | later.names) - days_and_numbers(gone)
    if shared if named else topical(shared):
        return True
    if _by_code(gone):
        return False
    if topical(first.stems - gone) and _of_its_own(later, gone):
        return False
    return rare and (_in_use(later, gone) or (bool(named) and not _met(later, gone)))


def looks_back(text: str) -> bool:
    """Does it look back at something, compare it, or deny it?"""
    return bool(_FORMER.search(text) or _LOOKS_BACK.search(text))


def _by_code(gone: frozenset[str]) -> bool:
    """Is it named by a code alone?"""
    return not any(c.isalpha() for one in gone for c in one)


def _looked_back_at(clause: str, gone: frozenset[str]) -> bool:
    """ "the old X", "my last X"."""
    found = words(clause)
    return any(token(w) in gone and found[n].lower() in _JUST_BEFORE for n, w in enumerate(found[1:]))


def _in_use(later: Mention, gone: frozenset[str]) -> bool:
    """ "from the Stripe dashboard", "in Lloyds", "Octopus, our supplier", a code: something in use, not
    somebody met."""
    if any(_CODE.fullmatch(one) for one in gone):
        return True
    found = words(later.text)
    for n, word in enumerate(found):
        if token(word) in gone and proper(word, n == 0):
            if (n and found[n - 1].lower() in _AS_EVER) or (n > 1 and found[n - 2].lower() in _OWNED):
                return True
            if re.search(rf"{re.escape(word)},\s(?:our|my)\b", later.text):
                return True
    return len(gone) > 1 and gone <= later.names


def _of_its_own(later: Mention, gone: frozenset[str]) -> bool:
    """ "The billing export runs on X": it says what it is about, and that is something else."""
    return any(
        norm.subject_kind == "PRESENT"
        and norm.value is not None
        and bool(gone & stems(norm.value))
        and stems(norm.value) <= gone
        and bool(topical(stems(norm.subject) - gone))
        for norm in later.claim.norms
    )


def _met(later: Mention, gone: frozenset[str]) -> bool:
    """ "met Dana", "Dana says": a person, who is still around when her work for us has ended."""
    found = [w.lower() for w in words(later.text)]
    for n, word in enumerate(found):
        if token(word) in gone and (
            (n and found[n - 1] in _BEFORE_PEOPLE) or (n + 1 < len(found) and found[n + 1] in _AFTER_PEOPLE)
        ):
            return True
    return False


def _finding(stations: Sequence[Mention], ending: Ending, back: Mention) -> Finding:
    members = sorted({h.id: h for h in stations}.values(), key=mention_order)
    entry = spoken_for(members[0].claim)
    slot = conflict_slot([h.claim for h in members], entry)
    change = stations[1]
    detail = f"{ending.words} again after “{_short(change.text)}” on {change.date}"
    reason = Reason("arc", "reversal", "MED", detail)
    decision = decide_arc("mentions")
    return Finding(
        "reversal",
        tuple(h.id for h in members),
        slot,
        decision.tier,
        decision.probability,
        question(spoken_for(back.claim)),
        "detective",
        (reason,),
    )


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:59].rstrip() + "…"
