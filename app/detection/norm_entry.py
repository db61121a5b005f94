"""One norm of one claim, with everything the comparison needs worked out once."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from app.detection.canonical_names import Names
from app.detection.named_slots import Filled, bare_value, filled
from app.reading.subjects import DATE_TITLE, context_bag, generic, proper, readable, subject_bag
from app.reading.tokens import LIGHT, STOP, bag, stem, words
from app.words import Claim, Norm

KEYED_FORMS = frozenset({"field", "property", "row"})
_KEY_LINE = re.compile(r"^[^:?!.]{1,48}:\s")
_ALONE = Names()
"""Where there is no vault around a claim, only its links say what things are called elsewhere."""
_KEPT = 50_000
"""Claims whose entries are kept: each meets many others."""


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
    called: frozenset[str] = frozenset()
    """The subject by the names that things have in the vault; the subject itself where they have no other."""
    shown: frozenset[str] = frozenset()
    """Words of the subject that only a link makes the name of a note."""
    filled: Filled | None = None
    """The slot its note's frontmatter names, where this is the line that fills it."""

    @property
    def id(self) -> str:
        return self.claim.id

    @property
    def date(self) -> str | None:
        return self.claim.statement.date


def entries(claim: Claim, names: Names | None = None) -> tuple[Entry, ...]:
    """The norms of a claim that could ever be compared; `names` are what things are called in its vault."""
    return _entries(claim, names) if names is not None else _entries_alone(claim)


@lru_cache(maxsize=_KEPT)
def _entries_alone(claim: Claim) -> tuple[Entry, ...]:
    return _entries(claim, _ALONE)


def _entries(claim: Claim, names: Names) -> tuple[Entry, ...]:
    if claim.entity == "artifact":
        return ()  # artifacts are additive
    if claim.status != "active" or claim.silent or claim.statement.quoted or claim.statement.struck:
        return ()
    out = []
    for norm in claim.norms:
        norm = bare_value(claim, norm) or norm
        if not comparable(norm):
            continue
        made = _entry(claim, norm, names)
        if made.subject:
            out.append(made)
    return tuple(out)


@lru_cache(maxsize=_KEPT)
def spoken_for(claim: Claim) -> Entry:
    """An entry for any claim, also one whose subject the rules could not name: enough for the gates."""
    return _entry(claim, claim.norms[0] if claim.norms else Norm("", "MISSING"), _ALONE)


def _entry(claim: Claim, norm: Norm, names: Names) -> Entry:
    stems = subject_bag(norm.subject)
    subject = _telling(stems)
    spoken = names.spoken(norm.subject, claim)
    called = subject if spoken.subject == norm.subject else _telling(subject_bag(spoken.subject))
    slot = filled(claim, norm)
    if slot is not None:
        slot = replace(slot, subject=_telling(subject_bag(names.spoken(slot.name, claim).subject)))
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
    title_names = (
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
        title_names & borrowed,
        field,
        _title(claim),
        _named_first(claim, subject),
        _plain(norm),
        called,
        spoken.shown,
        slot,
    )


def _telling(stems: frozenset[str]) -> frozenset[str]:
    # "We live" and "we work" differ in nothing but the light word.
    return stems if stems - LIGHT <= {"self"} else stems - LIGHT


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
