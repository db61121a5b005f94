"""One sentence to at most one norm: the rules in the order they are tried."""

from __future__ import annotations

import re
from dataclasses import replace

from app.reading.explicit_change import announces_change, former_value, read_change, read_ending, strip_lead
from app.reading.main_clause import main_clause
from app.reading.memories import identity_or_preference
from app.reading.modals import modal_norm, permission_norm
from app.reading.predicates import (
    copula_norm,
    owner_norm,
    polarity_norm,
    quantity_norm,
    recommendation_norm,
    relation_norm,
    state_norm,
)
from app.reading.scopes import validity_window
from app.reading.subjects import is_pronoun, subject_bag, tidy
from app.reading.verbs import has_finite_verb
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
    """The norm of one sentence, without standing, scope and thing; None if it says nothing."""
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
    start, end, text = validity_window(text, date)
    clause = main_clause(text).strip(" .!")
    if not clause:
        return None
    pronominal = is_pronoun(clause)
    norm = (
        identity_or_preference(clause, text)
        or modal_norm(clause)
        or permission_norm(clause)
        or recommendation_norm(clause)
        or owner_norm(clause)
        or quantity_norm(clause)
        or state_norm(clause)
        or relation_norm(clause)
        or copula_norm(clause)
        or polarity_norm(clause)
    )
    if norm is None:
        subject = tidy(clause)
        stems = subject_bag(subject)
        kind: SubjectKind = (
            "MISSING" if len(stems) < 2 else "FUZZY" if is_pronoun(subject) or len(stems) > 8 else "PRESENT"
        )
        return Norm(subject, kind, valid_from=start, valid_until=end, sure=False) if subject else None
    change = norm.change
    if change is None and announces_change(whole):
        change = Change(former_value(whole), norm.value)
    if not has_finite_verb(clause):  # a fragment: it may name something, but asserts nothing
        norm = replace(norm, single=False, sure=False)
        if norm.modality == "is":
            return replace(norm, subject_kind="FUZZY", valid_from=start, valid_until=end)
    kind = (
        "FUZZY"
        if pronominal or is_pronoun(norm.subject) or not subject_bag(norm.subject)
        else norm.subject_kind
    )
    return replace(
        norm,
        valid_from=start,
        valid_until=end,
        change=change,
        subject_kind=kind,
        single=norm.single and not _HEDGED.search(clause),
    )
