"""Words, stems and the bags of content words by which subjects are recognised."""

from __future__ import annotations

import re
from functools import lru_cache

import snowballstemmer

WORD = re.compile(r"[^\W_][\w'’./@+&-]*[^\W_]|[^\W_]", re.UNICODE)
_STEMMER = snowballstemmer.stemmer("english")

# Words that carry no subject: dropping one never changes what a sentence is about.
STOP = frozenset(
    """a an the this that these those my our your its his her their we i you he she it they us me them
    is are was were be been being am do does did has have had having will would shall can could
    of to in on at for by with from as into onto per via about around over under up out off than then
    and or but so if when while because also just only really very quite please still already now currently
    always usually generally normally all any every each some such both either same own
    there here which who whom whose what where how why
    not no never none must should may might need needs ought cannot don't doesn't isn't aren't
    get gets got set sets make makes made take takes one's ok okay fine note reminder today
    approximately approx roughly exactly""".split()
)  # fmt: skip

# Verbs and nouns that only carry a value; a difference in them alone does not make another subject.
LIGHT = frozenset(
    """keep kept hold held last run go come work take stand sit live stay lie
    equal count amount number value figur be become remain cost charg pay price measur weigh
    use retent durat period length long done happen schedul
    restrict includ contain provid give return list name call
    locat base host situat place when who what note detail comment info descript current""".split()
)  # fmt: skip

_SAME = {
    "prod": "production", "stg": "staging", "dev": "development", "db": "database", "pw": "password",
    "pwd": "password", "passcode": "code", "pin": "code", "tel": "phone", "telephone": "phone", "wi-fi": "wifi",
    "e-mail": "email", "mail": "email", "repo": "repository", "app": "application", "kids": "child",
    "children": "child", "people": "person", "persons": "person", "men": "man", "women": "woman", "feet": "foot",
    "mum": "mother", "mom": "mother", "dad": "father", "stand-up": "standup", "deployment": "deploy",
    "deployments": "deploy", "owner": "own", "owners": "own", "ownership": "own", "kept": "keep", "held": "hold",
    "bought": "buy", "paid": "pay", "went": "go", "ran": "run", "allergic": "allergy", "req": "request",
    "reqs": "request", "config": "configuration", "auth": "authentication", "admin": "administrator",
    "docs": "documentation", "mins": "minute", "secs": "second", "hrs": "hour", "meds": "medication",
    "preference": "prefer", "begin": "start", "begins": "start", "beginning": "start", "finish": "end", "finishes": "end",
    "ends": "end", "maximum": "max", "minimum": "min", "expiry": "expire", "expiration": "expire", "licences": "license", "owned": "own", "tyre": "tire", "tyres": "tire", "colour": "color", "colours": "color",
    "grey": "gray", "licence": "license", "centre": "center", "metre": "meter", "litre": "liter",
}  # fmt: skip


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A stable key for a word: case, possessive, plural, spelling and common short forms folded."""
    word = word.lower().replace("’", "'")
    for tail in ("'s", "s'", "'"):
        if word.endswith(tail) and len(word) > len(tail) + 1:
            word = word[: -len(tail)] if tail != "s'" else word[:-1]
            break
    word = _SAME.get(word, word)
    if any(c.isdigit() for c in word) or not word.isascii() and not word.isalpha():
        return word
    out: str = _STEMMER.stemWord(word)
    # Porter leaves "allerg"/"allergi" and "stor"/"store" apart; the last soft vowel decides nothing.
    return out[:-1] if len(out) > 4 and out[-1] in "iey" else out


def words(text: str) -> list[str]:
    return WORD.findall(text)


def bag(text: str) -> frozenset[str]:
    """The stems of the content words of a text; hyphenated compounds count as their parts too close to tell."""
    return frozenset(s for w in words(text) if w.lower() not in STOP and (s := stem(w)))


def strong(stems: frozenset[str]) -> frozenset[str]:
    return stems - LIGHT
