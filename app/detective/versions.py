"""An old version spoken of as current, while newer notes live with a later one: stale."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

from app.detective.heard import Heard, Moved, order
from app.detective.told_words import token
from app.guard.entry import spoken_for
from app.guard.question import question
from app.guard.slots import conflict_slot
from app.normalize.changes import CUE
from app.normalize.subjects import proper
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
    for word in """
    room chapter page section year round step week day level part phase book volume no number bay rack plot
    grade size bench table line gate platform unit building floor flat house route bus track test sprint team
    version release rev revision mk lane site kennel class group paper figure act scene session episode season
    january february march april may june july august september october november december jan feb mar apr jun
    jul aug sep sept oct nov dec under over about to of at on in by from for and or than only
    """.split()
)
_IN_FORCE = re.compile(r"\b(?:is|are|runs?|running|uses?|using|on|version|stays?|remains?)\b", re.I)
_AHEAD = re.compile(
    r"\b(?:try|tried|trying|test\w*|spike|plan(?:s|ned|ning)?|evaluat\w+|beta|rc|preview|wait\w*|soon|next|later|eventually|"
    r"not yet|could|should|might|may|if|once)\b",
    re.I,
)
_SPOKEN = frozenset({"asserted", "logged"})


Said = tuple[Heard, tuple[int, ...], str]


class Versions:
    """Outdated versions; only names that are spoken of anew are looked at anew."""

    def __init__(self) -> None:
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
        for name in names:
            self._found.pop(name, None)
            found = _outdated([one for said in self._said[name].values() for one in said])
            if found is not None:
                self._found[name] = found

    def findings(self) -> list[Finding]:
        return [self._found[name] for name in sorted(self._found)]


def _versions(heard: Heard) -> Iterator[tuple[str, tuple[int, ...], str]]:
    for m in _VERSION.finditer(heard.text) if heard.date else ():
        name = token(m["name"])
        if name not in _COUNTED and proper(m["name"]):
            yield name, tuple(int(part) for part in m["number"].split(".")), m[0]


def _outdated(said: Sequence[Said]) -> Finding | None:
    numbers = {number for _, number, _ in said}
    return _stale(sorted(said, key=lambda s: order(s[0])), min(numbers)) if len(numbers) == 2 else None


def _stale(said: Sequence[Said], old: tuple[int, ...]) -> Finding | None:
    before = [(h, words) for h, number, words in said if number == old]
    after = [(h, words) for h, number, words in said if number != old]
    held, words = before[-1]
    if held.held != "asserted" or not _IN_FORCE.search(held.text):
        return None
    if any(CUE.search(h.text) or h.endings for h, _ in (*before, *after)):
        return None  # the story says itself how one became the other
    witnesses = [h for h, _ in after if h.held in _SPOKEN and not _AHEAD.search(h.text)]
    if len({h.date for h in witnesses}) < WITNESSES or witnesses[0].date <= held.date:
        return None
    if date.fromisoformat(witnesses[-1].date) - date.fromisoformat(held.date) < AGE:
        return None
    told = [held, *witnesses[-3:]]
    entry = spoken_for(held.claim)
    detail = f"{words} on {held.date}, {after[-1][1]} on {witnesses[-1].date}"
    return Finding(
        "stale",
        tuple(h.id for h in told),
        conflict_slot([h.claim for h in told], entry),
        "warn",
        0.75,
        question(entry),
        "detective",
        (Reason("arc", "stale", "MED", detail),),
    )
