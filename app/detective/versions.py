"""An old version spoken of as current, while newer notes live with a later one: stale."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from app.calendar_names import MONTHS
from app.conflicts.question import question
from app.detection.decide import decide_arc
from app.detection.norm_entry import spoken_for
from app.detection.slots import conflict_slot
from app.detective.mentions import Heard, Hearing, Moved, order
from app.detective.settling import Station, settled
from app.detective.story_words import token, topical
from app.reading.changes import CUE
from app.reading.subjects import proper
from app.words import Finding, Reason

AGE = timedelta(days=90)
"""A claim this much older than what follows it."""
WITNESSES = 2
"""One mention of a later version may be a look ahead; two are how things are."""
_VERSION = re.compile(
    r"(?P<name>[A-Za-z][\w.+#-]*)\s+v?(?P<number>\d{1,3}(?:\.\d{1,3}){0,2})\b(?!\s*(?:%|[.,:]\d))"
)
# What counts things rather than releases.
_COUNTED = frozenset(
    token(word)
    for word in [
        *MONTHS,
        *"""
    room chapter page section year round step week day level part phase book volume no number bay rack plot
    grade size bench table line gate platform unit building floor flat house route bus track test sprint team
    version release rev revision mk lane site kennel class group paper figure act scene session episode season
    under over about to of at on in by from for and or than only
    """.split(),
    ]
)
_IN_FORCE = re.compile(r"\b(?:is|are|runs?|running|uses?|using|on|version|stays?|remains?)\b", re.I)
_AHEAD = re.compile(
    r"\b(?:try|tried|trying|test\w*|spike|plan(?:s|ned|ning)?|evaluat\w+|beta|rc|preview|wait\w*|soon|next|later|eventually|"
    r"not yet|could|should|might|may|if|once)\b",
    re.I,
)
_SPOKEN = frozenset({"asserted", "logged"})
_NO_WORD = frozenset({"asked", "hypothetical", "planned"})
_NUMBER = re.compile(r"(?<![\w.,:])v?(\d{1,3})(?:\.\d{1,3}){0,2}\b(?!\s*(?:%|[.,:]\d))")
_NOW = re.compile(r"\b(?:now (?:on|at|runs?|uses?|is)|(?:is|are|runs?) now|upgrad\w+)\b", re.I)


Number = tuple[int, ...]
Said = tuple[Heard, Number, str]


class Versions:
    """Outdated versions; only names that are spoken of anew are looked at anew, and those with a number that
    a line telling of a change has too."""

    def __init__(self, hearing: Hearing) -> None:
        self._hearing = hearing
        self._said: defaultdict[str, dict[str, list[Said]]] = defaultdict(dict)
        self._found: dict[str, Finding] = {}

    def follow(self, moved: Moved) -> None:
        names = set()
        for heard in moved.gone:
            for name, *_ in _versions(heard):
                self._said[name].pop(heard.id, None)
                names.add(name)
        for heard in moved.came:
            for name, number, words in _versions(heard):
                self._said[name].setdefault(heard.id, []).append((heard, number, words))
                names.add(name)
        told: set[int] = set()
        for heard in moved.all:
            numbers = _numbers(heard)
            if not numbers <= told and _tells_now(heard):
                told |= numbers
        names |= {name for name in self._said if told and not told.isdisjoint(self._numbers_of(name))}
        for name in names:
            self._found.pop(name, None)
            found = _outdated(self._hearing, [one for said in self._said[name].values() for one in said])
            if found is not None:
                self._found[name] = found

    def findings(self) -> list[Finding]:
        return [self._found[name] for name in sorted(self._found)]

    def _numbers_of(self, name: str) -> Iterator[int]:
        return (number[0] for said in self._said[name].values() for _, number, _ in said)


def _versions(heard: Heard) -> Iterator[tuple[str, Number, str]]:
    for m in _VERSION.finditer(heard.text) if heard.date else ():
        name = token(m["name"])
        if name not in _COUNTED and proper(m["name"]):
            yield name, tuple(int(part) for part in m["number"].split(".")), m[0]


def _numbers(heard: Heard) -> set[int]:
    """Every number in a line that may be a version, whatever stands before it."""
    return {int(m[1]) for m in _NUMBER.finditer(heard.text)}


def _outdated(hearing: Hearing, said: Sequence[Said]) -> Finding | None:
    """By their majors: that notes speak of 17.2, or once of a third one, changes nothing. Where all have one
    major, two numbers tell as much."""
    whole = {number for _, number, _ in said}
    if len({number[0] for number in whole}) > 1:
        said = [(heard, number[:1], words) for heard, number, words in said]
    elif len(whole) != 2:
        return None
    return _stale(hearing, sorted(said, key=lambda s: order(s[0])))


def _stale(hearing: Hearing, said: Sequence[Said]) -> Finding | None:
    if any(_tells(h) for h, _, _ in said):
        return None  # the story says itself how one became the other
    lived_with = [one for one in said if one[0].held in _SPOKEN and not _AHEAD.search(one[0].text)]
    if not lived_with:
        return None
    new = lived_with[-1][1]
    in_force = [
        one
        for one in lived_with
        if one[1] < new and one[0].held == "asserted" and _IN_FORCE.search(one[0].text)
    ]
    if not in_force:
        return None
    held, old, words = in_force[-1]
    after = [one for one in lived_with if one[1] == new]
    witnesses = [h for h, _, _ in after]
    if len({h.date for h in witnesses}) < WITNESSES or witnesses[0].date <= held.date:
        return None
    if any(number == old and h.date >= witnesses[0].date for h, number, _ in said):
        return None  # both are around
    if date.fromisoformat(witnesses[-1].date) - date.fromisoformat(held.date) < AGE:
        return None
    stations = [
        Station(held.date, "before"),
        *(Station(h.date, "after") for h in witnesses),
        *(Station(h.date, "after", in_words=True) for h in _tellers(hearing, held, {old[0], new[0]})),
    ]
    if settled(stations):
        return None
    told = [held, *witnesses[-3:]]
    entry = spoken_for(held.claim)
    detail = f"{words} on {held.date}, {after[-1][2]} on {witnesses[-1].date}"
    decision = decide_arc("versions")
    return Finding(
        "stale",
        tuple(h.id for h in told),
        conflict_slot([h.claim for h in told], entry),
        decision.tier,
        decision.probability,
        question(entry),
        "detective",
        (Reason("arc", "stale", "MED", detail),),
    )


def _tells(heard: Heard) -> bool:
    """It says itself that something was otherwise before."""
    return bool(CUE.search(heard.text) or heard.endings)


def _tells_now(heard: Heard) -> bool:
    return (_tells(heard) or bool(_NOW.search(heard.text))) and heard.held not in _NO_WORD


def _tellers(hearing: Hearing, held: Heard, numbers: set[int]) -> Iterator[Heard]:
    """ "Database upgraded to 17": lines about the same as the old claim, which tell of one of its numbers."""
    seen: set[str] = set()
    for word in sorted(topical(held.stems | held.around) - _COUNTED):
        for heard in hearing.having(frozenset({word})):
            if heard.id not in seen and not numbers.isdisjoint(_numbers(heard)):
                seen.add(heard.id)
                if _tells_now(heard):
                    yield heard
