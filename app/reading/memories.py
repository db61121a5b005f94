"""What notes say about a person: who they are and what they prefer, as slots with one answer at a time.

Most facts about a person can coexist with others: a nurse may be a mother, and someone who likes tea may like
coffee. So only what surely excludes something is read here, and only if the sentence says nothing more: "I
prefer tea in the evening" leaves room for coffee. What happened to a person has no slot.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from app.reading.rule_words import FAVOURITES, PREFERENCES, TRADES
from app.reading.subjects import DATE_TITLE, is_plain_heading, proper, readable, subject_bag
from app.reading.tokens import bag, stem, words
from app.words import Norm, Note, Statement

MemoryType = Literal["identity", "preference", "memory"]

# People have one of each; "my sister" and "my friend" may be two.
_KIN = "mother|mum|mom|father|dad|wife|husband|spouse|partner"
_NAME = r"[A-ZÀ-Þ][\w-]+(?: [A-ZÀ-Þ][\w-]+)?"
_WHO = rf"(?P<who>I|[Mm]y (?:{_KIN})|{_NAME})"
_STILL = r"(?:(?:now|still|currently)\s+)?"
_WORDS = r"[\w+-]+(?: [\w-]+)?"
_AM = re.compile(
    rf"^{_WHO}(?:['’]m|\s+{_STILL}(?:am|is|works? as))\s+{_STILL}(?:a|an)\s+(?P<what>[a-z]+(?: [a-z]+)?)"
    r"(?: by (?:profession|trade))?$"
)
_JOB = re.compile(
    rf"^(?:[Mm]y|(?P<who>{_NAME})['’]s) (?:job|occupation|profession) is {_STILL}(?:an? )?"
    r"(?P<what>[a-z]+(?: [a-z]+)?)$"
)
_PREFERS = re.compile(
    rf"^(?:{_WHO}\s+{_STILL}(?P<verb>prefers?|likes?|uses?)|(?P<alone>[Pp]refers|[Ll]ikes|[Uu]ses))\s+"
    rf"(?:the\s+)?(?P<what>{_WORDS})"
    rf"(?:\s+(?:over|to|rather than|instead of)\s+(?:the\s+)?(?P<than>{_WORDS}))?$"
)
_FAVOURITE = re.compile(
    rf"^(?:[Mm]y|(?P<who>{_NAME})['’]s)\s+favou?rite\s+(?P<noun>[a-z]+(?: [a-z]+)?)\s+is\s+{_STILL}"
    r"(?:(?:the|a|an)\s+)?(?P<what>[^\s,;:()]+(?: [^\s,;:()]+){0,3})$"
)
_NOBODY = frozenset(
    """
    it he she they this that these those there here which who one someone somebody everyone everybody nobody
    anyone something everything nothing today tomorrow another most many some each all you we what the a an
    """.split()
)
_MORE = re.compile(
    r"\b(?:and|or|also|both|either|probably|not|when|if|because|that|by|for|with|in|at|on|to|of)\b", re.I
)
_EXPLAINED = re.compile(r"^\W*(?:not\b(?! \w+ly\b| always\b)|because\b|since\b|so\b(?! far\b)|it\b)", re.I)
_PAGES = frozenset(
    stem(word)
    for word in """
    me myself about profile preference self bio person memory handbook notebook journal diary page setting
    taste like dislike favourite habit personal people team colleague contact family friend household staff
    """.split()
)
"""Pages and headings about people in general, not about one occasion or thing."""
_TAKEN_OVER = frozenset({"url", "source", "source_url", "original", "channel", "author", "publisher"})
"""Properties of a note copied from elsewhere: its "I" is someone else."""
_OCCUPATION = "occupation"
_OCCUPATION_STEM, _FAVOURITE_STEM = stem(_OCCUPATION), stem("favourite")


def identity_or_preference(clause: str, text: str) -> Norm | None:
    """The identity or preference that a sentence states unconditionally; `text` is the whole sentence."""
    rest = text.strip(" .!").removeprefix(clause)
    if rest and not _EXPLAINED.match(rest):
        return None  # "I prefer tea, at least in the evening"
    return _occupation(clause) or _preference(clause) or _favourite(clause)


def exclude(a: Norm, b: Norm) -> bool:
    """Do two answers to one identity or preference exclude each other?"""
    x, y = (a.value or "").lower(), (b.value or "").lower()
    kinds = memory_type(a), memory_type(b)
    if kinds == ("identity", "identity"):
        one, other = TRADES.get(x), TRADES.get(y)
        return one is not None and other is not None and one != other
    if kinds != ("preference", "preference"):
        return False
    if _is_favourite(a) and _is_favourite(b):
        return True
    if any(x in known.choices and y in known.choices for known in PREFERENCES.values()):
        return True
    # "Rust over Go", "Go over Rust": each names what the other gives up.
    return bool(bag(x) and bag(y)) and bag(x) <= bag(b.subject) and bag(y) <= bag(a.subject)


def memory_type(norm: Norm) -> MemoryType:
    """Identities and preferences have slots of their own."""
    if norm.object == "prefers":
        return "preference"
    named = norm.object == "equals" and _OCCUPATION_STEM in bag(norm.subject)
    return "identity" if named else "memory"


def placed_memory(norm: Norm, statement: Statement, note: Note) -> Norm:
    """Add whose it is, and for what. In a daily note and on a page about people it holds as written; in any
    other note it is about that note's subject: what one prefers at breakfast, who someone is in a novel."""
    if not norm.single or memory_type(norm) == "memory":
        return norm
    around = [name for name in _around(statement, note) if not bag(name) <= bag(norm.subject)]
    if norm.subject_kind == "MISSING":  # "Prefers tabs."
        if not around and DATE_TITLE.match(note.title):
            return replace(norm, subject_kind="FUZZY", sure=False)  # of somebody met that day
        whose = around.pop(0) if around else "my"
        norm = replace(norm, subject=f"{whose} {norm.subject}", subject_kind="PRESENT")
    if "self" in subject_bag(norm.subject) and any(k.lower() in _TAKEN_OVER for k, _ in note.properties):
        return replace(norm, single=False)
    return replace(norm, subject=" ".join((norm.subject, *around)))


