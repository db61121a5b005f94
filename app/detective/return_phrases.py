"""Does a line say in words that things are as they were: "back on X", "X again", "undid the move to Y"?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from app.detective.mentions import Heard, Hearing
from app.detective.story_words import token, topical, when
from app.reading.changes import progresses
from app.reading.tokens import words

_CLAUSE = re.compile(r"[;.:()–—]|,\s|\s-\s")
_RETURN = re.compile(r"\b(?:back|again|return(?:ed|s|ing)?|after all|reinstated|restored|revived)\b", re.I)
_UNDONE = re.compile(
    r"\b(?:revert(?:ed|s|ing)?|undid|undo(?:ne|es|ing)?|rollback|roll(?:ed|s|ing)?\s(?:\S+\s){0,5}?back|"
    r"backed out|unwound|reversed)\b",
    re.I,
)
# Behind the name of what had come: "GraphQL dropped", "the GraphQL experiment is over".
_GIVEN_UP = re.compile(
    r"\b(?:dropped|ditched|scrapped|binned|axed|shelved|abandoned|undone|given up|withdrawn|"
    r"(?:is|was|are|were)\s(?:over|out|off|history|dead|gone)|failed|"
    r"did(?: not|n['’]t) (?:work out|last|stick))\b",
    re.I,
)
# Who wishes, doubts or denies has not gone back.
_NOT_SO = re.compile(
    r"\b(?:not|never|no|nobody|want(?:s|ed)?|wish\w*|should|would|could|might|may(?=\s\w+\s(?:back|return))|maybe|"
    r"perhaps|plan\w*|hop(?:e|es|ing)|if|consider\w*)\b|n['’]t\b",
    re.I,
)
_NO_WORD = frozenset({"asked", "hypothetical", "planned"})


def sounds_back(heard: Heard) -> bool:
    """Could it tell of a return to anything? Without its names, so that few lines are looked at closely."""
    text = heard.text
    return bool(_RETURN.search(text) or _UNDONE.search(text) or _GIVEN_UP.search(text) or heard.endings)


def told_back(later: Heard, was: frozenset[str], now: frozenset[str]) -> bool:
    """It says that what came (`now`) is over, or that what was before (`was`) is there again."""
    if later.held in _NO_WORD:
        return False
    if any(was & e.now or (now & e.was and not was & e.was) for e in later.endings):
        return True
    for names, signs in ((was, (_RETURN, _UNDONE)), (now, (_UNDONE, _GIVEN_UP))):
        clause = clause_of(later, names)
        if clause and not _NOT_SO.search(_GIVEN_UP.sub(" ", clause)) and any(s.search(clause) for s in signs):
            if names is now:
                return _UNDONE.search(clause) is not None or _behind(clause, now)
            return _UNDONE.search(clause) is not None or progresses(later.text) or _beside(clause, was)
    return False


def tellers(
    hearing: Hearing, was: frozenset[str], now: frozenset[str], story: Sequence[Heard]
) -> Iterator[Heard]:
    """The lines since a change (the last of the story so far) that tell of the return. A day, a number or a
    common word may mean another thing in every line: what is no name has to share a word with the story."""
    since = story[-1].date
    names = frozenset().union(*(h.names for h in story)) & (was | now) - when(was | now)
    about = topical(frozenset().union(*(h.stems for h in story)) - was - now)
    seen: set[str] = set()
    for one in sorted(was | now):
        for heard in hearing.having(frozenset({one})):
            if heard.id in seen or heard.date <= since or not sounds_back(heard):
                continue
            seen.add(heard.id)
            if (names | about) & (heard.stems | heard.around) and told_back(heard, was, now):
                yield heard


def clause_of(heard: Heard, names: frozenset[str]) -> str:
    """The part of a statement that names it; nothing where none does."""
    for part in _CLAUSE.split(heard.text):
        if any(token(w) in names for w in words(part)):
            return part
    return heard.text if names & heard.stems else ""


def _beside(clause: str, was: frozenset[str]) -> bool:
    """ "back on X", "X again": the word of return belongs to X."""
    found = words(clause)
    places = [n for n, w in enumerate(found) if token(w) in was]
    turns = [n for n, w in enumerate(found) if _RETURN.fullmatch(w)]
    return any(abs(p - t) <= 2 for p in places for t in turns)


def _behind(clause: str, now: frozenset[str]) -> bool:
    """ "GraphQL dropped", and not "dropped frames in the GraphQL view"."""
    given_up = _GIVEN_UP.search(clause)
    return given_up is not None and any(token(w) in now for w in words(clause[: given_up.start()]))
