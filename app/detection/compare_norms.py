"""Structural compare: pure, deterministic, symmetric; says HIGH, MED or LOW and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.detection import gates
from app.detection.compare_values import compare_values
from app.detection.norm_entry import Entry, saying
from app.detection.same_thing import apart, one_slot, shared_words
from app.reading.main_clause import main_clause
from app.reading.memories import exclude
from app.reading.quantities import quantities
from app.reading.rule_words import OPPOSED_MODALITIES, OPPOSED_OBJECTS
from app.reading.tokens import stem, words
from app.words import Confidence, Reason

Outcome = Literal[
    "contradiction", "contradiction (value)", "consistent", "coexist", "uncertain", "unknown", "incomparable"
]
GATE = "gate: "
"""How the stage of a reason begins that a gate gives."""
_DIRECTION = {
    "is": 1,
    "must": 2,
    "should": 2,
    "may": 3,
    "is_not": -1,
    "must_not": -2,
    "should_not": -2,
    "may_not": -2,
}


@dataclass(frozen=True, slots=True)
class Verdict:
    outcome: Outcome
    confidence: Confidence
    detail: str
    gate: str | None = None

    @property
    def contradicts(self) -> bool:
        return self.outcome.startswith("contradiction") and self.confidence == "HIGH"

    def reason(self) -> Reason:
        return Reason(
            "structural" if self.gate is None else GATE + self.gate,
            self.outcome,
            self.confidence,
            self.detail,
        )


def same_subject(a: Entry, b: Entry) -> bool:
    """Both are about one thing: what one subject lacks, its surroundings supply, and the other way round."""
    return apart(a, b) is None


def compare(a: Entry, b: Entry) -> Verdict:
    """What structure alone says about two norms."""
    if "MISSING" in (a.norm.subject_kind, b.norm.subject_kind):
        return Verdict("incomparable", "HIGH", "no subject", "subject")
    if "FUZZY" in (a.norm.subject_kind, b.norm.subject_kind):
        return Verdict("unknown", "LOW", "the subject is not clear", "subject")
    two = apart(a, b)
    if two is not None:
        denied = _denied(a, b)
        if denied is None:
            return Verdict("unknown", "LOW", two[1], two[0])
        closed = gates.silent(a, b)
        return Verdict("coexist", "HIGH", closed[1], closed[0]) if closed else denied
    closed = gates.silent(a, b)
    if closed:
        return Verdict("coexist", "HIGH", closed[1], closed[0])
    return _opposed(a, b) or _values(a, b)


def _opposed(a: Entry, b: Entry) -> Verdict | None:
    m, n = a.norm.modality, b.norm.modality
    weighty = shared_words(a, b) >= 2 or (a.named and b.named)
    if frozenset((m, n)) in OPPOSED_MODALITIES and m != n:
        if a.norm.value and b.norm.value and compare_values(a.norm.value, b.norm.value).relation != "equal":
            return Verdict("coexist", "MED", "one denies another value than the other gives")
        keyed = (a.keyed and a.norm.value) or (b.keyed and b.norm.value)
        if bool(a.norm.value) != bool(b.norm.value) and ({m, n} != {"is", "is_not"} or keyed):
            return Verdict("uncertain", "MED", "a rule and a value")
        if {m, n} & {"is"} and {m, n} & {"must_not", "may_not"} and shared_words(a, b) < 3:
            return Verdict("uncertain", "MED", "a habit against a rule")
        if not weighty:
            return Verdict("uncertain", "MED", "opposed, but the subject is thin")
        if {m, n} == {"is", "is_not"} and not _alike(a, b):
            return Verdict("uncertain", "MED", "said and denied, but in other words")
        return Verdict("contradiction", "HIGH", f"{_said(m)} against {_said(n)}")
    if (
        m == n
        and frozenset((a.norm.object, b.norm.object)) in OPPOSED_OBJECTS
        and not (a.norm.value and b.norm.value)
    ):
        if not weighty and a.subject != b.subject:
            return Verdict("uncertain", "MED", "opposed states, but the subject is thin")
        return Verdict("contradiction", "HIGH", f"{a.norm.object} against {b.norm.object}")
    return None


_NEGATIVE = frozenset(
    "not no never none don't doesn't didn't isn't aren't wasn't weren't hasn't haven't do does did".split()
)


def _alike(a: Entry, b: Entry) -> bool:
    """A denial in the same words, or of everything of a kind ("has no allergies")."""
    left, right = (
        {
            stem(w)
            for w in words(main_clause(e.claim.statement.text))
            if w.lower().replace("’", "'") not in _NEGATIVE
        }
        for e in (a, b)
    )
    if len(left & right) >= 0.75 * len(left | right) and len(left & right) >= 4:
        return True
    none, some = (a, b) if a.norm.modality == "is_not" else (b, a)
    explicit = none.norm.object == "lacks" and " no " in none.claim.statement.text
    return (
        explicit
        and none.named_first
        and some.named_first
        and bool(some.norm.value)
        and not some.keyed
        and a.subject == b.subject
    )


def _denied(a: Entry, b: Entry) -> Verdict | None:
    """ "Has no allergies" against "allergic to penicillin": the whole denied, a part of it asserted."""
    if {a.norm.modality, b.norm.modality} == {"is", "is_not"} and saying(a) == saying(b) and _alike(a, b):
        return Verdict("contradiction", "HIGH", "said and denied in the same words")
    for none, some in ((a, b), (b, a)):
        if none.norm.object != "lacks" or none.norm.modality != "is_not" or some.norm.modality != "is":
            continue
        if not (" no " in none.claim.statement.text and none.named_first and some.named_first):
            continue
        if (
            none.subject < some.subject
            and len(none.subject) >= 2
            and len(some.subject - none.subject) <= 2
            and none.named | some.named
        ):
            return Verdict(
                "contradiction",
                "HIGH",
                f"none at all against {' '.join(sorted(some.subject - none.subject))}",
            )
    return None


def _values(a: Entry, b: Entry) -> Verdict:
    m, n = a.norm.modality, b.norm.modality
    if _DIRECTION[m] != _DIRECTION[n] and not _both_rules(a, b):
        return Verdict("uncertain", "MED", f"{_said(m)} and {_said(n)}")
    if a.norm.value is None or b.norm.value is None:
        return (
            Verdict("consistent", "HIGH", "the same stance", "polarity")
            if a.norm.object == b.norm.object
            else Verdict("uncertain", "MED", "nothing to compare")
        )
    field = a.field or b.field or _own(a, b) or _keys(a, b) or exclude(a.norm, b.norm)
    verdict = compare_values(a.norm.value, b.norm.value, field=field)
    if (
        verdict.relation == "differ"
        and a.claim.statement.form == b.claim.statement.form == "row"
        and not quantities(a.norm.value)
    ):
        return Verdict("uncertain", "MED", "words in two tables")
    if verdict.relation == "equal":
        same = a.norm.value.casefold() == b.norm.value.casefold()
        return Verdict("consistent", "HIGH", verdict.detail, None if same else "units")
    if verdict.relation == "incomparable" or m.endswith("_not"):
        return Verdict("uncertain", "MED", verdict.detail)
    if not (a.norm.single and b.norm.single):
        return Verdict("uncertain", "MED", f"{verdict.detail}, but more than one may hold")
    several = gates.coexist(a, b)
    if several:
        return Verdict("coexist", "HIGH", several, "coexist")
    if not _grounded(a) or not _grounded(b):
        return Verdict("uncertain", "MED", "the value does not stand in the text")
    return Verdict("contradiction (value)", "HIGH", verdict.detail)


def _own(a: Entry, b: Entry) -> bool:
    """ "My role is …": what one has one of, so any two words differ."""
    return "self" in a.subject and "self" in b.subject and a.generic and b.generic


def _keys(a: Entry, b: Entry) -> bool:
    """Two labels that fill one named slot are a field, however they are written."""
    return a.keyed and b.keyed and one_slot(a, b)


def _both_rules(a: Entry, b: Entry) -> bool:
    """ "At most 4 kg" and "must be at most 6 kg", where both say what the slot prescribes."""
    if not one_slot(a, b) or a.filled is None or b.filled is None:
        return False
    return a.filled.rule and b.filled.rule and min(_DIRECTION[e.norm.modality] for e in (a, b)) > 0


def _grounded(entry: Entry) -> bool:
    """A value must stand in the statement; nothing made up can contradict."""
    value = (entry.norm.value or "").casefold()
    return all(part in entry.claim.statement.text.casefold() for part in value.split())


def _said(modality: str) -> str:
    return modality.replace("_", " ")
