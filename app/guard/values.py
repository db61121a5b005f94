"""Two values side by side: the same, another, or nothing to compare."""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.normalize.lexicon import FAMILIES, NO, YES
from app.normalize.quantities import Relation, quantities, relate
from app.normalize.subjects import proper
from app.normalize.tokens import STOP, stem, words

_DIGITS = re.compile(r"^[+(]?\d[\d ()/.-]*$")


@dataclass(frozen=True, slots=True)
class ValueVerdict:
    relation: Relation
    detail: str


def compare_values(a: str, b: str, *, field: bool = False) -> ValueVerdict:
    """Compare two values as written. `field` says that both fill a named field, where plain words count too."""
    a, b = _bare(a), _bare(b)
    if re.sub(r"[\W_]", "", a.casefold()) == re.sub(r"[\W_]", "", b.casefold()) and any(c.isalnum() for c in a):
        return ValueVerdict("equal", f"{a} = {b}")
    if _coded(a) and _coded(b):
        same = re.sub(r"\D", "", a) == re.sub(r"\D", "", b)
        return ValueVerdict("equal" if same else "differ", f"{a} {'=' if same else '≠'} {b}")
    found_a, found_b = quantities(a), quantities(b)
    if found_a and found_b and not found_a[-1].label and not found_b[-1].label:
        return _measured(a, b)
    if (found_a and not found_a[-1].label) != (found_b and not found_b[-1].label):
        return ValueVerdict("incomparable", f"{a} and {b} are different kinds of value")
    return _named(a, b, field)


def _bare(value: str) -> str:
    return value.strip().strip(".,;:!\"'“”`*()").strip()


def _coded(value: str) -> bool:
    """Digits that name rather than measure: telephone numbers, codes with a leading zero."""
    return bool(_DIGITS.match(value)) and (value.startswith(("0", "+")) or "-" in value) or bool(re.fullmatch(r"\d{3,8}", value))


def _measured(a: str, b: str) -> ValueVerdict:
    """Each quantity of one against its counterpart of the same dimension in the other."""
    left = {q.dimension: q for q in quantities(a) if not q.label}
    right = {q.dimension: q for q in quantities(b) if not q.label}
    if "clock12" in left and "clock" in right:
        left["clock"] = left.pop("clock12")
    if "clock12" in right and "clock" in left:
        right["clock"] = right.pop("clock12")
    shared = left.keys() & right.keys()
    if not shared:
        return ValueVerdict("incomparable", f"{a} and {b} measure different things")
    relations = {relate(left[d], right[d]) for d in shared}
    if "differ" in relations:
        return ValueVerdict("differ", f"{a} ≠ {b}")
    return ValueVerdict("equal" if relations == {"equal"} else "incomparable", f"{a} = {b}")


def _named(a: str, b: str, field: bool) -> ValueVerdict:
    left, right = _content(a), _content(b)
    stems_a, stems_b = {stem(w) for w in left}, {stem(w) for w in right}
    if not stems_a or not stems_b:
        return _answers(a, b)
    if stems_a <= stems_b or stems_b <= stems_a:
        return ValueVerdict("equal", f"{a} = {b}")
    low_a, low_b = {w.lower() for w in left}, {w.lower() for w in right}
    if (low_a & YES and low_b & YES) or (low_a & NO and low_b & NO):
        return ValueVerdict("equal", f"{a} = {b}")
    if (low_a & YES and low_b & NO) or (low_a & NO and low_b & YES):
        return ValueVerdict("differ", f"{a} ≠ {b}")
    for family in FAMILIES:
        if low_a & family and low_b & family and not low_a & low_b & family:
            return ValueVerdict("differ", f"{a} ≠ {b}")
    names_a, names_b = any(proper(w) for w in left), any(proper(w) for w in right)
    if names_a and names_b:
        return ValueVerdict("differ", f"{a} ≠ {b}")
    if names_a != names_b and not field:
        return ValueVerdict("incomparable", f"{a} and {b} are different kinds of value")
    if len(left) <= 2 and len(right) <= 2 and (field or stem(left[-1]) == stem(right[-1])):
        return ValueVerdict("differ", f"{a} ≠ {b}")
    return ValueVerdict("incomparable", f"{a} and {b} may both hold")


def _content(value: str) -> list[str]:
    """Words that count; a lone capital letter names something ("supplier A")."""
    return [w for w in words(value) if w.lower() not in STOP or (len(w) == 1 and w.isupper())]


def _answers(a: str, b: str) -> ValueVerdict:
    low_a, low_b = a.lower(), b.lower()
    if (low_a in YES and low_b in NO) or (low_a in NO and low_b in YES):
        return ValueVerdict("differ", f"{a} ≠ {b}")
    return ValueVerdict("incomparable", f"{a} and {b}")
