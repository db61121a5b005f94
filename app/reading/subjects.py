"""Subjects: the words a claim is about, and the thing they belong to if they cannot stand alone."""

from __future__ import annotations

import re
from functools import lru_cache

from app.calendar_names import MONTH_BEGINNING, WEEKDAY_NAMES, one_of
from app.reading.quantities import quantities
from app.reading.rule_words import GENERIC
from app.reading.tokens import LIGHT, STOP, bag, stem
from app.words import Note, Statement

DATE_TITLE = re.compile(
    r"^\W*(?:\d{4}[-_./]?\d\d[-_./]?\d\d|(?:" + one_of(WEEKDAY_NAMES) + r")\b|"
    rf"\d{{1,2}}[ .](?:{MONTH_BEGINNING}|\d))",
    re.I,
)
# Headings that sort a note without naming a thing.
PLAIN_HEADINGS = frozenset(
    stem(word)
    for word in """
    note misc miscellaneou todo task fact info detail general overview intro introduction background
    summari rule link resourc see relat reference practic everyth thing list log journal diari open
    question idea wish decision todai evening morning afternoon home work question answer faq setup how
    why what learn next step follow up follow-up histori status read book daily meeting agenda attende
    action item home index inbox
    """.split()
)
_PRONOUN = re.compile(
    r"^(?:it|he|she|they|this|that|these|those|there|here|which|who|one|everyone|someone|something|"
    r"everything|nothing|you)\b",
    re.I,
)
_SELF = re.compile(r"^(?:we|i)\b", re.I)
_OWN = re.compile(r"^(?:my|our)\s", re.I)


@lru_cache(maxsize=32768)
def subject_bag(subject: str) -> frozenset[str]:
    """Stems of a subject, with its quantities in canonical form ("4pm" and "16:00" are one token)."""
    tokens: set[str] = set()
    rest = subject
    for q in reversed(quantities(subject)):
        if q.label:
            continue
        tokens.add(f"{q.dimension}:{q.low:g}" if q.low == q.high else f"{q.dimension}:{q.low:g}-{q.high:g}")
        rest = rest[: q.start] + " " + rest[q.end :]
    tokens |= bag(rest)
    if (not tokens - LIGHT and _SELF.match(subject)) or _OWN.match(subject):
        tokens.add("self")
    return frozenset(tokens)


def is_pronoun(subject: str) -> bool:
    return bool(_PRONOUN.match(subject.strip()))


def readable(title: str) -> str:
    """The title in words: a file name may have dashes instead of blanks."""
    return title if " " in title.strip() else title.replace("-", " ").replace("_", " ")


def owning_thing(statement: Statement, note: Note) -> str:
    """What the note is about at this point: parent bullet, deepest meaningful heading, or title."""
    if statement.parent and len(statement.parent) <= 40 and not is_plain_heading(statement.parent):
        return statement.parent.rstrip(":")
    for heading in reversed(statement.heading):
        if len(heading) <= 48 and not is_plain_heading(heading) and not DATE_TITLE.match(heading):
            return heading
    return "" if DATE_TITLE.match(note.title) or is_plain_heading(note.title) else readable(note.title)


def is_plain_heading(heading: str) -> bool:
    stems = bag(heading)
    return not (stems - PLAIN_HEADINGS)


@lru_cache(maxsize=8192)
def generic(stems: frozenset[str]) -> bool:
    """Are these only aspect words, none of which names a thing?"""
    return not (stems - GENERIC - LIGHT - {"self"})


def tidy(phrase: str) -> str:
    """A subject as people would name it: no articles at the edges, no dangling function words.

    "My role" keeps its owner: a generic word alone would lose it.
    """
    own = _OWN.match(phrase.strip())
    parts = phrase.strip(" .,:;–—-\"'“”()*").split()
    while parts and parts[0].lower() in STOP and not _SELF.match(parts[0]):
        parts.pop(0)
    while (
        parts
        and parts[-1].lower() in STOP
        and parts[-1] != "A"
        and not (len(parts) == 1 and _SELF.match(parts[0]))
    ):
        parts.pop()
    if own and parts and generic(bag(" ".join(parts))):
        parts.insert(0, "my")
    return " ".join(parts)


def full_subject(subject: str, statement: Statement, note: Note) -> str:
    """The subject, preceded by its thing if it cannot stand alone."""
    stems = subject_bag(subject)
    if stems and ("self" in stems or not generic(stems)):
        return subject
    owner = owning_thing(statement, note)
    if not owner or bag(owner) <= stems:
        return subject
    return f"{owner} {subject}".strip()


def context_bag(statement: Statement, note_title: str, aliases: tuple[str, ...]) -> frozenset[str]:
    """Words that surround a subject: title, aliases, headings, parent bullet, column heads."""
    out: set[str] = set()
    if not DATE_TITLE.match(note_title):
        out |= bag(note_title) | bag(readable(note_title))
    for name in aliases:
        out |= bag(name)
    for heading in statement.heading:
        if not DATE_TITLE.match(heading):
            out |= bag(heading)
    if statement.parent:
        out |= bag(statement.parent[:120])
    for head, _ in statement.cells:
        out |= bag(head)
    if statement.key:
        out |= bag(statement.key)
    return frozenset(out)


@lru_cache(maxsize=50_000)
def proper(word: str, first: bool = False) -> bool:
    """A name, code or identifier rather than a common word."""
    if any(c.isdigit() for c in word) or "_" in word or "/" in word or "@" in word:
        return True
    if any(c.isupper() for c in word[1:]):
        return True
    return word[:1].isupper() and not first
