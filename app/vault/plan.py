"""Planning what to do about a vault: a walk held against what is known; pure but for the hashes asked for."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Mapping
from operator import itemgetter
from typing import NamedTuple

from app.vault.walk import TOO_LARGE, Seen, Walk
from app.words import Known

_RACY_NS = 2_000_000_000
"""File times can be this coarse: a second save within it may leave size and time as they were."""


_FEW_NOTES, _MANY_NOTES = 3, 10
"""A loss of notes is doubted from the first number on if all are gone, from the second if more than half
are."""


class Move(NamedTuple):
    old: str
    new: str
    content_hash: str


class Plan(NamedTuple):
    """Every known or seen path stands in exactly one of these, each sorted; a move holds two paths."""

    new: tuple[str, ...] = ()
    modified: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()
    moved: tuple[Move, ...] = ()
    touched: tuple[str, ...] = ()
    """Content as known, but its stat (or the time of reading) is to be noted anew."""
    unchanged: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()
    """Present as far as anyone can tell; nothing known of them is given up."""

    @property
    def is_empty(self) -> bool:
        """Nothing of the vault's content changed."""
        return not (self.new or self.modified or self.deleted or self.moved)


def plan(
    walk: Walk,
    known: Mapping[str, Known],
    hash_of: Callable[[str], str | None],
    *,
    suspects: Collection[str] = (),
) -> Plan:
    """What became of each note since it was known.

    `hash_of` is asked only where the file system cannot answer: size, time or inode differ, the time is too
    close to that of the last reading, a new file may be a moved one, or the path is among the `suspects` (a
    watcher saw it written, which also catches a writer that puts the old time back).
    """
    sorts: dict[str, list[str]] = defaultdict(list)
    unchanged = sorts["unchanged"]
    arrivals: list[Seen] = []
    met: set[str] = set()
    for now in sorted(walk.seen, key=itemgetter(0)):
        path = now.path
        then = known.get(path)
        if then is None:
            arrivals.append(now)
            continue
        met.add(path)
        if then[:4] == now and now.mtime_ns < then.indexed_ns - _RACY_NS and path not in suspects:
            unchanged.append(path)
        else:
            sorts[_compare(now, then, hash_of)].append(path)
    absent = sorted(known.keys() - met)
    # An empty folder where a vault was: far likelier an unmounted disk than a person who deleted it all.
    hidden = set(absent) if walk.bare else _hidden(walk, absent)
    gone = [path for path in absent if path not in hidden]
    moved, refused = _moves([known[path] for path in gone], arrivals, hash_of)
    left = {move.old for move in moved}
    arrived = {move.new for move in moved}
    return Plan(
        new=tuple(now.path for now in arrivals if now.path not in arrived and now.path not in refused),
        modified=tuple(sorts["modified"]),
        deleted=tuple(path for path in gone if path not in left),
        moved=tuple(moved),
        touched=tuple(sorts["touched"]),
        unchanged=tuple(sorts["unchanged"]),
        unreadable=tuple(sorted({*sorts["unreadable"], *hidden, *refused})),
    )


def too_many_gone(the_plan: Plan, known: Collection[str]) -> bool:
    """Did so much of the vault go at once that it is likelier a disk that is not there, or a sync gone wrong,
    than a person who deleted it: all there was, or many notes and more than half?"""
    gone = len(the_plan.deleted)
    return gone >= _FEW_NOTES and (gone == len(known) or (gone >= _MANY_NOTES and gone * 2 > len(known)))


def held_back(the_plan: Plan) -> Plan:
    """The same, with what is gone taken for what cannot be seen just now."""
    return the_plan._replace(deleted=(), unreadable=tuple(sorted({*the_plan.unreadable, *the_plan.deleted})))


def _hidden(walk: Walk, absent: Iterable[str]) -> set[str]:
    """Known notes that were not seen but are not gone: they, or a folder above them, could not be looked at.

    A note that outgrew the size limit is there too; a person who pastes an image into a note has not taken
    back what it says.
    """
    blocked = {path for path, _ in walk.unreadable}
    blocked.update(path for path, reason in walk.ignored if reason == TOO_LARGE)
    if not blocked:
        return set()
    return {path for path in absent if path in blocked or any(above in blocked for above in _above(path))}


def _above(path: str) -> Iterable[str]:
    """Every folder above the path, the vault itself ("") included."""
    while path:
        path = path.rpartition("/")[0]
        yield path


def _compare(now: Seen, then: Known, hash_of: Callable[[str], str | None]) -> str:
    """What became of a note whose stat does not settle it."""
    content_hash = hash_of(now.path)
    if content_hash is None:
        return "unreadable"
    if content_hash != then.content_hash:
        return "modified"
    as_noted = then[:4] == now and now.mtime_ns < then.indexed_ns - _RACY_NS
    return "unchanged" if as_noted else "touched"


def _moves(
    gone: list[Known], arrivals: list[Seen], hash_of: Callable[[str], str | None]
) -> tuple[list[Move], set[str]]:
    """Pair what went with what came by content, and the arrivals that could not be read for it.

    Only an arrival as long as something that went can be it, so a first index hashes nothing here. Empty
    files are all alike and never matched.
    """
    sizes = {note.size for note in gone} - {0}
    by_hash: dict[str, list[str]] = defaultdict(list)
    refused: set[str] = set()
    for note in arrivals:
        if note.size in sizes:
            content_hash = hash_of(note.path)
            if content_hash is None:
                refused.add(note.path)
            else:
                by_hash[content_hash].append(note.path)
    leavers: dict[str, list[str]] = defaultdict(list)
    for then in gone:
        if then.size and then.content_hash in by_hash:
            leavers[then.content_hash].append(then.path)
    moves = [
        Move(old, new, content_hash)
        for content_hash, olds in leavers.items()
        for old, new in _pair(sorted(olds), sorted(by_hash[content_hash]))
    ]
    return sorted(moves), refused


def _pair(olds: list[str], news: list[str]) -> list[tuple[str, str]]:
    """One to one: equal file names first, then in order."""
    by_name: dict[str, deque[str]] = defaultdict(deque)
    for new in news:
        by_name[new.rpartition("/")[2]].append(new)
    pairs: dict[str, str] = {}
    for old in olds:
        if namesakes := by_name.get(old.rpartition("/")[2]):
            pairs[old] = namesakes.popleft()
    taken = set(pairs.values())
    rest = zip(
        (old for old in olds if old not in pairs), (new for new in news if new not in taken), strict=False
    )
    return [*pairs.items(), *rest]
