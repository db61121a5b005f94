"""Are two entries about one thing? By the words of their subjects, or by a slot that their notes name."""

from __future__ import annotations

from dataclasses import replace

from app.detection.norm_entry import Entry
from app.reading.quantities import quantities
from app.reading.subjects import generic


def apart(a: Entry, b: Entry) -> tuple[str, str] | None:
    """The gate that keeps two subjects apart, with its reason."""
    by_words = _apart(a, b, (len(a.subject), len(b.subject)))
    one_note = a.claim.statement.path == b.claim.statement.path
    if one_note and any(e.filled is not None and e.filled.bare for e in (a, b)):
        # Which of its lines is the one that counts, a note tells its reader by more than their words.
        return "overlap", "a value by itself, and more of it in the same note"
    if by_words is None or not (_has_more_names(a) or _has_more_names(b)):
        return by_words
    slots = not one_note
    if slots and a.filled and b.filled and a.filled.type == b.filled.type:
        if one_slot(a, b):
            return None
        slots = False  # two slots of one type are two, whatever their words
    for x, size_x in _views(a, slots):
        for y, size_y in _views(b, slots):
            if not _two_parts(x, y) and _apart(x, y, (size_x, size_y)) is None:
                return None
    return by_words


def one_slot(a: Entry, b: Entry) -> bool:
    """Do these lines of two notes fill one named slot?"""
    x, y = a.filled, b.filled
    if x is None or y is None or x.slot != y.slot:
        return False
    # A rule said without a subject is the one its key stands for.
    return x.own == y.own or (x.rule and y.rule and not (x.own and y.own))


def shared_words(a: Entry, b: Entry) -> int:
    """How many words say that both are about one thing; a long title for a short name adds none."""
    common = max(len(x & y) for x in (a.subject, a.called) for y in (b.subject, b.called))
    return min(common, len(a.subject), len(b.subject))


def _has_more_names(entry: Entry) -> bool:
    return entry.filled is not None or entry.called != entry.subject


def _views(entry: Entry, slots: bool) -> list[tuple[Entry, int]]:
    """The entry in its own words, by the names things have in the vault, and by the slot it fills; each with
    how many words it has, since a long title for a short name does not make it tell more."""
    views = [(entry, len(entry.subject))]
    if entry.called != entry.subject:
        named = replace(entry, subject=entry.called, generic=generic(entry.called))
        views.append((named, len(entry.subject)))
    if slots and entry.filled is not None:
        none, subject = frozenset[str](), entry.filled.subject
        # The frontmatter names the thing, so nothing is borrowed.
        named = replace(entry, subject=subject, called=none, keyed=False, generic=False)
        views.append((replace(named, borrowed=none, borrowed_names=none), len(subject)))
    return views


def _two_parts(x: Entry, y: Entry) -> bool:
    """ "[[Trip|hotel]]" and "[[Trip|flight]]" are two things that one note describes."""
    by_name = x.subject == x.called and y.subject == y.called
    return by_name and bool(x.shown and y.shown) and x.shown != y.shown


def _apart(a: Entry, b: Entry, sizes: tuple[int, int]) -> tuple[str, str] | None:
    """The same by the words of the two subjects alone."""
    shared = a.subject & b.subject
    if not shared:
        return "subject", "different subjects"
    only_a, only_b = a.subject - b.subject - _soft(a, shared), b.subject - a.subject - _soft(b, shared)
    if only_a and only_b:
        return "overlap", "each names something the other does not"
    if only_a - b.context or only_b - a.context:
        return "overlap", "one names something the other does not"
    if not _anchored(a, b, not only_a and not only_b, sizes):
        return "overlap", "what both name is too little to be one thing"
    return None


def _soft(entry: Entry, shared: frozenset[str]) -> frozenset[str]:
    """Title words a keyed claim borrowed; a name among the shared ones stands for the whole title."""
    return entry.borrowed if entry.borrowed_names & shared else frozenset()


def _anchored(a: Entry, b: Entry, exact: bool, sizes: tuple[int, int]) -> bool:
    """Is the shared subject specific enough to mean one thing in two places?"""
    if a.claim.statement.path == b.claim.statement.path:
        return True
    shared = a.subject & b.subject
    if a.titled and b.titled and a.field and b.field:
        return _one_note(a, b) or not (a.borrowed or b.borrowed)  # a property is its own note's
    if a.titled and b.titled and a.keyed and b.keyed:
        # "Oven: 180 °C" in two recipes: the key speaks of each note's own thing.
        measured = bool(
            a.norm.value and b.norm.value and quantities(a.norm.value) and quantities(b.norm.value)
        )
        telling = min(len(shared), *sizes) >= 3
        return telling or bool(shared & (a.title | b.title)) or (measured and a.named and b.named)
    if a.titled and b.titled and sizes == (1, 1):
        return (a.named and b.named) or bool(shared & (a.title | b.title))
    if a.generic or b.generic:
        return exact and len(a.subject) >= 2
    return True


def _one_note(a: Entry, b: Entry) -> bool:
    """Both notes go by one name."""
    left, right = ({name.casefold() for name in (e.claim.note, *e.claim.aliases)} for e in (a, b))
    return bool(left & right)
