"""Stale versions: an old version described as current while newer notes use a later one."""

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
from app.detective.arc_settlement import Station, settled
from app.detective.mentions import Mention, MentionChanges, MentionIndex, mention_order
from app.detective.story_words import token, topical
from app.reading.explicit_change import CHANGE_CUE
from app.reading.subjects import proper
from app.words import Finding, Reason

MIN_AGE = timedelta(days=90)
"""How much older the outdated claim must be."""
MIN_WITNESSES = 2
"""One mention of a later version may be a plan; two are the state of things."""
_VERSION = re.compile(
    r"(?P<name>[A-Za-z][\w.+#-]*)\s+v?(?P<number>\d{1,3}(?:\.\d{1,3}){0,2})\b(?!\s*(?:%|[.,:]\d))"
)
# Words that count things, not releases.
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
VersionMention = tuple[Mention, Number, str]


class OutdatedVersions:
    """Outdated versions. A name is read again only if it is mentioned again, or if a line that announces a
    change contains one of its numbers."""

    def __init__(self, mentions: MentionIndex) -> None:
        self._mentions = mentions
        self._said: defaultdict[str, dict[str, list[VersionMention]]] = defaultdict(dict)
        self._found: dict[str, Finding] = {}

    def follow(self, moved: MentionChanges) -> None:
        names = set()
        for mention in moved.gone:
            for name, *_ in _versions(mention):
                self._said[name].pop(mention.id, None)
                names.add(name)
        for mention in moved.came:
            for name, number, words in _versions(mention):
                self._said[name].setdefault(mention.id, []).append((mention, number, words))
                names.add(name)
        announced: set[int] = set()
        for mention in moved.all:
            numbers = _numbers(mention)
            if not numbers <= announced and _tells_now(mention):
                announced |= numbers
        names |= {
            name for name in self._said if announced and not announced.isdisjoint(self._numbers_of(name))
        }
        for name in names:
            self._found.pop(name, None)
            found = _outdated(self._mentions, [one for said in self._said[name].values() for one in said])
            if found is not None:
                self._found[name] = found

    def findings(self) -> list[Finding]:
        return [self._found[name] for name in sorted(self._found)]

    def _numbers_of(self, name: str) -> Iterator[int]:
        return (number[0] for said in self._said[name].values() for _, number, _ in said)


def _versions(mention: Mention) -> Iterator[tuple[str, Number, str]]:
    for m in _VERSION.finditer(mention.text) if mention.date else ():
        name = token(m["name"])
        if name not in _COUNTED and proper(m["name"]):
            yield name, tuple(int(part) for part in m["number"].split(".")), m[0]


def _numbers(mention: Mention) -> set[int]:
    """Every number in a line that may be a version, whatever precedes it."""
    return {int(m[1]) for m in _NUMBER.finditer(mention.text)}


def _outdated(mentions: MentionIndex, said: Sequence[VersionMention]) -> Finding | None:
    """By major version: mentions of 17.2, or a single one of a third version, change nothing. If all have one
    major, two numbers are as good."""
    whole = {number for _, number, _ in said}
    if len({number[0] for number in whole}) > 1:
        said = [(mention, number[:1], words) for mention, number, words in said]
    elif len(whole) != 2:
        return None
    return _stale(mentions, sorted(said, key=lambda s: mention_order(s[0])))


def _stale(mentions: MentionIndex, said: Sequence[VersionMention]) -> Finding | None:
    if any(_tells(h) for h, _, _ in said):
        return None  # the story says how one became the other
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
    if len({h.date for h in witnesses}) < MIN_WITNESSES or witnesses[0].date <= held.date:
        return None
    if any(number == old and h.date >= witnesses[0].date for h, number, _ in said):
        return None  # both are in use
    if date.fromisoformat(witnesses[-1].date) - date.fromisoformat(held.date) < MIN_AGE:
        return None
    stations = [
        Station(held.date, "before"),
        *(Station(h.date, "after") for h in witnesses),
        *(Station(h.date, "after", in_words=True) for h in _tellers(mentions, held, {old[0], new[0]})),
    ]
    if settled(stations):
        return None
    members = [held, *witnesses[-3:]]
    entry = spoken_for(held.claim)
    detail = f"{words} on {held.date}, {after[-1][2]} on {witnesses[-1].date}"
    decision = decide_arc("versions")
    return Finding(
        "stale",
        tuple(h.id for h in members),
        conflict_slot([h.claim for h in members], entry),
        decision.tier,
        decision.probability,
        question(entry),
        "detective",
        (Reason("arc", "stale", "MED", detail),),
    )


def _tells(mention: Mention) -> bool:
    """Does it say that something was different before?"""
    return bool(CHANGE_CUE.search(mention.text) or mention.endings)


def _tells_now(mention: Mention) -> bool:
    return (_tells(mention) or bool(_NOW.search(mention.text))) and mention.held not in _NO_WORD


def _tellers(mentions: MentionIndex, held: Mention, numbers: set[int]) -> Iterator[Mention]:
    """ "Database upgraded to 17": lines about the same thing as the old claim that announce one of its
    numbers."""
    seen: set[str] = set()
    for word in sorted(topical(held.stems | held.around) - _COUNTED):
        for mention in mentions.with_tokens(frozenset({word})):
            if mention.id not in seen and not numbers.isdisjoint(_numbers(mention)):
                seen.add(mention.id)
                if _tells_now(mention):
                    yield mention
