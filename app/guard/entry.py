"""One norm of one claim, with everything the comparison needs worked out once."""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.normalize.subjects import DATE_TITLE, context_bag, generic, proper, subject_bag, words
from app.normalize.tokens import LIGHT
from app.words import Claim, Norm

FIELD_FORMS = frozenset({"field", "property", "row"})
_KEY_LINE = re.compile(r"^[^:?!.]{1,48}:\s")


@dataclass(frozen=True, slots=True)
class Entry:
    claim: Claim
    norm: Norm
    subject: frozenset[str]
    """Stems the claim is about, light words left out unless nothing else remains."""
    context: frozenset[str]
    titled: bool
    """The note's title names a thing (it is not a date)."""
    keyed: bool
    """Written as key and value, whose key speaks of the thing at hand."""
    named: bool
    """The subject has a name or identifier in it."""
    generic: bool

    @property
    def id(self) -> str:
        return self.claim.id

    @property
    def date(self) -> str | None:
        return self.claim.statement.date


def entries(claim: Claim) -> tuple[Entry, ...]:
    """The norms of a claim that could ever be compared."""
    if claim.status != "active" or claim.silent or claim.statement.quoted or claim.statement.struck:
        return ()
    out = []
    for norm in claim.norms:
        if norm.subject_kind == "MISSING" or not comparable(norm):
            continue
        stems = subject_bag(norm.subject)
        subject = stems - LIGHT or stems
        if not subject:
            continue
        first = True
        named = False
        for word in words(norm.subject):
            named = named or proper(word, first)
            first = False
        context = context_bag(claim.statement, claim.note, claim.aliases)
        keyed = claim.statement.form in FIELD_FORMS or bool(_KEY_LINE.match(claim.statement.text))
        out.append(Entry(claim, norm, subject, context, not DATE_TITLE.match(claim.note), keyed, named, generic(stems)))
    return tuple(out)


def comparable(norm: Norm) -> bool:
    """Could this norm contradict anything by structure: a value, a rule, a state, a denial or a change."""
    return norm.subject_kind == "PRESENT" and (
        norm.value is not None or norm.modality != "is" or norm.change is not None or norm.object not in ("other", "used")
    )
