"""Named reasons to stay silent about a pair; each gate is one question with a plain answer.

Subject, overlap, polarity and units are asked by `compare`, which has to work them out anyway; those here are
about how, where and when two things are said. A few need the whole thread to tell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from app.detection.norm_entry import Entry
from app.detection.slots import one_named_slot, scope_of
from app.reading.main_clause import main_clause
from app.reading.rule_words import GENERIC
from app.reading.tokens import bag, stem, words

Gate = Callable[[Entry, Entry], str | None]
ThreadGate = Callable[[Entry, Entry, Sequence[Entry]], str | None]
SERIES = 3
"""More values or notes than this are no disagreement of two."""
MANY_NOTES = 12
"""Of more notes than this, each speaks of its own thing even in words that could name a single one."""
SESSION_MINUTES = 30
_EXCEPTION = re.compile(
    r"\b(?:except(?:ion)?(?: for)?|unless|other than|apart from|aside from|but not|only if|only when|"
    r"only for)\b(?P<what>.*)",
    re.I,
)
_CONDITION = re.compile(
    r"\b(?:if|when|whenever|in case|as long as|during|while|on (?:holidays|weekends|weekdays))\b", re.I
)
# "Mirela decides when", "that's when they close": a "when" that names a moment sets no condition.
_NAMES_A_MOMENT = re.compile(r"(?:['’]s|\b(?:is|was|(?:know|decide|say|ask)s?|about))\s+$", re.I)
# "All day long if he feels like it": at all times. If he wants a late class, only then.
_AS_ONE_LIKES = re.compile(
    r"\s+(?:you|he|she|they|we|i|one)\s+(?:likes?|wants?(?: to)?|wish(?:es)?(?: to)?|feels? like it)"
    r"(?=\s*(?:$|[^\w\s]|(?:and|but|or)\b))",
    re.I,
)
RELEASE = re.compile(r"^v?\d+(?:\.\d+)+\w*$|\b(?:changelog|release notes|what'?s new)\b", re.I)
_COEXIST = re.compile(
    r"\b(?:also|as well|too|another|(?<!per )(?<!each )(?<!every )second(?= \w)|additional(?:ly)?|"
    r"plus|besides|alternatively|one of|some of|part of|backup|spare)\b",
    re.I,
)
_NAME = re.compile(r"[A-ZÀ-Þ][^\W\d_A-ZÀ-Þ]{2,}(?:['’]s)?")
"""IMDb and USB are no names here: they stand for a kind, each note may have its own."""
_QUALITIES = frozenset(
    """
    average mean median overall total main primary secondary first last final initial original current
    previous next new old actual official normal typical usual regular standard ideal best max maximum min
    minimum daily weekly monthly yearly annual net gross full half short long high low early late english
    german french spanish italian dutch european american british
    """.split()
)


def standing(a: Entry, b: Entry) -> str | None:
    for entry in (a, b):
        if entry.norm.standing != "asserted":
            return f"{entry.norm.standing}, not asserted"
    return None


def project(a: Entry, b: Entry) -> str | None:
    if a.claim.project and b.claim.project and a.claim.project.casefold() != b.claim.project.casefold():
        return f"different project: {a.claim.project} / {b.claim.project}"
    return None


def scope(a: Entry, b: Entry) -> str | None:
    left, right = scope_of(a), scope_of(b)
    for key in ("env", "version", "team", "tenant", "place", "person"):
        if key in left and key in right and left[key] != right[key]:
            return f"different {key}: {left[key]} / {right[key]}"
    return None


def release(a: Entry, b: Entry) -> str | None:
    """Notes named after versions speak of their version only."""
    left, right = (RELEASE.search(e.claim.note) for e in (a, b))
    if (left or right) and a.claim.statement.path != b.claim.statement.path:
        return "a note about one version"
    return None


def time(a: Entry, b: Entry) -> str | None:
    """Windows that do not touch, or one of the two was over when the other was written."""
    for x, y in ((a.norm, b.norm), (b.norm, a.norm)):
        if x.valid_until and y.valid_from and x.valid_until < y.valid_from:
            return f"different time: until {x.valid_until} / from {y.valid_from}"
    for old, new in ((a, b), (b, a)):
        if old.norm.valid_until and new.date and old.norm.valid_until < new.date:
            return f"ended on {old.norm.valid_until}"
    return None


def exception(a: Entry, b: Entry) -> str | None:
    for x, y in ((a, b), (b, a)):
        m = _EXCEPTION.search(x.claim.statement.text)
        if m and bag(m["what"]) & bag(y.claim.statement.text):
            return "a rule and its exception"
    return None


def condition(a: Entry, b: Entry) -> str | None:
    """Conditions that only one side has, or that differ, make two rules for two cases."""
    said_a, said_b = _condition(a), _condition(b)
    if said_a != said_b and not (
        said_a - a.subject - b.subject <= said_b and said_b - a.subject - b.subject <= said_a
    ):
        return "holds under a condition the other does not have"
    return None


def _condition(entry: Entry) -> frozenset[str]:
    """The words of the condition under which it holds."""
    text = entry.claim.statement.text
    if entry.claim.statement.form not in ("sentence", "bullet"):
        return frozenset()
    for m in _CONDITION.finditer(text):
        moment = m.group().lower() == "when" and _NAMES_A_MOMENT.search(text[: m.start()])
        if not moment and not _AS_ONE_LIKES.match(text, m.end()):
            return bag(text[m.end() :])
    return frozenset()


def coexist(a: Entry, b: Entry) -> str | None:
    for entry in (a, b):
        if _COEXIST.search(main_clause(entry.claim.statement.text)) and not a.norm.modality.endswith("not"):
            return "says itself that it is one of several"
    return None


def listed(a: Entry, b: Entry) -> str | None:
    """Neighbours in a list and repeated labels of one note list things rather than contradict."""
    s, t = a.claim.statement, b.claim.statement
    if s.path != t.path:
        return None
    if s.line == t.line:
        return "one and the same line"
    if s.form == "row" and t.form == "row" and s.heading == t.heading:
        return "rows of one table"
    if (
        s.listed
        and t.listed
        and s.heading == t.heading
        and s.parent == t.parent
        and abs(s.line - t.line) <= 3
    ):
        return "neighbours in one list"
    if a.keyed and b.keyed:
        return "one label used twice in a note"
    return None


def session(a: Entry, b: Entry) -> str | None:
    """What changes while one works at it is no contradiction; after the session it has to be said."""
    s, t = a.claim.statement, b.claim.statement
    if s.path != t.path or s.date != t.date or not s.time or not t.time:
        return None
    return "one working session" if abs(_minutes(s.time) - _minutes(t.time)) <= SESSION_MINUTES else None


def _minutes(clock: str) -> int:
    hours, minutes = clock.split(":")
    return int(hours) * 60 + int(minutes)


def series(a: Entry, b: Entry) -> str | None:
    """ "Mood: 8", "Home: soup": the labelled lines of a diary speak of their day."""
    if not a.titled and not b.titled and a.keyed and b.keyed and len(a.subject) == 1:
        return "labelled lines of a diary"
    return None


def readings(a: Entry, b: Entry, thread: Sequence[Entry]) -> str | None:
    """Many days with a value each are a series too; many values of one day are not."""
    everyone = [*thread, a]
    dated = [e for e in everyone if e.claim.statement.dated_by in ("daily", "inline") and e.norm.value]
    distinct = {(e.norm.value or "").casefold() for e in dated}
    days = {e.date for e in dated}
    if len(days) > SERIES and len(distinct) > SERIES and len(dated) * 4 >= len(everyone) * 3:
        return f"{len(days)} readings on different days"
    return None


def own_thing(a: Entry, b: Entry, thread: Sequence[Entry]) -> str | None:
    """The same words are used for each note's own thing ("The cooking time is …" in every recipe)."""
    if not (a.titled and b.titled) or a.claim.statement.path == b.claim.statement.path:
        return None
    if _for_all(a, b):
        return None
    said = [e for e in (*thread, a) if e.titled]
    notes = {e.claim.statement.path for e in said}
    values = {(e.norm.value or e.norm.modality).casefold() for e in said}
    # A key speaks of the thing at hand, whatever it is called: most such notes are filled-in templates.
    one_thing = (particular(a) or particular(b)) and not (a.keyed and b.keyed)
    if len(notes) > (MANY_NOTES if one_thing else SERIES) and len(values) > 2:
        return f"{len(notes)} notes say it, each of its own thing"
    return None


