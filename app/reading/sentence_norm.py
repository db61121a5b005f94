"""One sentence to at most one norm: the rules in the order they are asked."""

from __future__ import annotations

import re
from dataclasses import replace

from app.reading.changes import aside, progresses, read_change, read_ending, strip_lead
from app.reading.main_clause import main_clause
from app.reading.memories import memory
from app.reading.modals import modal, verdict
from app.reading.predicates import copula, owned, polar, quantity, recommended, relation, state
from app.reading.scopes import window
from app.reading.subjects import pronoun, subject_bag, tidy
from app.reading.verbs import finite
from app.words import Change, Norm, SubjectKind

_LABEL = re.compile(
    r"^(?:decision|decided|note|nb|n\.b\.|fyi|reminder|remember|important|fact|agreed|answer|a|rule|"
    r"policy|conclusion|outcome|result|tl;?dr|warning|caution|tip)\s*[:–-]\s+",
    re.I,
)
_ANSWER = re.compile(r"^(?:yes|no|yep|nope|correct|right)[,.]\s+", re.I)
_HEDGED = re.compile(
    r"\b(?:or|either|between|depending|depends|varies|sometimes|often|usually|mostly|typically|normally)\b",
    re.I,
)


def read_sentence(text: str, date: str | None) -> Norm | None:
    """The norm of one sentence, without standing, scope and thing; None when there is nothing to hold."""
    whole = text
    text = _ANSWER.sub("", _LABEL.sub("", strip_lead(text))).strip()
    changed = read_change(text)
    if changed and changed.subject:
        return Norm(
            tidy(changed.subject),
            object="equals",
            value=changed.change.now,
            change=changed.change,
            single=True,
        )
    ending = read_ending(text)
    if ending:
        about = tidy(ending.subject) or ending.change.was or ""
        return Norm(about, modality="is_not", object="unused", change=ending.change, sure=False)
    start, end, text = window(text, date)
    clause = main_clause(text).strip(" .!")
    if not clause:
        return None
    pronominal = pronoun(clause)
    norm = (
        memory(clause, text)
        or modal(clause)
        or verdict(clause)
        or recommended(clause)
        or owned(clause)
        or quantity(clause)
        or state(clause)
        or relation(clause)
        or copula(clause)
        or polar(clause)
    )
    if norm is None:
        subject = tidy(clause)
        stems = subject_bag(subject)
        kind: SubjectKind = (
            "MISSING" if len(stems) < 2 else "FUZZY" if pronoun(subject) or len(stems) > 8 else "PRESENT"
        )
        return Norm(subject, kind, valid_from=start, valid_until=end, sure=False) if subject else None
    change = norm.change
    if change is None and progresses(whole):
        change = Change(aside(whole), norm.value)
    if not finite(clause):  # a scrap: it may name something, but it asserts nothing
        norm = replace(norm, single=False, sure=False)
        if norm.modality == "is":
            return replace(norm, subject_kind="FUZZY", valid_from=start, valid_until=end)
    kind = (
        "FUZZY" if pronominal or pronoun(norm.subject) or not subject_bag(norm.subject) else norm.subject_kind
    )
    return replace(
        norm,
        valid_from=start,
        valid_until=end,
        change=change,
        subject_kind=kind,
        single=norm.single and not _HEDGED.search(clause),
    )
