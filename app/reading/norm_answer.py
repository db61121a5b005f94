"""The answers the language model may give, as a grammar, and how they are checked: nothing is taken on trust.

One line a norm: `asserted | cabin key box code | is equals | 5520`. Few tokens, so few steps. Values can only
be spans of the statement; what the rules read better (scope, windows, change) stays with them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import get_args

from app.reading.explicit_change import announces_change, former_value, read_change
from app.reading.rule_words import GENERIC
from app.reading.scopes import scope, validity_window
from app.reading.subjects import DATE_TITLE, is_pronoun, readable, tidy
from app.reading.tokens import LIGHT, bag, stem, words
from app.words import Change, Modality, Norm, Object, Standing, Statement, SubjectKind

MOST_NORMS = 3
MAX_TOKENS = 120
_LONGEST_VALUE = 80
_NOTHING = "none"
_NO_VALUE = "-"
_STANDINGS: dict[str, Standing] = {name: name for name in get_args(Standing)}
_MODALITIES: dict[str, Modality] = {name.replace("_", " "): name for name in get_args(Modality)}
_OBJECTS: dict[str, Object] = {name: name for name in get_args(Object)}
_PIECE = re.compile(r"\w+|[^\w\s]")
_OPENS = frozenset("-−+£$€¥#<>~≈≤≥(±@½¼¾'\"“")
_ENDS = frozenset(".)%°+!€$£'\"”½¼¾²³*#")


def spelled(norms: Iterable[Norm]) -> str:
    """The answer that expresses these norms, as the model is trained to write it."""
    lines = [
        f" {n.standing} | {n.subject} | {n.modality.replace('_', ' ')} {n.object} | {n.value or _NO_VALUE}"
        for n in norms
    ]
    return "\n".join(lines[:MOST_NORMS]) or f" {_NOTHING}"


def grammar(text: str) -> str:
    """GBNF for answers about this text: values are spans of it, of whole words."""
    pieces = [m for m in _PIECE.finditer(text) if m[0] != "|"]
    spans = [f"v{n}" for n, m in enumerate(pieces) if m[0][0].isalnum() or m[0] in _OPENS]
    rules = [
        f'root ::= " {_NOTHING}" | norm ("\\n" norm){{0,{MOST_NORMS - 1}}}',
        'norm ::= " " standing " | " subject " | " modality " " object " | " value',
        f"standing ::= {_choice(_STANDINGS)}",
        "subject ::= [^|\\n\\t]+",
        f"modality ::= {_choice(_MODALITIES)}",
        f"object ::= {_choice(_OBJECTS)}",
        f"value ::= {' | '.join([_literal(_NO_VALUE), *spans])}",
    ]
    for n, piece in enumerate(pieces):
        if n + 1 == len(pieces) or "|" in (gap := text[piece.end() : pieces[n + 1].start()]):
            rest = ""
        else:
            rest = f" {_literal(gap)} v{n + 1}" if gap else f" v{n + 1}"
        may_end = piece[0][0].isalnum() or piece[0] in _ENDS
        rules.append(f"v{n} ::= {_literal(piece[0])}{f' ({rest} )?' if rest and may_end else rest}")
    return "\n".join(rules)


def _choice(words: Iterable[str]) -> str:
    return " | ".join(map(_literal, words))


def _literal(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def read_answer(
    answer: str, statement: Statement, title: str, project: str | None = None
) -> tuple[Norm, ...] | None:
    """The norms an answer gives for a statement, possibly none; None if it cannot be used at all."""
    answer = answer.strip()
    if answer == _NOTHING:
        return ()
    lines = [line.strip() for line in answer.split("\n")[:MOST_NORMS]]
    made: list[Norm] = []
    for line in lines:
        norm = _norm(line, statement, title, project)
        if norm is not None and norm not in made:
            made.append(norm)
    return tuple(made) or None


def _norm(line: str, statement: Statement, title: str, project: str | None) -> Norm | None:
    parts = [part.strip() for part in line.split(" | ")]
    if len(parts) != 4:
        return None
    modality, _, object = parts[2].rpartition(" ")
    if parts[0] not in _STANDINGS or modality not in _MODALITIES or object not in _OBJECTS:
        return None
    subject, kind = _subject(parts[1], statement, title)
    if not subject:
        return None
    value = _value(parts[3], statement.text)
    start, end, _ = validity_window(statement.text, statement.date)
    return Norm(
        subject,
        kind,
        _STANDINGS[parts[0]],
        _MODALITIES[modality],
        _OBJECTS[object],
        value,
        scope(statement.text, project),
        start,
        end,
        _change(statement.text, value),
        by="llama",
        # A small model errs too often to raise or clear a conflict on its own.
        sure=False,
        single=False,
    )


def _subject(written: str, statement: Statement, title: str) -> tuple[str, SubjectKind]:
    """The subject without words that appear neither in the statement nor around it; aspects ("price",
    "location") may be the model's own, but not the thing they describe."""
    here = bag(statement.text) | bag(statement.key or "")
    names = (*statement.heading, statement.parent or "", "" if DATE_TITLE.match(title) else readable(title))
    around = frozenset().union(*map(bag, names))
    kept = [
        word
        for word in written.split()
        if not bag(word) or _stems(word) <= here | around or _stems(word) <= GENERIC | LIGHT
    ]
    subject = tidy(" ".join(kept))
    stems = bag(subject) & (here | around)
    if not stems or is_pronoun(subject):
        return "", "MISSING"
    return subject, "PRESENT" if stems & here else "FUZZY"


def _stems(word: str) -> frozenset[str]:
    return frozenset(stem(w) for w in words(word))


def _value(written: str, text: str) -> str | None:
    """As written in the statement."""
    if written == _NO_VALUE or not written or len(written) > _LONGEST_VALUE:
        return None
    at = text.casefold().find(written.casefold())
    found = text[at : at + len(written)] if at >= 0 else ""
    return found if found.casefold() == written.casefold() else None


def _change(text: str, value: str | None) -> Change | None:
    if read := read_change(text):
        return read.change
    former = former_value(text)
    return Change(former, value) if former or announces_change(text) else None
