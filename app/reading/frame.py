"""A frame: what one clause of a statement says, taken apart by grammar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.reading.quantity import Quantity

Sort = Literal["name", "noun", "verb", "adjective", "adverb", "amount"]
Demand = Literal["", "must", "must_not", "may", "need_not", "should", "should_not"]
"""What a clause asks for or permits; empty where it states."""
Tense = Literal["present", "past", "future"]
Held = Literal["asserted", "planned", "reported", "asked", "hypothetical"]
"""How the writer holds a clause."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word that tells something, with its part in the clause.

    `role` is subject, object, complement, predicate, owner, time, manner, or the preposition before it.
    """

    lemma: str
    sort: Sort
    role: str
    of: str = ""
    """The lemma of the word it belongs to."""
    start: int = -1
    """Where it begins in the statement's text; -1 where it was supplied by a key or header."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with its unit, a date, a clock time, a weekday: what can be compared by measuring."""

    quantity: Quantity
    role: str
    of: str = ""
    """What is counted or what it belongs to."""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Frame:
    """One clause. Words that carry polarity, demand or tense are taken out of `words` and told apart."""

    words: tuple[Word, ...]
    amounts: tuple[Amount, ...] = ()
    predicate: str = ""
    """The lemma of the verb; empty for "is", "has" and verbless notes."""
    negated: bool = False
    demand: Demand = ""
    tense: Tense = "present"
    quantifiers: frozenset[str] = frozenset()
    """All, none, only, some: how many of its subject it speaks of."""
    condition: frozenset[str] = frozenset()
    """Lemmas of the condition under which it holds."""
    exception: frozenset[str] = frozenset()
    passive: bool = False
    has_subject: bool = True
    held: Held = "asserted"

    @property
    def lemmas(self) -> frozenset[str]:
        return frozenset(word.lemma for word in self.words)


@dataclass(frozen=True, slots=True)
class Reading:
    """A statement, read: its clauses, and the words its surroundings lend to it."""

    frames: tuple[Frame, ...]
    title: tuple[Word, ...] = ()
    around: tuple[Word, ...] = ()
    """Words of headings and of the bullet it hangs under."""
