"""Reversals by subject and value: X, an explicit change to Y, X again with no word of a change back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from app.guard.candidates import ClaimIndex
from app.guard.compare import same_subject
from app.guard.entry import Entry
from app.guard.find import order
from app.guard.question import question
from app.guard.slots import conflict_slot
from app.guard.values import compare_values
from app.normalize.subjects import subject_bag
from app.normalize.tokens import LIGHT
from app.words import Change, Finding, Reason

_SPOKEN = ("asserted", "logged")


def turns(index: ClaimIndex, touched: Iterable[str] | None = None) -> list[Finding]:
    """Reversals in the threads of the touched claims (default: all)."""
    ids = sorted(index.ids() if touched is None else {i for i in touched if index.entries_of(i)})
    found: dict[tuple[str, ...], Finding] = {}
    seen: set[Entry] = set()
    for claim_id in ids if touched is None else index.ids():
        for entry in index.entries_of(claim_id):
            if (
                entry.norm.change is not None
                and entry.norm.value
                and entry.norm.single
                and entry.date
                and entry.norm.standing in _SPOKEN
                and entry not in seen
            ):
                seen.add(entry)
                arc = _reversal(index, entry)
                if arc is not None and (touched is None or set(arc.members) & set(ids)):
                    found[arc.members] = arc
    return [found[members] for members in sorted(found)]


def thread(index: ClaimIndex, entry: Entry) -> list[Entry]:
    """Everything said about one subject, oldest first."""
    return sorted([entry, *(e for e in index.candidates(entry) if same_subject(entry, e))], key=order)


def _spoken(index: ClaimIndex, change: Entry, value: str | None) -> list[Entry]:
    """Claims that say of the changed thing just what the change names, in whatever form: "done by hand"."""
    if not value:
        return []
    stems = (change.subject | subject_bag(value)) - LIGHT
    return [
        replace(e, norm=replace(e.norm, value=value))
        for e in index.saying(stems)
        if e.norm.modality == "is" and e.norm.change is None
    ]


def _reversal(index: ClaimIndex, change: Entry) -> Finding | None:
    """The stations of a reversal around one explicit change, if its story turns back unsaid."""
    spoken = change.norm.change
    if spoken is None or not change.date:
        return None
    said = [*thread(index, change), *_spoken(index, change, spoken.was), *_spoken(index, change, spoken.now)]
    story = sorted(
        (
            e
            for e in said
            if e.norm.standing in _SPOKEN
            and e.norm.value
            and (e.norm.single or _names(e, spoken))
            and e.id != change.id
        ),
        key=order,
    )
    earlier = [
        e for e in story if e.date and e.date < change.date and e.norm.change is None and not _same(e, change)
    ]
    later = [e for e in story if e.date and e.date > change.date]
    for index_of_back, back in enumerate(later):
        if back.norm.change is not None:
            return None  # the story says itself that it changed again
        if _same(back, change) or not (_was(spoken.was, back) or _comparable(back, change)):
            continue
        before = [
            e
            for e in earlier
            if compare_values(e.norm.value or "", back.norm.value or "").relation == "equal"
        ]
        if not before and not _was(spoken.was, back):
            continue
        if any(_same(e, change) for e in later[index_of_back + 1 :]):
            return None  # the newest word agrees with the change
        stations = [
            *before[-1:],
            change,
            *[
                e
                for e in later[index_of_back:]
                if compare_values(e.norm.value or "", back.norm.value or "").relation == "equal"
            ],
        ]
        return _finding(stations, change, back)
    return None


def _names(entry: Entry, spoken: Change) -> bool:
    """The value is one of the two the change itself names."""
    return _was(spoken.was, entry) or _was(spoken.now, entry)


def _was(was: str | None, back: Entry) -> bool:
    return bool(was) and compare_values(was or "", back.norm.value or "").relation == "equal"


def _same(entry: Entry, change: Entry) -> bool:
    return compare_values(entry.norm.value or "", change.norm.value or "").relation == "equal"


def _comparable(entry: Entry, change: Entry) -> bool:
    return compare_values(entry.norm.value or "", change.norm.value or "").relation == "differ"


def _finding(stations: list[Entry], change: Entry, back: Entry) -> Finding:
    members = tuple(dict.fromkeys(e.id for e in sorted(stations, key=order)))
    slot = conflict_slot([e.claim for e in stations], min(stations, key=order))
    detail = f"{back.norm.value} again after the change to {change.norm.value} on {change.date}"
    reason = Reason("arc", "reversal", "HIGH", detail)
    return Finding("reversal", members, slot, "warn", 0.9, question(back), "detective", (reason,))
