"""Said to be over, and later spoken of as if it were not: reversals by mention."""

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
from app.detective.endings import Ending
from app.detective.mentions import Heard, Hearing, Moved, order
from app.detective.return_phrases import clause_of, tellers, told_back
from app.detective.settling import Station, settled
from app.detective.story_words import stems, token, topical, when
from app.reading.changes import CUE
from app.reading.rule_words import GENERIC
from app.reading.subjects import proper
from app.reading.tokens import words
from app.words import Finding, Reason

GRACE = timedelta(days=14)
"""So long after an ending, loose ends are tied up and the old name is in everybody's mouth."""
GRACE_AT_HOME = timedelta(days=60)
"""Who writes in the very note that tells of the ending knows of it for longer."""
RARE = 6
"""A name that so few claims use means one thing wherever it stands."""
COMMON = 12
"""What more claims speak of is a topic of the vault: that one of them ends it proves little."""
_STATIONS = 3
_SPOKEN = frozenset({"asserted", "logged"})
# Words with which a note looks back at what is over, sets it beside something else, or denies it.
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
# What people do and what is done with them: a name beside one of these is somebody met, not something used.
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
# Four digits and more: no year, and not so round that it is an amount.
_CODE_NAME = re.compile(r"(?!(?:19|20)\d\d$)\d{4,}(?<!00)")
_COUNTED = re.compile(r"[€$£¥%]|\b(?:euros?|dollars?|pounds?|eur|usd|gbp|chf)\b", re.I)


class Returns:
    """Arcs by the claim that says something is over. One is read again when a claim comes or goes that has a
    word on which it hangs: the name of what ended, or what came instead where that may settle it."""

    def __init__(self, hearing: Hearing) -> None:
        self._hearing = hearing
        self._changes: dict[str, Heard] = {}
        self._unnamed: set[str] = set()
        self._words: dict[str, set[str]] = {}
        self._hanging: defaultdict[str, set[str]] = defaultdict(set)
        self._found: dict[str, Finding] = {}

    def follow(self, moved: Moved) -> None:
        again: set[str] = set()
        for heard in moved.gone:
            self._forget(heard.id)
        for heard in moved.came:
            if (heard.endings or heard.switch) and heard.date and heard.held_ended in _SPOKEN:
                self._changes[heard.id] = heard
                again.add(heard.id)
                if heard.switch:
                    self._unnamed.add(heard.id)
        for heard in moved.all:
            for one in heard.stems:
                again |= self._hanging.get(one, set())
            if heard.used:
                again |= self._unnamed
        for id in again:
            if id in self._changes:
                self._read(self._changes[id])

    def findings(self) -> list[Finding]:
        return [self._found[id] for id in sorted(self._found, key=lambda id: order(self._changes[id]))]

    def _read(self, change: Heard) -> None:
        self._forget(change.id, all=False)
        words: set[str] = set()
        for ending in (*change.endings, *_unnamed(self._hearing, change)):
            words |= _telling(change, ending)
            read = _arc(self._hearing, change, ending)
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


class _Read(NamedTuple):
    finding: Finding | None = None
    settling: frozenset[str] = frozenset()
    """Words of what came instead: a claim with them all may settle the arc."""


def _telling(change: Heard, ending: Ending) -> frozenset[str]:
    """The words of which whatever has part in the arc must have one: names of what ended. A change that does
    not name it ("we switched to Y") leaves all its words."""
    if not ending.was <= change.stems:
        return ending.was
    return frozenset(one for one in ending.was & change.names if _may_name(one))


def _may_name(one: str) -> bool:
    """A number or a time may mean another thing in every line; a code means one thing."""
    return (any(c.isalpha() for c in one) and ":" not in one) or bool(_CODE_NAME.fullmatch(one))


def _unnamed(hearing: Hearing, change: Heard) -> Iterator[Ending]:
    """ "We switched to Y" after "We use X": X is over, if there is but one thing that it can be.

    Where the change says of what ("switched the API to Y"), it is what was used for that.
    """
    switch = change.switch
    if switch is None:
        return
    in_use = [h for h in hearing.using() if h.date and h.date < change.date and h.held == "asserted"]
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


def _arc(hearing: Hearing, change: Heard, ending: Ending) -> _Read:
    settling: frozenset[str] = frozenset()
    unnamed = change.switch if not ending.was <= change.stems else None
    for gone in _what_ended(hearing, change, ending):
        naming = list(islice(hearing.having(gone), COMMON + 1))
        if len(naming) > (RARE if _by_code(gone) else COMMON):
            continue
        naming.sort(key=order)
        before = [h for h in naming if h.date < change.date and _stated(h, change, ending)]
        if not before:
            continue
        came = ending.now - frozenset().union(*(h.stems for h in before)) - GENERIC
        first = max(before, key=lambda h: (len(h.stems & change.stems), h.place == change.place, h.date))
        after = [h for h in naming if h.date > change.date]
        if any(told_back(h, gone, frozenset()) or _kept(h, gone) for h in after):
            return _Read(None, settling)
        if unnamed:  # what else was switched, who knows: it has to be spoken of as of the same thing
            after = [h for h in after if unnamed.of <= h.stems]
        backs = [h for h in after if _speaks_again(h, change, first, gone, came, rare=len(naming) <= RARE)]
        if not backs:
            continue
        settling |= came
        undone = list(tellers(hearing, gone, came, (first, change)))
        new = sorted(hearing.having(came), key=order) if came and len(came) <= 3 and not undone else []
        stations = [
            Station(first.date, "before"),
            Station(change.date, "after", in_words=True),
            *(Station(h.date, "before") for h in backs),
            *(Station(h.date, "after") for h in new[-1:] if h.place != change.place),
            *(Station(h.date, "before", in_words=True) for h in undone),
        ]
        if settled(stations):
            return _Read(None, settling)
        return _Read(_finding([first, change, *backs[-_STATIONS:]], ending, backs[0]), settling)
    return _Read(None, settling)


