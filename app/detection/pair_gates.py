"""Which claims are worth comparing, and the gates between two of them."""

from __future__ import annotations

import re
from functools import lru_cache

from app.detection import gates
from app.detection.compare_norms import compare, same_subject
from app.detection.contrast import Contrast, contrast
from app.detection.norm_entry import Entry, entries, spoken_for
from app.reading.standing import standing
from app.reading.subjects import DATE_TITLE
from app.reading.tokens import bag
from app.words import Claim, Note, Standing

_FEWEST_WORDS = 3
_NO_CLAIM: frozenset[Standing] = frozenset({"asked", "hypothetical", "planned", "reported"})
_MOMENT: frozenset[Standing] = frozenset({"past", "logged"})
_BEGINS = re.compile(r"\b(?:since|from|as of|starting)\b", re.I)
_OWNER = re.compile(r"\b([A-Z][\w-]+)['’]s\b")
_WORD = re.compile(r"[\w-]+")
_ENTRY_DATE = re.compile(r"^\W*\d{4}-\d\d(?:-\d\d)?\W+")
_LETTERS = re.compile(r"[^\W\d_]{2,}")


@lru_cache(maxsize=50_000)
def how_held(claim: Claim) -> Standing:
    """How its note holds a claim, also where the rules found no norm in it."""
    held = [norm.standing for norm in claim.norms]
    if not held:
        s = claim.statement
        return standing(s, Note(s.path, "", claim.note))
    return "asserted" if "asserted" in held else held[0]


def worth_judging(claim: Claim) -> bool:
    """Does it say something that another statement could contradict?"""
    s = claim.statement
    if claim.status != "active" or claim.silent or claim.entity == "artifact" or s.quoted or s.struck:
        return False
    if len(_LETTERS.findall(s.text)) < _FEWEST_WORDS or not bag(s.text):
        return False
    return s.task != "open" and how_held(claim) not in _NO_CLAIM


def closed(a: Claim, b: Claim) -> tuple[str, str] | None:
    """The gate that silences a pair before it is judged, with its reason; a the older."""
    old, new = how_held(a), how_held(b)
    if old in _MOMENT:
        return "standing", f"the older one is {old}, not asserted"
    for held in (old, new):
        if held in _NO_CLAIM:
            return "standing", f"{held}, not asserted"
    x, y = spoken_for(a), spoken_for(b)
    for name, gate in gates.GATES.items():
        if name != "standing" and (reason := gate(x, y)):
            return name, reason
    if _takes_over(x, y) or _takes_over(y, x):
        return "time", "one ends where the other begins"
    if DATE_TITLE.match(a.note) and DATE_TITLE.match(b.note) and _differ(a, b) == "values":
        return "series", "values noted on different days"
    if _part_of(a, b):
        return "subject", "one speaks of a part of the other"
    if _owners(a) and _owners(b) and not (_names(a, _owners(b)) or _names(b, _owners(a))):
        return "scope", "each is somebody else's"
    return None


def _owners(claim: Claim) -> set[str]:
    """Whose something is, in so many words: "Ada's desk"."""
    return set(_OWNER.findall(claim.statement.text))


def _names(claim: Claim, owners: set[str]) -> bool:
    return bool(owners.intersection(_WORD.findall(claim.statement.text)))


def _takes_over(x: Entry, y: Entry) -> bool:
    return bool(x.norm.valid_until and not y.norm.valid_until and _BEGINS.search(y.claim.statement.text))


def _differ(a: Claim, b: Claim) -> Contrast:
    rows = "row" in (a.statement.form, b.statement.form)
    return contrast(spoken(a), spoken(b), counts=not rows)


def spoken(claim: Claim) -> str:
    """What a claim says, without the date that its line begins with: that is when, not what."""
    s = claim.statement
    return _ENTRY_DATE.sub("", s.text) if s.dated_by == "inline" else s.text


def _part_of(a: Claim, b: Claim) -> bool:
    """Both read for certain, and what one is about is named within the other's: the cold room in the shed."""
    for x in entries(a):
        for y in entries(b):
            if x.norm.sure and y.norm.sure and x.subject and y.subject:
                few, many = sorted((x.subject, y.subject), key=len)
                if few < many and len(many - few) > 1:
                    return True
    return False


def settled_by_structure(a: Claim, b: Claim) -> tuple[str, str] | None:
    """The rules compared what both say of one thing and found no contradiction in it: why."""
    said = [
        compare(x, y)
        for x in entries(a)
        for y in entries(b)
        if same_subject(x, y) and x.norm.sure and y.norm.sure
    ]
    agreed = (verdict for verdict in said if verdict.outcome in ("consistent", "coexist"))
    return next(((verdict.gate or "same value", verdict.detail) for verdict in agreed), None)


def dates_tell(a: Claim, b: Claim) -> bool:
    """Do the dates say which is older?"""
    return bool(a.statement.date and b.statement.date and a.statement.date != b.statement.date)
