"""Why a conflict is shown: what each stage said, in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from app.plain import shown

if TYPE_CHECKING:
    from app.words import Conflict, Finding, Reason

_SURE = {"HIGH": "sure", "MED": "fairly sure", "LOW": "not sure"}
_STAGES = {
    "structural": "what they say",
    "slot": "the subject",
    "aligned": "side by side",
    "judge": "the judge",
    "decide": "all in all",
    "arcs": "in order",
    "arc": "in order",
    "detective": "the whole story",
    "thread": "read in order",
    "candidates": "the subject",
    "normalize": "each sentence",
}
_TOLD_IN_FULL = frozenset({"aligned", "judge", "decide"})
"""Stages whose detail says it all."""
_SUBJECT = {
    "memory_slot": "all of them are about “{}”",
    "entity_slot": "all of them fill in “{}” of one record",
    "cross_layer": "notes you trust differently speak of “{}”",
}
_SAID = {
    "contradiction (value)": "they give different values: {}",
    "contradiction": "one says the opposite: {}",
    "reversal": "it went back without a word: {}",
    "stale": "newer notes have moved on: {}",
    "unsure": "a second reader doubts it, too: {}",
    "confirmed": "a second reader agrees: {}",
}


class Step(NamedTuple):
    """One stage's part: what it looked at, what it found, and how sure it was."""

    looked_at: str
    found: str
    sure: str


def trace(conflict: Conflict | Finding) -> list[Step]:
    """The stages in the order they worked: first what the claims are about, then what was found."""
    steps = [_step(reason) for reason in conflict.reasons]
    about = [step for step in steps if step.looked_at == _STAGES["slot"]]
    return list(dict.fromkeys([*about[:1], *(step for step in steps if step not in about)]))


def _step(reason: Reason) -> Step:
    detail, verdict = shown(reason.detail), shown(reason.verdict)
    if reason.stage == "slot":
        found = _SUBJECT.get(reason.verdict, "all of them are about “{}”").replace("{}", detail)
        return Step(_STAGES["slot"], found, "")
    said = _SAID.get(reason.verdict)
    if reason.stage in _TOLD_IN_FULL:
        found = detail
    elif said is not None:
        found = said.replace("{}", detail) if detail else said.removesuffix(": {}")
    else:
        found = f"{verdict}: {detail}" if verdict and detail else verdict or detail
    return Step(_STAGES.get(reason.stage, shown(reason.stage)), found, _SURE[reason.confidence])
