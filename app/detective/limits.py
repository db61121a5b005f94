"""Two rates for one thing in two notes, both in force: "1,000 req/s" beside "5,000 req/s"."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from app.conflicts.question import question
from app.detection import gates
from app.detection.compare_values import compare_values
from app.detection.decide import decide_arc
from app.detection.norm_entry import spoken_for
from app.detection.norm_findings import outdated
from app.detection.slots import conflict_slot
from app.detective.mentions import Heard, Moved, order
from app.detective.story_words import stems, token
from app.reading.changes import CUE
from app.words import Claim, Finding, Kind, Reason

_RATE = re.compile(
    r"(?P<number>\d[\d,.]*k?)\s*(?:(?P<what>[a-z]{3,12})\s*(?:/|\sper\s)\s*"
    r"(?P<time>s|sec|second|m|min|minute|h|hr|hour|day)|rps)\b",
    re.I,
)
_REQUEST = token("requests")
_PER = re.compile(r"\b(?:per|each|every)\s+\w+", re.I)
# Words with which a limit is stated, whatever it limits.
_LIMITING = frozenset(
    token(word)
    for word in """
    rate limit limits limited allows allowed allow max maximum cap capped quota throttle throttled permits
    accepts handles takes gets up to most burst ceiling threshold
    """.split()
)
_CROWD = 40


class Rates:
    """Claims that state a rate, by what is counted; they are few, so all pairs are looked at every time."""

    def __init__(self) -> None:
        self._stated: defaultdict[str, dict[str, tuple[Heard, str, frozenset[str]]]] = defaultdict(dict)

    def follow(self, moved: Moved) -> None:
        for heard in moved.gone:
            if (unit := _unit(heard)) is not None:
                self._stated[unit[0]].pop(heard.id, None)
        for heard in moved.came:
            if (unit := _unit(heard)) is not None and heard.held == "asserted" and not CUE.search(heard.text):
                what, rate = unit
                rest = stems(_PER.sub(" ", heard.text.replace(rate, " "))) - _LIMITING - {what}
                self._stated[what][heard.id] = heard, rate, rest

    def findings(self) -> Iterator[Finding]:
        for unit in sorted(self._stated):
            held = sorted(self._stated[unit].values(), key=lambda one: order(one[0]))
            for (a, x, about_a), (b, y, about_b) in combinations(held, 2) if len(held) <= _CROWD else ():
                if _one_thing(a, about_a, b, about_b) and compare_values(x, y).relation == "differ":
                    made = _finding(a, x, b, y)
                    if made is not None:
                        yield made


def _unit(heard: Heard) -> tuple[str, str] | None:
    """What is counted, and the rate as written, where a claim states just one."""
    found = list(_RATE.finditer(heard.text))
    if len(found) != 1:
        return None
    return token(found[0]["what"]) if found[0]["what"] else _REQUEST, found[0][0]


def _one_thing(a: Heard, about_a: frozenset[str], b: Heard, about_b: frozenset[str]) -> bool:
    """What the one names, the other names too, or stands in the note of it; neither says more."""
    if a.place == b.place or not (about_a | about_b):
        return False
    return about_a <= about_b | b.around and about_b <= about_a | a.around


def _finding(a: Heard, x: str, b: Heard, y: str) -> Finding | None:
    old, new = (spoken_for(_without(h.claim, rate)) for h, rate in ((a, x), (b, y)))
    if gates.silent(old, new) or gates.coexist(old, new):
        return None
    old, new = spoken_for(a.claim), spoken_for(b.claim)
    kind: Kind = "stale" if outdated(old, new) else "disagreement"
    slot = conflict_slot([a.claim, b.claim], old)
    reason = Reason("arc", "two rates", "MED", f"{x} ≠ {y}")
    decision, asked = decide_arc("rates"), question(old, new)
    ids = (a.id, b.id)
    return Finding(kind, ids, slot, decision.tier, decision.probability, asked, "detective", (reason,))


def _without(claim: Claim, rate: str) -> Claim:
    """As the gates should read it: in "per second" there is no second one."""
    return replace(
        claim, statement=replace(claim.statement, text=claim.statement.text.replace(rate, "so much"))
    )
