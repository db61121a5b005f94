"""Phrases that say things are as they were: "back on X", "X again", "undid the move to Y"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from app.detective.mentions import Mention, MentionIndex
from app.detective.story_words import days_and_numbers, token, topical
from app.reading.explicit_change import announces_change
from app.reading.tokens import words

_CLAUSE = re.compile(r"[;.:()–—]|,\s|\s-\s")
_RETURN = re.compile(r"\b(?:back|again|return(?:ed|s|ing)?|after all|reinstated|restored|revived)\b", re.I)
_UNDONE = re.compile(
    r"\b(?:revert(?:ed|s|ing)?|undid|undo(?:ne|es|ing)?|rollback|roll(?:ed|s|ing)?\s(?:\S+\s){0,5}?back|"
    r"backed out|unwound|reversed)\b",
    re.I,
)
# After the name of the replacement: "GraphQL dropped", "the GraphQL experiment is over".
_GIVEN_UP = re.compile(
    r"\b(?:dropped|ditched|scrapped|binned|axed|shelved|abandoned|undone|given up|withdrawn|"
    r"(?:is|was|are|were)\s(?:over|out|off|history|dead|gone)|failed|"
    r"did(?: not|n['’]t) (?:work out|last|stick))\b",
    re.I,
)
# A wish, a doubt or a denial is not a return.
_NOT_SO = re.compile(
    r"\b(?:not|never|no|nobody|want(?:s|ed)?|wish\w*|should|would|could|might|may(?=\s\w+\s(?:back|return))|maybe|"
    r"perhaps|plan\w*|hop(?:e|es|ing)|if|consider\w*)\b|n['’]t\b",
    re.I,
)
_NO_WORD = frozenset({"asked", "hypothetical", "planned"})


def may_tell_return(mention: Mention) -> bool:
    """Could it announce a return to anything? Ignores names, so that few lines need a closer look."""
    text = mention.text
    return bool(_RETURN.search(text) or _UNDONE.search(text) or _GIVEN_UP.search(text) or mention.endings)


def tells_return(later: Mention, was: frozenset[str], now: frozenset[str]) -> bool:
    """Does it say that the replacement (`now`) is over, or that the former thing (`was`) is back?"""
    if later.held in _NO_WORD:
        return False
    if any(was & e.now or (now & e.was and not was & e.was) for e in later.endings):
        return True
    for names, signs in ((was, (_RETURN, _UNDONE)), (now, (_UNDONE, _GIVEN_UP))):
        clause = clause_of(later, names)
        if clause and not _NOT_SO.search(_GIVEN_UP.sub(" ", clause)) and any(s.search(clause) for s in signs):
            if names is now:
                return _UNDONE.search(clause) is not None or _behind(clause, now)
            return _UNDONE.search(clause) is not None or announces_change(later.text) or _beside(clause, was)
    return False


def mentions_of_return(
    mentions: MentionIndex, was: frozenset[str], now: frozenset[str], story: Sequence[Mention]
) -> Iterator[Mention]:
    """The lines since a change (the last of the story so far) that announce a return. A day, a number or a
    common word may mean something else in every line: a line without a name must share a word with the
    story."""
    since = story[-1].date
    names = frozenset().union(*(h.names for h in story)) & (was | now) - days_and_numbers(was | now)
    about = topical(frozenset().union(*(h.stems for h in story)) - was - now)
    seen: set[str] = set()
    for one in sorted(was | now):
        for mention in mentions.with_tokens(frozenset({one})):
            if mention.id in seen or mention.date <= since or not may_tell_return(mention):
                continue
            seen.add(mention.id)
            if (names | about) & (mention.stems | mention.around) and tells_return(mention, was, now):
                yield mention


def clause_of(mention: Mention, names: frozenset[str]) -> str:
    """The clause of a statement that names it; empty if none does."""
    for part in _CLAUSE.split(mention.text):
        if any(token(w) in names for w in words(part)):
            return part
    return mention.text if names & mention.stems else ""


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
