"""Words, stems and the bags of content words by which subjects are recognised."""

from __future__ import annotations

import re
from functools import lru_cache

import snowballstemmer

WORD = re.compile(r"[^\W_][\w'’./@+&-]*[^\W_]|[^\W_]", re.UNICODE)
_STEMMER = snowballstemmer.stemmer("english")

# Words without a subject: dropping one never changes what a sentence is about.
STOP = frozenset(
    """
    a an the this that these those my our your its his her their we i you he she it they us me them is
    are was were be been being am do does did has have had having will would shall can could of to in on
    at for by with from as into onto per via about around over under up out off than then and or but so
    if when while because also just only really very quite please still already now currently always
    usually generally normally all any every each some such both either same own there here which who
    whom whose what where how why not no never none must should may might need needs ought cannot don't
    doesn't isn't aren't get gets got set sets make makes made take takes one's ok okay fine note
    reminder today approximately approx roughly exactly
    """.split()
)  # fmt: skip


# Spellings, short forms and irregular words, by the word they stand for.
_SAME = {
    word: held
    for held, _, wordlist in (
        entry.strip().partition(":")
        for entry in """
    production: prod; staging: stg; development: dev; database: db; password: pw pwd; code: passcode
    pin; phone: tel telephone; wifi: wi-fi; email: e-mail mail; repository: repo; application: app;
    child: kids children; person: people persons; man: men; woman: women; foot: feet; mother: mum mom;
    father: dad; standup: stand-up; deploy: deployment deployments; own: owner owners ownership owned;
    keep: kept; hold: held; buy: bought; pay: paid; go: went; run: ran; allergy: allergic; request: req
    reqs; configuration: config; authentication: auth; administrator: admin; documentation: docs;
    minute: mins; second: secs; hour: hrs; medication: meds; prefer: preference; start: begin begins
    beginning; end: finish finishes ends; max: maximum; min: minimum; expire: expiry expiration;
    license: licences licence; tire: tyre tyres; color: colour colours; gray: grey; center: centre;
    meter: metre; liter: litre
    """.split(";")
    )
    for word in wordlist.split()
}


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A stable key for a word: case, possessive, plural, spelling and common short forms folded."""
    word = word.lower().replace("’", "'")
    for tail in ("'s", "s'", "'"):
        if word.endswith(tail) and len(word) > len(tail) + 1:
            word = word[: -len(tail)] if tail != "s'" else word[:-1]
            break
    word = _SAME.get(word, word)
    if any(c.isdigit() for c in word) or (not word.isascii() and not word.isalpha()):
        return word
    out: str = _STEMMER.stemWord(word)
    # Porter leaves "allerg"/"allergi" and "stor"/"store" apart; a final soft vowel makes no difference.
    return out[:-1] if len(out) > 4 and out[-1] in "iey" else out


# Verbs and nouns that only carry a value; a difference in them alone does not make another subject.
LIGHT = frozenset(
    stem(word)
    for word in """
    keep kept hold held last run go come work take stand sit live stay lie equal count amount number
    value figur be become remain cost charg pay price measur weigh use retent durat period length long
    done happen schedul restrict includ contain provid give return list name call locat base host situat
    place when who what note detail comment info descript current
    """.split()
)


def words(text: str) -> list[str]:
    return WORD.findall(text)


@lru_cache(maxsize=65536)
def bag(text: str) -> frozenset[str]:
    """The stems of the content words of a text."""
    return frozenset(s for w in words(text) if w.lower() not in STOP and (s := stem(w)))
