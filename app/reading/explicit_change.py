"""Explicit change: "moved from X to Y", "no longer", "as of May", corrections."""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.calendar_names import SHORT_MONTHS, WEEKDAY_NAMES, one_of
from app.reading.main_clause import main_clause
from app.words import Change

_VERB = (
    r"(?:moved|moves|moving|switched|switches|changed|changes|migrated|went|goes|raised|rose|lowered|"
    r"increased|decreased|reduced|"
    r"cut|dropped|renamed|upgraded|downgraded|bumped|transferred|converted|shifted|relocated|extended|"
    r"shortened|rescheduled|postponed|up|down)"
)
_FROM_TO = re.compile(
    rf"^(?P<pre>.*?)\b(?:(?:has|have|had|is|are|was|were|been|being|"
    rf"got)\s+)*(?P<verb>{_VERB})\b(?P<obj>.*?)\s*\bfrom\s+(?P<was>.+?)\s+(?:over\s+)?(?:to|onto|"
    rf"into)\s+(?P<now>.+)$",
    re.I,
)
_TO = re.compile(
    r"^(?P<pre>.*?)\b(?:(?:has|have|had|is|are|was|were|been|being|got)\s+)*(?P<verb>moved|moves|"
    r"switched|switches|migrated|changed|renamed|upgraded|"
    r"rescheduled|postponed|shifted|relocated|raised|lowered|increased|reduced|extended|"
    r"bumped)\b(?P<obj>.*?)\s+(?:over\s+)?to\s+(?P<now>.+)$",
    re.I,
)
_REPLACED = re.compile(
    r"^(?P<pre>.*?)\b(?:replaced|swapped|substituted|exchanged)\s+(?P<was>.+?)\s+(?:with|for|"
    r"by)\s+(?P<now>.+)$",
    re.I,
)
# "Before" by itself is a time ("0087, before noon"); it indicates a former value in "before that", "before:"
# and after the value ("Ines, Rob before").
_WAS_ASIDE = re.compile(
    r"[(,;–-]\s*+(?:(?:it\s++)?(?:was|used to be|formerly|previously|before that:?|before:|up from|down from|"
    r"not)\s++(?P<was>[^(),;.]{1,30}?)\s*+(?:before|until [^)]*)?|"
    r"(?P<ahead>(?-i:[A-Z\d])[^\s(),;.]*)\s+before)"
    r"[).;\s]*+$",
    re.I,
)
_ENDED = re.compile(
    r"^(?P<pre>.*?)\b(?:no longer|stopped|quit|gave up|dropped|retired|scrapped|discontinued|got rid of)\s+"
    r"(?:(?:use|uses|using|run|runs|running|go|goes|going|work|works|working|on|at|with|to|in|for|the|a|an|our)\s+)*"
    r"(?P<was>.+)$",
    re.I,
)

