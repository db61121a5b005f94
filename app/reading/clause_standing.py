"""How the writer holds a clause (asserted, planned, reported, asked, hypothetical), and its tense."""

from __future__ import annotations

from collections.abc import Sequence

from app.reading.frame import ClauseStanding, Tense
from app.reading.parser import Parse, Token

_SAYING = frozenset(
    "say tell think believe reckon claim suggest argue insist mention warn swear guess feel hear".split()
) | {"suspect"}
_INTENDING = frozenset("plan want intend hope wish aim consider think dream try".split())
_DOUBTING = frozenset("maybe perhaps possibly probably eventually someday".split())
_HEARSAY = frozenset("apparently supposedly allegedly reportedly".split())
_UNREAL = frozenset({"would", "could", "might", "'d", "’d"})


def standing_of(parse: Parse, head: int, places: Sequence[int]) -> ClauseStanding:
    """How a clause is held, by its own words and those of the clause it is part of."""
    end = next((t.text for t in parse[head:] if t.text[-1:] in (".", "?", "!")), "")
    if end.endswith("?"):
        return "asked"
    above = parse[parse[head].head]
    if parse[head].dep == "ccomp" and above.lemma in _SAYING and not _by_writer(parse, parse[head].head):
        return "reported"
    own = [parse[p] for p in places]
    if any(t.lemma in _HEARSAY for t in own) or _according(own):
        return "reported"
    governs = {t.dep for t in parse if t.head == head}
    if parse[head].lemma in _SAYING and "ccomp" in governs and not _by_writer(parse, head):
        return "reported"
    denied = any(t.dep == "neg" for t in own)  # "we couldn't find it" is a fact
    unreal = _UNREAL - {"could"} if denied else _UNREAL
    if any(t.head == head and t.lemma in unreal and t.pos == "AUX" for t in own):
        return "hypothetical"
    if any(t.lemma in _DOUBTING for t in own):
        return "planned"
    if parse[head].lemma in _INTENDING and governs & {"xcomp", "pcomp", "prep"}:
        return "planned"
    return "planned" if parse[head].text.lower() in ("going", "gonna") and "xcomp" in governs else "asserted"


def _according(tokens: Sequence[Token]) -> bool:
    return any(t.lemma == "accord" and t.text.lower() == "according" for t in tokens)


def _by_writer(parse: Parse, verb: int) -> bool:
    return any(t.head == verb and t.dep == "nsubj" and t.lemma in ("i", "we") for t in parse)


def tense_of(parse: Parse, head: int, places: Sequence[int]) -> Tense:
    for p in places:
        if parse[p].head == head or p == head:
            if parse[p].tag == "VBD":
                return "past"
            if parse[p].lemma in ("will", "'ll", "’ll") and parse[p].pos == "AUX":
                return "future"
    return "present"
