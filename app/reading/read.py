"""From a statement to its reading: prose by its parse; keys, fields and rows as subject and value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from app.reading.clauses import frames_of
from app.reading.frame import Amount, Demand, Frame, Reading, Word
from app.reading.parser import LONGEST, Parse
from app.reading.quantities import Quantity, quantities
from app.reading.subjects import DATE_TITLE, readable
from app.words import Claim, Statement

_KEYED = re.compile(r"^(?P<key>[^:?!.;]{1,60}?)\s*(?:::?\s+|\s=\s|\s(?:→|->|=>)\s)(?P<value>\S.*)$", re.S)
_LINK = re.compile(r"!?\[\[[^\]\n]{0,400}+\]\]|\[[^\]\n]{0,400}+\]\([^)\n]{0,2000}+\)")
_WORDS = re.compile(r"[^\W\d_]{2,}")
_LABELS = frozenset(
    {"note", "nb", "fyi", "reminder", "update", "decision", "rule", "answer", "todo", "correction"}
)
_MOST_CELLS = 8
_MOST_AMOUNTS = 12
_LONGEST_CONTEXT = 80
_COUNTED = frozenset({"count", "percent"})


class Segment(NamedTuple):
    """A stretch of text to parse, and the key that says what it is about."""

    key: str
    text: str
    offset: int
    """Where the text begins in the statement; -1 for a cell."""


def segments(statement: Statement) -> tuple[Segment, ...]:
    """The parts of a statement that are parsed separately."""
    if statement.form == "row" and statement.key and len(statement.cells) > 1:
        return tuple(
            Segment(f"{statement.key} {head}".strip(), cell, -1)
            for head, cell in statement.cells[1 : _MOST_CELLS + 1]
            if any(c.isalnum() for c in cell)
        )
    text = statement.text
    if statement.form in ("field", "property") and statement.key:
        value = text.split(":", 1)[1].strip(": ") if ":" in text else text
        return (Segment(re.sub(r"[_-]", " ", statement.key), value, text.find(value)),)
    keyed = _KEYED.match(text)
    if keyed and len(keyed["key"].split()) <= 7 and not keyed["value"].startswith("//"):
        key = keyed["key"].strip(" *_`")
        if key.lower() in _LABELS:
            return (Segment("", keyed["value"], keyed.start("value")),)
        return (Segment(key, keyed["value"], keyed.start("value")),)
    return (Segment("", text, 0),)


def contexts(claim: Claim) -> tuple[str, tuple[str, ...]]:
    """The note's title, if it names a thing, and the headings and parent bullet of a claim."""
    s = claim.statement
    title = "" if DATE_TITLE.match(claim.note) else readable(claim.note)[:_LONGEST_CONTEXT]
    above = [h for h in s.heading if not DATE_TITLE.match(h) and h != title]
    around = (*above[-2:], *((s.parent.rstrip(":"),) if s.parent else ()))
    return title, tuple(part[:_LONGEST_CONTEXT] for part in around)


def texts_to_parse(claim: Claim) -> Iterator[str]:
    title, around = contexts(claim)
    if title:
        yield title
    yield from around
    for segment in segments(claim.statement):
        if segment.key:
            yield segment.key
        yield segment.text


def read(claim: Claim, parses: Mapping[str, Parse]) -> Reading:
    """The reading of a claim from the parses of its texts."""
    title, around = contexts(claim)
    frames = [frame for segment in segments(claim.statement) for frame in _of_segment(segment, parses)]
    return Reading(
        tuple(frames),
        _plain_words(parses.get(title, ())),
        tuple(word for text in around for word in _plain_words(parses.get(text, ()))),
    )


def _plain_words(parse: Parse) -> tuple[Word, ...]:
    return tuple(replace(w, start=-1) for frame in frames_of(parse) for w in frame.words)


def _of_segment(segment: Segment, parses: Mapping[str, Parse]) -> Iterator[Frame]:
    made = frames_of(parses.get(segment.text, ()))
    found = [q for q in quantities(segment.text[:LONGEST]) if not q.label][:_MOST_AMOUNTS]
    made = tuple(_with_amounts(frame, segment.text, found, len(made) == 1) for frame in made)
    if not segment.key:
        yield from made
        return
    key = parses.get(segment.key, ())
    about = tuple(replace(w, role="subject", start=-1) for frame in frames_of(key) for w in frame.words)
    denied = any(frame.negated for frame in frames_of(key))
    demanded: Demand = next((frame.demand for frame in frames_of(key) if frame.demand), "")
    for frame in made or (Frame(()),):
        verbless = not frame.predicate and not frame.has_subject
        value = tuple(replace(w, role="complement") if w.role == "topic" else w for w in frame.words)
        amounts = tuple(replace(a, role="complement", of=a.of or _head(about)) for a in frame.amounts)
        yield replace(
            frame,
            words=about + (value if verbless else frame.words),
            amounts=amounts if verbless else frame.amounts,
            negated=frame.negated != denied,
            demand=frame.demand or demanded,
            has_subject=True,
        )


def _head(words: Sequence[Word]) -> str:
    return words[-1].lemma if words else ""


def _with_amounts(frame: Frame, text: str, found: Iterable[Quantity], whole: bool) -> Frame:
    """Words inside a quantity become an amount of their frame."""
    starts = [w.start for w in frame.words if w.start >= 0]
    words, amounts = list(frame.words), []
    for q in found:
        inside = [w for w in words if q.start <= w.start < q.end]
        if not inside and not whole and not (starts and min(starts) <= q.start <= max(starts)):
            continue
        first = inside[0] if inside else None
        counted = _counted(frame, q.end) if q.dimension in _COUNTED else ""
        role = first.role if first else "complement"
        amounts.append(Amount(q, role, counted or (first.of if first else ""), text[q.start : q.end].strip()))
        words = [w for w in words if w not in inside]
    for word in [w for w in words if w.lemma == "one" and w.sort == "amount"]:
        end = word.start + len("one")
        single = Quantity(word.start, end, "count", 1.0, 1.0)
        amounts.append(Amount(single, word.role, _counted(frame, end), "one"))
        words.remove(word)
    return replace(frame, words=tuple(words), amounts=tuple(amounts)) if amounts else frame


def _counted(frame: Frame, end: int) -> str:
    """The noun right after a number."""
    after = [w for w in frame.words if end <= w.start <= end + 24 and w.sort in ("noun", "name")]
    return after[0].lemma if after else ""


def _lists_links(quote: str) -> bool:
    """A line of a table of contents: links and little else."""
    links = len(_LINK.findall(quote))
    return links > 0 and len(_WORDS.findall(_LINK.sub(" ", quote))) <= 2 * (links - 1)


def comparable(claim: Claim, reading: Reading) -> bool:
    """Does it say something that another statement could contradict?"""
    s = claim.statement
    if claim.status != "active" or claim.silent or claim.entity == "artifact" or s.quoted or s.struck:
        return False
    if _lists_links(s.quote):
        return False
    return any(
        len(frame.words) + len(frame.amounts) + any(word.start < 0 for word in frame.words) > 1
        for frame in reading.frames
    )