def _around(statement: Statement, note: Note) -> Iterator[str]:
    """What the note is about at this point, besides people in general."""
    for name in dict.fromkeys((note.title, *statement.heading, statement.parent or "")):
        if not DATE_TITLE.match(name) and not is_plain_heading(name) and not bag(name) <= _PAGES:
            yield readable(name).rstrip(":")


def _occupation(clause: str) -> Norm | None:
    m = _AM.match(clause) or _JOB.match(clause)
    whose = _whose(m["who"]) if m else None
    if not m or whose is None or m["what"] not in TRADES:
        return None
    return Norm(f"{whose} {_OCCUPATION}", object="equals", value=m["what"], single=True)


def _preference(clause: str) -> Norm | None:
    m = _PREFERS.match(clause)
    whose = _whose(m["who"]) if m and m["who"] else ""
    if not m or whose is None:
        return None
    what, than, verb = m["what"], m["than"], (m["verb"] or m["alone"]).lower()
    prefers = verb.startswith("prefer")
    known = _known(what, settings=not prefers)
    other = _known(than, settings=False) if than else None
    if known is not None and (than is None or (other is not None and other[0] == known[0])):
        aspect, value = known
    elif than and prefers and _two_names(what, than):
        aspect, value = " or ".join(sorted((what, than), key=str.lower)), what
    else:
        return None
    # What one uses need not be what one prefers.
    subject = f"{whose} {aspect} {'setting' if verb.startswith('use') else 'preference'}".strip()
    return Norm(subject, "PRESENT" if whose else "MISSING", object="prefers", value=value, single=True)


def _known(what: str, *, settings: bool) -> tuple[str, str] | None:
    """The aspect this is a choice for, and the choice."""
    value, _, head = what.partition(" ")
    for aspect, known in PREFERENCES.items():
        if value.lower() not in known.choices or (settings and not (known.setting and known.heads)):
            continue
        if head.lower() in known.heads if head else known.bare and not settings:
            return aspect, value
    return None


def _two_names(what: str, than: str) -> bool:
    """Names mean the same in every note; "A over B", "red over blue", "this over that" do not."""
    return not bag(what) & bag(than) and all(
        word.isalpha() and len(word) > 1 and proper(word) for name in (what, than) for word in words(name)
    )


def _favourite(clause: str) -> Norm | None:
    m = _FAVOURITE.match(clause)
    whose = _whose(m["who"] or "I") if m else None
    if not m or whose is None or _MORE.search(m["noun"]):
        return None
    one = not _MORE.search(m["what"]) and bool(bag(m["noun"]) & FAVOURITES)
    return Norm(f"{whose} favourite {m['noun']}", object="prefers", value=m["what"], single=one, sure=one)


def _is_favourite(norm: Norm) -> bool:
    return _FAVOURITE_STEM in bag(norm.subject)


def _whose(who: str | None) -> str | None:
    """None if it is nobody in particular."""
    if who in (None, "I"):
        return "my"
    return None if {word.lower() for word in who.split()} & _NOBODY else who
