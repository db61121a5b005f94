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
from app.detective.mentions import Mention, MentionChanges, mention_order
from app.detective.story_words import stems, token
from app.reading.explicit_change import CHANGE_CUE
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


class ConflictingRates:
    """Claims that state a rate, by what is counted; they are few, so all pairs are compared every time."""

    def __init__(self) -> None:
        self._stated: defaultdict[str, dict[str, tuple[Mention, str, frozenset[str]]]] = defaultdict(dict)

    def follow(self, moved: MentionChanges) -> None:
        for mention in moved.gone:
            if (unit := _unit(mention)) is not None:
                self._stated[unit[0]].pop(mention.id, None)
        for mention in moved.came:
            if (
                (unit := _unit(mention)) is not None
                and mention.held == "asserted"
                and not CHANGE_CUE.search(mention.text)
            ):
                what, rate = unit
                rest = stems(_PER.sub(" ", mention.text.replace(rate, " "))) - _LIMITING - {what}
                self._stated[what][mention.id] = mention, rate, rest

    def findings(self) -> Iterator[Finding]:
        for unit in sorted(self._stated):
            held = sorted(self._stated[unit].values(), key=lambda one: mention_order(one[0]))
            for (a, x, about_a), (b, y, about_b) in combinations(held, 2) if len(held) <= _CROWD else ():
                if _one_thing(a, about_a, b, about_b) and compare_values(x, y).relation == "differ":
                    made = _finding(a, x, b, y)
                    if made is not None:
                        yield made


def _unit(mention: Mention) -> tuple[str, str] | None:
    """What is counted, and the rate as written, if a claim states just one."""
    found = list(_RATE.finditer(mention.text))
    if len(found) != 1:
        return None
    return token(found[0]["what"]) if found[0]["what"] else _REQUEST, found[0][0]


def _one_thing(a: Mention, about_a: frozenset[str], b: Mention, about_b: frozenset[str]) -> bool:
    """What one names, the other names too or has around it; neither says more."""
    if a.place == b.place or not (about_a | about_b):
        return False
    return about_a <= about_b | b.around and about_b <= about_a | a.around


def _finding(a: Mention, x: str, b: Mention, y: str) -> Finding | None:
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
    """As the gates should read it: "second" in "per second" is no ordinal."""
    return replace(
        claim, statement=replace(claim.statement, text=claim.statement.text.replace(rate, "so much"))
    )
