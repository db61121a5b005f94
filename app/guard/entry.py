"""One norm of one claim, with everything the comparison needs worked out once."""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.normalize.subjects import DATE_TITLE, context_bag, generic, proper, readable, subject_bag
from app.normalize.tokens import LIGHT, STOP, bag, stem, words
from app.words import Claim, Norm

KEYED_FORMS = frozenset({"field", "property", "row"})
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
    borrowed: frozenset[str]
    """Subject words a key took over from its note's title."""
    borrowed_names: frozenset[str]
    field: bool
    """A field or property: its value is one word of many, whatever it looks like."""
    title: frozenset[str]
    """Stems of the note's title, where it names a thing."""
    named_first: bool
    """The statement begins with a name that stands in its subject ("Elin has …")."""
    plain: bool = False
    """Neither value nor rule nor state: it can only be denied."""

    @property
    def id(self) -> str:
        return self.claim.id

    @property
    def date(self) -> str | None:
        return self.claim.statement.date


def entries(claim: Claim) -> tuple[Entry, ...]:
    """The norms of a claim that could ever be compared."""
    if claim.entity == "artifact":
        return ()  # artifacts are additive
    if claim.status != "active" or claim.silent or claim.statement.quoted or claim.statement.struck:
        return ()
    out = []
    for norm in claim.norms:
        if norm.subject_kind == "MISSING" or not comparable(norm):
            continue
        made = _entry(claim, norm)
        if made.subject:
            out.append(made)
    return tuple(out)


def spoken_for(claim: Claim) -> Entry:
    """An entry for any claim, also one whose subject the rules could not name: enough for the gates."""
    return _entry(claim, claim.norms[0] if claim.norms else Norm("", "MISSING"))


def _entry(claim: Claim, norm: Norm) -> Entry:
    stems = subject_bag(norm.subject)
    # "We live" and "we work" differ in nothing but the light word.
    subject = stems if stems - LIGHT <= {"self"} else stems - LIGHT
    first = True
    named = False
    for word in words(norm.subject):
        named = named or proper(word, first)
        first = False
    context = (
        context_bag(claim.statement, claim.note, claim.aliases)
        | bag(claim.project or "")
        | _slot_words(claim)
    )
    field = claim.statement.form in ("field", "property")
    keyed = claim.statement.form in KEYED_FORMS or bool(_KEY_LINE.match(claim.statement.text))
    titled = not DATE_TITLE.match(claim.note)
    # A slot named in the frontmatter is named, not borrowed.
    takes = keyed and titled and not _slot_words(claim)
    borrowed = bag(readable(claim.note)) & subject if takes else frozenset()
    names = (
        frozenset(stem(w) for i, w in enumerate(words(readable(claim.note))) if proper(w, i == 0))
        if borrowed
        else frozenset()
    )
    return Entry(
        claim,
        norm,
        subject,
        context,
        titled,
        keyed,
        named,
        generic(stems),
        borrowed,
        names & borrowed,
        field,
        _title(claim),
        _named_first(claim, subject),
        _plain(norm),
    )


def _slot_words(claim: Claim) -> frozenset[str]:
    """What an entity's frontmatter calls its target lends words too."""
    if claim.entity is None:
        return frozenset()
    return frozenset(
        s
        for key, value in claim.properties
        if key.endswith(("_target", "_field", "_name", "_kind", "_key"))
        for s in bag(value)
    )


def _named_first(claim: Claim, subject: frozenset[str]) -> bool:
    found = words(claim.statement.text)
    return (
        bool(found) and found[0][:1].isupper() and found[0].lower() not in STOP and stem(found[0]) in subject
    )


def _title(claim: Claim) -> frozenset[str]:
    return frozenset() if DATE_TITLE.match(claim.note) else bag(readable(claim.note))


def comparable(norm: Norm) -> bool:
    """Could structure say anything about this norm at all."""
    return norm.subject_kind == "PRESENT"


def _plain(norm: Norm) -> bool:
    return (
        norm.value is None
        and norm.modality == "is"
        and norm.change is None
        and norm.object in ("other", "used", "has")
    )


def saying(entry: Entry) -> frozenset[str]:
    """All content words of an entry: what it is about and what it says of it."""
    words = entry.subject | subject_bag(entry.norm.value) if entry.norm.value else entry.subject
    return words - LIGHT or words
