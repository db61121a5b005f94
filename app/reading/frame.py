"""A frame: what one clause of a statement says, taken apart by grammar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.reading.quantity import Quantity

WordSort = Literal["name", "noun", "verb", "adjective", "adverb", "amount"]
Demand = Literal["", "must", "must_not", "may", "need_not", "should", "should_not"]
"""What a clause demands or permits; empty if it states."""
Tense = Literal["present", "past", "future"]
ClauseStanding = Literal["asserted", "planned", "reported", "asked", "hypothetical"]
"""How the writer holds a clause."""


@dataclass(frozen=True, slots=True)
class Word:
    """A content word with its role in the clause.

    `role` is subject, object, complement, predicate, owner, time, manner, or the preposition before it.
    """

    lemma: str
    sort: WordSort
    role: str
    of: str = ""
    """The lemma of the word it belongs to."""
    start: int = -1
    """Where it begins in the statement's text; -1 if a key or header supplied it."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its unit, a date, a clock time, a weekday: a value that can be measured."""

    quantity: Quantity
    role: str
    of: str = ""
    """What is counted, or what the amount belongs to."""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Frame:
    """One clause. Words that carry polarity, demand or tense have fields of their own and are not in
    `words`."""

    words: tuple[Word, ...]
    amounts: tuple[Amount, ...] = ()
    predicate: str = ""
    """The lemma of the verb; empty for "is", "has" and verbless notes."""
    negated: bool = False
    demand: Demand = ""
    tense: Tense = "present"
    quantifiers: frozenset[str] = frozenset()
    """All, only, some, also: how much of its subject it covers."""
    condition: frozenset[str] = frozenset()
    """Lemmas of the condition under which it holds."""
    exception: frozenset[str] = frozenset()
    passive: bool = False
    has_subject: bool = True
    held: ClauseStanding = "asserted"


@dataclass(frozen=True, slots=True)
class Reading:
    """A statement as read: its clauses, and the words its surroundings contribute."""

    frames: tuple[Frame, ...]
    title: tuple[Word, ...] = ()
    around: tuple[Word, ...] = ()
    """Words of its headings and parent bullet."""