# The statement itself says that something else held before, or that it sets the record straight.
CHANGE_CUE = re.compile(
    r"\b(?:no longer|not\b[^.;]*\bany ?more|any ?more|from now on|as of|as from|effective|"
    r"starting (?:from|in|on|with)?|since (?:then|last|this|the|\d|"
    rf"{one_of((*SHORT_MONTHS, *WEEKDAY_NAMES))})|"
    r"correction|corrected|actually|in fact|turns? out|scratch that|misread|mistyped|"
    r"mixed up|i was wrong|was wrong|my mistake|"
    r"not as i wrote|instead|replac(?:es|ed|ing)|supersed(?:es|ed|ing)|obsolete|deprecated|retired|"
    r"discontinued|decommissioned|"
    r"cancelled|canceled|called off|got rid of|stopped|gave up|abandoned|"
    r"scrapped|phased out|switched|moved|migrated|"
    r"changed|renamed|upgraded|downgraded|rescheduled|postponed|brought forward|pushed back|bumped|"
    r"raised|lowered|updated|revised|used to|formerly|previously)\b",
    re.I,
)
# Weaker words count only in the main clause; elsewhere they may be about anything.
_WEAK_CUE = re.compile(r"\b(?:now|these days|new|newly|gone|quit|ended|sold)\b", re.I)
# "is changed every 8,000 hours", "are moved weekly": a habit, not news.
_HABIT = re.compile(
    r"\b(?:is|are|gets?|be|being|must be|can be)\s+(?:always\s+|usually\s+)?(?:changed|moved|switched|"
    r"replaced|renamed|raised|lowered|updated|revised|upgraded)\b",
    re.I,
)
_LEAD = re.compile(
    r"^(?:correction|update|updated|edit|erratum|news|changed?)\b\s*(?:\([^)]*\))?\s*[:,–-]\s*", re.I
)
_TRIM = re.compile(
    r"^(?:the|a|an|our|my)\s+|(?:\s+(?:today|yesterday|last night|this (?:morning|week|month)|now|"
    r"again|finally|permanently|for good|as of .*|since .*|starting .*|from .*))+$",
    re.I,
)
# "Moved back from X", "switched over from X": the direction, not the thing.
_WHITHER = re.compile(r"\s+(?:back|over|away|again|up|down)\s*$", re.I)


@dataclass(frozen=True, slots=True)
class ChangeRead:
    """What a sentence says changed, from what and to what."""

    subject: str
    change: Change


def strip_lead(text: str) -> str:
    return _LEAD.sub("", text, count=1)


def _clean(part: str) -> str:
    part = re.split(
        r",(?!\d)|\.(?!\d)|[;(–—]| because | since | so that | so | and (?:then|we|i|it|that)\b| but |"
        r" which | after | when | until ",
        part,
        maxsplit=1,
    )[0]
    previous = None
    while part != previous:
        previous, part = part, _TRIM.sub("", part.strip())
    return part.strip(" .:;,")


def _subject(pre: str, obj: str) -> str:
    """What changed: the verb's object, or what stands before an intransitive verb."""
    obj = _clean(_WHITHER.sub("", obj))
    if obj:
        return obj
    pre = re.split(r"[,;:.]", pre)[-1]
    pre = re.sub(r"\b(?:we|i|they|he|she|it|just|now|today|finally|has|have|is|are)\b", " ", pre, flags=re.I)
    return _clean(" ".join(pre.split()))


def read_change(text: str) -> ChangeRead | None:
    """The explicit "from X to Y" of a sentence, if it has one."""
    for pattern in (_FROM_TO, _REPLACED, _TO):
        m = pattern.match(text)
        if not m:
            continue
        groups = m.groupdict()
        subject = _subject(groups.get("pre") or "", groups.get("obj") or "")
        now = _clean(groups["now"])
        was = _clean(groups["was"]) if groups.get("was") else None
        if not now or len(now.split()) > 6 or (was is not None and len(was.split()) > 6):
            continue
        if pattern is _REPLACED:
            subject = was or ""
        return ChangeRead(subject, Change(was, now))
    return None


def read_ending(text: str) -> ChangeRead | None:
    """ "We no longer use X", "stopped using X": something ended, and nothing is named in its place."""
    m = _ENDED.match(text)
    if not m:
        return None
    was = _clean(m["was"])
    if not was or len(was.split()) > 5:
        return None
    return ChangeRead(_subject(m["pre"], ""), Change(was, None))


def former_value(text: str) -> str | None:
    """A former value mentioned in passing: "owner: Ines (was Rob)"."""
    m = _WAS_ASIDE.search(text)
    return (m["was"] or m["ahead"]).strip() if m else None


def announces_change(text: str) -> bool:
    """Does the statement say in words that it replaces, corrects or ends something?"""
    text = _HABIT.sub(" ", text)
    return bool(CHANGE_CUE.search(text) or _WEAK_CUE.search(main_clause(text)) or _WAS_ASIDE.search(text))