def _for_all(a: Entry, b: Entry) -> bool:
    """One of them speaks for the other too: it is canon or of a higher layer, or both notes name one slot."""
    layers = {a.claim.layer, b.claim.layer}
    return len(layers) > 1 or "state" in layers or one_named_slot(a, b)


def particular(entry: Entry) -> bool:
    """Its subject names one thing wherever it stands: by a name, or two telling words ("garage door code").

    One telling word beside an aspect ("cooking time", "oven temperature") leaves open whose it is.
    """
    found = [w for w in words(entry.norm.subject) if stem(w) in entry.subject and _telling(w)]
    opening = words(entry.claim.statement.text)[:1]  # its capital says nothing
    names = [w for w in found if _NAME.fullmatch(w) and ([w] != opening or w.endswith(("'s", "’s")))]
    return bool(names) or len({stem(w) for w in found}) > 1


def _telling(word: str) -> bool:
    """Names a thing, rather than an aspect or a quality of one, or what is done with it."""
    plain = word.lower()
    done = len(word) > 5 and plain.endswith(("ing", "ed"))
    return not done and plain not in _QUALITIES and stem(word) not in GENERIC and any(map(str.isalpha, word))


GATES: dict[str, Gate] = {
    "standing": standing,
    "project": project,
    "scope": scope,
    "release": release,
    "time": time,
    "exception": exception,
    "condition": condition,
    "list": listed,
    "session": session,
    "series": series,
}
THREAD_GATES: dict[str, ThreadGate] = {"series": readings, "own thing": own_thing}
"""What shows only among all that is said of one subject."""


def silent(a: Entry, b: Entry) -> tuple[str, str] | None:
    """The first gate that closes, with its reason."""
    for name, gate in GATES.items():
        reason = gate(a, b)
        if reason:
            return name, reason
    return None


def silent_among(a: Entry, b: Entry, thread: Sequence[Entry]) -> tuple[str, str] | None:
    """The same, of the gates that look at the thread of a, all else that is said of its subject."""
    for name, gate in THREAD_GATES.items():
        reason = gate(a, b, thread)
        if reason:
            return name, reason
    return None
