"""The main clause of a sentence, and the parts the rules take out of it."""

from __future__ import annotations

import re

from app.reading.abbreviations import introduced
from app.reading.quantities import Quantity, quantities
from app.reading.scopes import leading_scope_end

# Where the main clause ends: what follows explains, excuses or decorates.
_CLAUSE_END = re.compile(
    r",\s(?!\d{3}\b)(?!\d{4}\b)|;|\s[–—-]\s|\s\(|\.\s|:\s(?=\D*$)|\s(?:because|so that|which|where|"
    r"whereas|although|though|but|since (?:it|we|they|he|she|i|the)|as (?:it|we|they|the)|so (?:we|i|"
    r"it|the|that))\b",
    re.I,
)
NEGATION = re.compile(
    r"\b(?:is|are|was|were|does|do|did|has|have|will|can)\s+not\b|\b(?:is|are|was|were|does|do|did|"
    r"has|have|wo)n['’]t\b|\bhas no\b|\bhave no\b|\bthere (?:is|are) no\b|\bwithout\b|"
    r"\bno\s+(?=\w+s?\b)|\bnone\b|\bnever\b",
    re.I,
)
COPULA = re.compile(r"(?:\b(?:is|are|equals?)\b|(?<=\bit)['’]s\b|(?<=\bthat)['’]s\b|(?<=\s)=(?=\s))\s*", re.I)


def main_clause(text: str) -> str:
    brackets = {found.start for found in introduced(text)}
    for m in _CLAUSE_END.finditer(text, max(8, leading_scope_end(text))):
        if m.start() not in brackets:  # an abbreviation in brackets ends nothing
            return text[: m.start()]
    return text


def remove_spans(text: str, *spans: tuple[int, int]) -> str:
    for s, e in sorted(spans, reverse=True):
        text = text[:s] + " " + text[e:]
    return " ".join(text.split())


def main_quantity(clause: str) -> Quantity | None:
    """The quantity a clause is about: the last one that is not part of a name."""
    found = [q for q in quantities(clause) if not q.label]
    return found[-1] if found else None
