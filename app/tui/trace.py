"""Why a conflict is shown: what each stage said, in plain words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from app.plain import shown

if TYPE_CHECKING:
    from app.words import Conflict, Finding, Reason

_SURE = {"HIGH": "sure", "MED": "fairly sure", "LOW": "not sure"}
_COMPARED = "compared"
_STAGES = {
    "structural": _COMPARED,
    "aligned": _COMPARED,
    "slot": "trust",
    "judge": "judged",
    "arcs": "in order",
    "arc": "in order",
    "detective": "the whole story",
    "thread": "read in order",
    "candidates": "same thing",
    "normalize": "each sentence",
}
_ABOUT = {
    "entity_slot": "both fill in the same field of one record",
    "cross_layer": "you trust one of these notes more than the other",
}
_SAID = {
    "contradiction (value)": "same subject, other {kind}",
    "contradiction": "same subject, the opposite",
    "reversal": "it went back without a word",
    "stale": "newer notes have moved on",
    "unsure": "a second reader doubts it, too",
    "confirmed": "a second reader agrees",
}
_RULES = re.compile(r"((?:must|should|may|is)(?: not)?) against ((?:must|should|may|is)(?: not)?)")


class Step(NamedTuple):
    """One stage's part: what it did, what it found, and how sure it was."""

    looked_at: str
    found: str
    sure: str


def trace(conflict: Conflict | Finding) -> list[Step]:
    """The stages in the order they worked. What they come to in all is the conflict's own probability, so
    the decision is no step of its own; nor is a subject, since it is worded by a reader of ours."""
    told = [
        _step(reason)
        for reason in conflict.reasons
        if reason.stage != "decide" and (reason.stage != "slot" or reason.verdict in _ABOUT)
    ]
    return list(dict.fromkeys(told))


def _step(reason: Reason) -> Step:
    detail, verdict = shown(reason.detail), shown(reason.verdict)
    name = _STAGES.get(reason.stage, shown(reason.stage))
    if reason.stage == "slot":
        return Step(name, _ABOUT[reason.verdict], "")
    if reason.stage == "judge":
        return Step(name, f"the judge is {detail}", "")
    said = _SAID.get(reason.verdict)
    if reason.stage == "aligned":
        found = detail
    elif said is not None:
        lead = said.format(kind="number" if _two_numbers(detail) else "value")
        quoted = _RULES.sub(r"“\1” against “\2”", detail)
        found = f"{lead}: {quoted}" if quoted else lead
    else:
        found = f"{verdict}: {detail}" if verdict and detail else verdict or detail
    return Step(name, found, _SURE[reason.confidence])


def _two_numbers(detail: str) -> bool:
    """Is it one number against another?"""
    sides = detail.split("≠")
    return len(sides) == 2 and all(any(c.isdigit() for c in side) for side in sides)