def _what_ended(hearing: Hearing, change: Heard, ending: Ending) -> list[frozenset[str]]:
    """The words that name it, as an earlier claim has them: the newest claim's first."""
    parts: dict[frozenset[str], Heard] = {}
    for one in _telling(change, ending):
        for earlier in hearing.having(frozenset({one})):
            gone = ending.was & earlier.stems
            if earlier.date < change.date and gone & ending.head and _tells(gone, (change, earlier)):
                held = parts.get(gone)
                if held is None or order(held) < order(earlier):
                    parts[gone] = earlier
    return sorted(parts, key=lambda gone: order(parts[gone]), reverse=True)


def _tells(gone: frozenset[str], where: Sequence[Heard]) -> bool:
    """Is it a name? A common word, a number or a time may mean another thing in every line."""
    named = frozenset.intersection(*(h.names for h in where if gone <= h.stems))  # an unnamed one is in one
    return any(one in named and _may_name(one) for one in gone)


def _stated(earlier: Heard, change: Heard, ending: Ending) -> bool:
    """The earlier claim says it as a fact, and of the same thing as the change."""
    if earlier.held not in _SPOKEN or any(e.was & ending.was for e in earlier.endings):
        return False
    if earlier.used and earlier.used <= ending.was and (change.switch or not earlier.used_for):
        return True
    shared = (earlier.stems | earlier.around) & change.stems
    return earlier.place == change.place or bool(topical(shared - ending.was - ending.now))


def _kept(later: Heard, gone: frozenset[str]) -> bool:
    """It is still there for something: an exception the notes know of."""
    return bool(_KEPT.search(clause_of(later, gone)))


def _speaks_again(
    later: Heard, change: Heard, first: Heard, gone: frozenset[str], came: frozenset[str], *, rare: bool
) -> bool:
    """Spoken of as in force: in another note, after a while, with no look back and no word of the new."""
    if later.held not in _SPOKEN or came & later.stems:
        return False
    grace = GRACE if later.place != change.place else GRACE_AT_HOME
    if date.fromisoformat(later.date) - date.fromisoformat(change.date) < grace:
        return False
    if _FORMER.search(later.text):
        return False
    clause = clause_of(later, gone)
    if CUE.search(clause) or _LOOKS_BACK.search(clause) or _looked_back_at(clause, gone):
        return False
    if _by_code(gone) and any(_COUNTED.search(clause_of(h, gone)) for h in (first, change, later)):
        return False
    topic = (first.stems | change.stems | first.around | change.around) - gone - came - GENERIC
    shared = topic & (later.stems | later.around)
    named = gone & (first.names | change.names | later.names) - when(gone)
    if shared if named else topical(shared):
        return True
    if _by_code(gone):
        return False
    if topical(first.stems - gone) and _of_its_own(later, gone):
        return False
    return rare and (_in_use(later, gone) or (bool(named) and not _met(later, gone)))


def looks_back(text: str) -> bool:
    """Does it look back at something, set it beside something else, or deny it?"""
    return bool(_FORMER.search(text) or _LOOKS_BACK.search(text))


def _by_code(gone: frozenset[str]) -> bool:
    """Nothing but a code names it."""
    return not any(c.isalpha() for one in gone for c in one)


def _looked_back_at(clause: str, gone: frozenset[str]) -> bool:
    """ "the old X", "my last X"."""
    found = words(clause)
    return any(token(w) in gone and found[n].lower() in _JUST_BEFORE for n, w in enumerate(found[1:]))


def _in_use(later: Heard, gone: frozenset[str]) -> bool:
    """ "from the Stripe dashboard", "in Lloyds", "Octopus, our supplier", a code: something at hand, not
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


def _of_its_own(later: Heard, gone: frozenset[str]) -> bool:
    """ "The billing export runs on X": it says of what it speaks, and that is another thing."""
    return any(
        norm.subject_kind == "PRESENT"
        and norm.value is not None
        and bool(gone & stems(norm.value))
        and stems(norm.value) <= gone
        and bool(topical(stems(norm.subject) - gone))
        for norm in later.claim.norms
    )


def _met(later: Heard, gone: frozenset[str]) -> bool:
    """ "met Dana", "Dana says": somebody, and a person is not over when her work for us is."""
    found = [w.lower() for w in words(later.text)]
    for n, word in enumerate(found):
        if token(word) in gone and (
            (n and found[n - 1] in _BEFORE_PEOPLE) or (n + 1 < len(found) and found[n + 1] in _AFTER_PEOPLE)
        ):
            return True
    return False


def _finding(stations: Sequence[Heard], ending: Ending, back: Heard) -> Finding:
    told = sorted({h.id: h for h in stations}.values(), key=order)
    entry = spoken_for(told[0].claim)
    slot = conflict_slot([h.claim for h in told], entry)
    change = stations[1]
    detail = f"{ending.words} again after “{_short(change.text)}” on {change.date}"
    reason = Reason("arc", "reversal", "MED", detail)
    decision = decide_arc("mentions")
    return Finding(
        "reversal",
        tuple(h.id for h in told),
        slot,
        decision.tier,
        decision.probability,
        question(spoken_for(back.claim)),
        "detective",
        (reason,),
    )


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:59].rstrip() + "…"
