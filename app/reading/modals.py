"""Rules and permissions: must, should, may, never, fine, grant and deny."""

from __future__ import annotations

import re

from app.reading.main_clause import main_quantity, remove_spans
from app.reading.quantities import Quantity
from app.reading.rule_words import FAMILIES
from app.reading.subjects import tidy
from app.reading.tokens import words
from app.words import Modality, Norm, Object

_NOT_ALLOWED = re.compile(
    r"\b(?:must not|mustn['’]t|must never|may not|shall not|(?:is|are|be) not (?:to be|allowed|"
    r"permitted|ok(?:ay)?|fine|acceptable)|(?:isn['’]t|aren['’]t) (?:allowed|permitted|ok(?:ay)?|"
    r"fine)|(?:is|are) (?:forbidden|prohibited|banned|off[- ]limits|a no-go|not an option)|"
    r"not allowed to|cannot|can['’]t|can not|has to stay out|forbidden|prohibited)\b",
    re.I,
)
_NEVER = re.compile(r"^(?:please\s+)?(?:never(?: ever)?|do not|don['’]t|no more)\s+(?=[a-z])", re.I)
_NO_DOING = re.compile(
    r"^no\s+(?P<what>[\w-]+(?:\s[\w-]+)?)\s+(?P<where>(?:on|in|at|after|before|without|during|for|"
    r"inside|near|between|past|while|over|by|from|with)\b.+)$",
    re.I,
)
_NOBODY = re.compile(
    r"^(?:nobody|no one|no-one)\s+(?:may\s+|can\s+|is allowed to\s+|should\s+|must\s+)?(?P<what>.+)$", re.I
)
_NEED_NOT = re.compile(r"\b(?:do|does|did)(?: not|n['’]t) (?:need|have) to\b|\bneed(?: not|n['’]t)\b", re.I)
_SHOULD_NOT = re.compile(r"\b(?:should(?:n['’]t| not| never)|ought not to|better not|avoid)\b", re.I)
_SHOULD = re.compile(r"\b(?:should(?: always)?|ought to|better)\b", re.I)
_MUST = re.compile(
    r"\b(?:must(?: always)?|(?:have|has) to|need(?:s)? to|(?:is|are) (?:required|obliged|mandatory|"
    r"compulsory)(?: to)?)\b",
    re.I,
)
_ALWAYS = re.compile(r"^(?:please\s+)?always\s+(?=[a-z])", re.I)
_FINE = re.compile(
    r"\b(?:is|are|'s|’s)\s+(?:perfectly\s+|totally\s+|always\s+|absolutely\s+)?(?:fine|ok|okay|"
    r"allowed|permitted|acceptable|welcome|no problem)\b|\b(?:is|are) free to\b",
    re.I,
)
_MAY = re.compile(r"\b(?:may|can|could)\b(?! not)(?!['’]t)")  # "May" is a month
_BE_VALUE = re.compile(
    r"\b(?:must|should|shall|has to|have to|needs? to|may)\s+(?:always\s+|not\s+)?(?:be|have|last|"
    r"cost|weigh|stay|reach|contain|use|run|take|get|wait|keep)\b",
    re.I,
)
_GRANTS = re.compile(
    r"^(?:we|i|they)\s+(?:always\s+)?(?P<verb>grant|allow|permit|approve|accept|deny|refuse|reject|"
    r"forbid|ban|prohibit|disallow|decline)\s+(?P<what>.+)$",
    re.I,
)

# In this order, since a refusal contains the words of a permission.
_PATTERNS: tuple[tuple[re.Pattern[str], Modality, Object], ...] = (
    (_NOT_ALLOWED, "must_not", "forbidden"),
    (_SHOULD_NOT, "should_not", "forbidden"),
    (_FINE, "may", "allowed"),
    (_MUST, "must", "required"),
    (_SHOULD, "should", "required"),
    (_MAY, "may", "allowed"),
)


def modal_norm(clause: str) -> Norm | None:
    if m := _NEED_NOT.search(clause):
        return Norm(tidy(remove_spans(clause, m.span())), modality="is_not", object="required", sure=False)
    if (m := _NO_DOING.match(clause)) and not re.search(r"\b(?:is|are|has|have)\b", clause):
        return Norm(tidy(f"{m['what']} {m['where']}"), modality="must_not", object="forbidden")
    if m := _NOBODY.match(clause):
        return Norm(tidy(m["what"]), modality="must_not", object="forbidden", sure=False)
    if m := _NEVER.match(clause):
        return Norm(tidy(clause[m.end() :]), modality="must_not", object="forbidden")
    if m := _ALWAYS.match(clause):
        return Norm(tidy(clause[m.end() :]), modality="must", object="required")
    for pattern, modality, state in _PATTERNS:
        found = pattern.search(clause)
        if not found:
            continue
        if modality in ("must", "should") and (chosen := _chosen(clause, modality)):
            return chosen
        value = _prescribed(clause)
        if value is not None and modality in ("must", "should"):
            subject = tidy(remove_spans(clause, found.span(), (value.start, value.end)))
            subject = re.sub(r"\s+(?:be|have|of)$|\b(?:be|have)\b", " ", subject)
            return Norm(
                tidy(" ".join(subject.split())),
                modality=modality,
                object="required",
                value=clause[value.start : value.end].strip(),
                single=True,
            )
        subject = tidy(remove_spans(clause, found.span()))
        subject = re.sub(r"^(?:be|to)\s+|\b(?:be)\b", " ", subject)
        return Norm(tidy(" ".join(subject.split())), modality=modality, object=state)
    return None


def _chosen(clause: str, modality: Modality) -> Norm | None:
    """ "Must use a blue canary": one of a family, so no other can be required as well."""
    if not _BE_VALUE.search(clause) and not re.search(
        r"\b(?:must|should)\s+(?:always\s+)?(?:use|have|be|wear|take)\b", clause, re.I
    ):
        return None
    for word in words(clause):
        if any(word.lower() in family for family in FAMILIES):
            rest = re.sub(
                r"\b(?:must|should|has to|have to|needs? to)\s+(?:always\s+)?(?:be\s+|use\s+|have\s+)?",
                " ",
                clause.replace(word, " ", 1),
                flags=re.I,
            )
            return Norm(
                tidy(" ".join(rest.split())), modality=modality, object="required", value=word, single=True
            )
    return None


def _prescribed(clause: str) -> Quantity | None:
    """The value in "should be 2.3 bar"; not the condition in "never after 16:00"."""
    return main_quantity(clause) if _BE_VALUE.search(clause) else None


def permission_norm(clause: str) -> Norm | None:
    """ "We grant contractors access": permission and refusal as verbs."""
    m = _GRANTS.match(clause)
    if not m:
        return None
    positive = m["verb"].lower().rstrip("s") not in (
        "deny",
        "denie",
        "refuse",
        "reject",
        "forbid",
        "ban",
        "prohibit",
        "disallow",
        "decline",
    )
    return Norm(
        tidy(m["what"]),
        modality="may" if positive else "must_not",
        object="allowed" if positive else "forbidden",
    )
