"""Two values side by side: the same, another, or nothing to compare."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import fuzz

from app.reading.quantities import Quantity, Relation, quantities, relate
from app.reading.rule_words import FAMILIES, NO, YES
from app.reading.subjects import proper
from app.reading.tokens import STOP, stem, words

_DIGITS = re.compile(r"^[+(]?\d[\d ()/.-]*$")
_LEADING = re.compile(r"^[+(]?0\d|^\+\d")
_SHORT_CODE = re.compile(r"\d{3,8}")
_NOT_DIGITS = re.compile(r"\D")
_DECORATION = re.compile(r"[\s_'’\"“”.,;:!?()/-]")
_BLANK = re.compile(r"[\s'’\"“”]")
_NEGATION = re.compile(r"\b(?:not|no|never|non|without|un(?=known\b))\b|n['’]t\b", re.I)
_TAIL = re.compile(r"[-\s](?:based|only|style|like|driven)\b", re.I)
_SHARP = re.compile(r"\b([A-Za-z])(\+\+|#)")
_TITLES = frozenset("mr mrs ms miss dr prof professor sir herr frau".split())
_SYNONYMS = {
    "postgresql": "postgres", "k8s": "kubernetes", "js": "javascript", "ts": "typescript", "golang": "go",
    "mongo": "mongodb", "osx": "macos", "gh": "github", "merge-commit": "merge", "merge-commits": "merge",
}  # fmt: skip
_SPELLING = 88.0
"""Names this alike, with the same first letter, are one name spelt twice."""


@dataclass(frozen=True, slots=True)
class ValueVerdict:
    relation: Relation
    detail: str


def compare_values(a: str, b: str, *, field: bool = False) -> ValueVerdict:
    """Compare two values as written. `field` says that both fill a named field, where words count."""
    a, b = _bare(a), _bare(b)
    if _squashed(a) == _squashed(b) != "":
        return _verdict("equal", a, b)
    if _coded(a) and _coded(b):
        return _verdict("equal" if _NOT_DIGITS.sub("", a) == _NOT_DIGITS.sub("", b) else "differ", a, b)
    measured_a, measured_b = _measures(a), _measures(b)
    if measured_a and measured_b:
        return _measured(a, b, measured_a, measured_b)
    if bool(measured_a) != bool(measured_b):
        return ValueVerdict("incomparable", f"{a} and {b} are different kinds of value")
    return _named(a, b, field)


def _verdict(relation: Relation, a: str, b: str) -> ValueVerdict:
    sign = {"equal": "=", "differ": "≠", "incomparable": "and"}[relation]
    return ValueVerdict(
        relation, f"{a} {sign} {b}" + (" may both hold" if relation == "incomparable" else "")
    )


def _bare(value: str) -> str:
    return value.strip().strip(".,;:!\"'“”`*()").strip()


@lru_cache(maxsize=8192)
def _squashed(value: str) -> str:
    """Letters alone tell words apart; between digits a point, a sign or a colon means something."""
    return (_BLANK if any(c.isdigit() for c in value) else _DECORATION).sub("", value.casefold())


def _coded(value: str) -> bool:
    """Digits that name rather than measure: telephone numbers, codes with a leading zero."""
    if _SHORT_CODE.fullmatch(value):
        return True
    if not _DIGITS.match(value) or any(q.dimension == "date" for q in quantities(value)):
        return False
    digits = len(_NOT_DIGITS.sub("", value))
    return bool(_LEADING.match(value)) or (digits >= 7 and "." not in value) or value.count("-") > 1


def _measures(value: str) -> tuple[Quantity, ...]:
    """The quantities of a value, unless it ends in a name ("Node 18")."""
    found = quantities(value)
    return tuple(q for q in found if not q.label) if found and not found[-1].label else ()


def _measured(a: str, b: str, left: Sequence[Quantity], right: Sequence[Quantity]) -> ValueVerdict:
    """The quantities of one against those of the same dimension in the other."""
    kinds = {_kind(q) for q in left} & {_kind(q) for q in right}
    if not kinds:
        return ValueVerdict("incomparable", f"{a} and {b} measure different things")
    relations = {
        _matched([q for q in left if _kind(q) == k], [q for q in right if _kind(q) == k]) for k in kinds
    }
    if "differ" in relations:
        return _verdict("differ", a, b)
    return _verdict("equal" if relations == {"equal"} else "incomparable", a, b)


def _kind(q: Quantity) -> str:
    return "clock" if q.dimension == "clock12" else q.dimension


def _matched(left: Sequence[Quantity], right: Sequence[Quantity]) -> Relation:
    """Several of one kind ("Tue, Thu", "9:00-17:00") are the same if each has its counterpart."""
    if len(left) == len(right) == 1:
        return relate(left[0], right[0])
    few, many = (left, list(right)) if len(left) <= len(right) else (right, list(left))
    missing = 0
    for q in few:
        twin = next((other for other in many if relate(q, other) == "equal"), None)
        if twin is None:
            missing += 1
        else:
            many.remove(twin)
    if len(left) == len(right):
        return "differ" if missing else "equal"
    return "differ" if missing == len(few) else "incomparable"


def _named(a: str, b: str, field: bool) -> ValueVerdict:
    left, right = _content(a), _content(b)
    stems_a, stems_b = {_key(w) for w in left}, {_key(w) for w in right}
    if not stems_a or not stems_b:
        return _answers(a, b)
    if bool(_NEGATION.search(a)) != bool(_NEGATION.search(b)):
        return _verdict("differ" if stems_a == stems_b else "incomparable", a, b)
    if stems_a <= stems_b or stems_b <= stems_a:
        return _verdict("equal", a, b)
    low_a, low_b = {w.lower() for w in left}, {w.lower() for w in right}
    if (low_a & YES and low_b & YES) or (low_a & NO and low_b & NO):
        return _verdict("equal", a, b)
    if (low_a & YES and low_b & NO) or (low_a & NO and low_b & YES):
        return _verdict("differ", a, b)
    for family in FAMILIES:
        if low_a & family and low_b & family and not low_a & low_b & family:
            return _verdict("differ", a, b)
    own_a, own_b = ([w for w in side if _key(w) not in stems_a & stems_b] for side in (left, right))
    names_a, names_b = any(proper(w) for w in left), any(proper(w) for w in right)
    if names_a and names_b:
        named = any(proper(w) for w in own_a), any(proper(w) for w in own_b)
        # "Anna, the lead" and "Anna Berg" share the name; one only describes.
        return _verdict("differ" if all(named) and not _one_name(own_a, own_b) else "incomparable", a, b)
    if names_a != names_b and not field:
        return ValueVerdict("incomparable", f"{a} and {b} are different kinds of value")
    if len(left) <= 2 and len(right) <= 2 and (field or _key(left[-1]) == _key(right[-1])):
        return _verdict("differ", a, b)
    return _verdict("incomparable", a, b)


@lru_cache(maxsize=20_000)
def _content(value: str) -> tuple[str, ...]:
    """The words that tell; a single capital ("plan A") is a name, not an article."""
    found = words(_SHARP.sub(lambda m: m[1] + {"+": "plus", "#": "sharp"}[m[2][0]], _TAIL.sub("", value)))
    return tuple(
        w
        for i, w in enumerate(found)
        if (w in ("A", "I") and i == len(found) - 1) or (w.lower() not in STOP and w.lower() not in _TITLES)
    )


def _key(word: str) -> str:
    """A word as its value counts: stemmed, unless it is a letter or a name with a common short form."""
    return word if len(word) == 1 else stem(_SYNONYMS.get(word.lower(), word))


def _one_name(left: Sequence[str], right: Sequence[str]) -> bool:
    """The initials of the other, or the same name in another spelling."""
    for few, many in ((left, right), (right, left)):
        if len(few) == 1 and len(many) > 1 and few[0].upper() == "".join(w[0] for w in many).upper():
            return True
    joined_a, joined_b = "".join(left).casefold(), "".join(right).casefold()
    if any(c.isdigit() for c in joined_a + joined_b) or joined_a[:1] != joined_b[:1]:
        return False
    return min(len(joined_a), len(joined_b)) >= 5 and fuzz.ratio(joined_a, joined_b) >= _SPELLING


def _answers(a: str, b: str) -> ValueVerdict:
    low_a, low_b = a.lower(), b.lower()
    if (low_a in YES and low_b in NO) or (low_a in NO and low_b in YES):
        return _verdict("differ", a, b)
    return ValueVerdict("incomparable", f"{a} and {b}")
