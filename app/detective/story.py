"""The story as it is read: one line a claim, oldest first, cut into batches that overlap."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from app.detection.claim_index import ClaimIndex
from app.detection.compare_norms import same_subject
from app.detection.judge_input import Said, said
from app.detection.slots import slot_of
from app.detective.forgetting import remembered
from app.detective.mentions import told
from app.detective.thread_prompt import flat
from app.reading.subjects import DATE_TITLE
from app.words import Claim

BATCH_TOKENS = 6000
OVERLAP = 8
"""One part in so many of a batch is read again at the beginning of the next."""
FEW = 240
"""Lines, about a batch: so long a story may get in any case before what is old in it is forgotten."""
GROWTH = 2
"""Or so many times as long as forgetting leaves it."""
_TEXT = 400
_TITLE = 80

CountTokens = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Line:
    """A claim as it stands in the story."""

    id: str
    text: str


def chronological(claims: Iterable[Claim]) -> list[Claim]:
    """Oldest first. Undated claims come before all others, since they are newer than none.

    Within a day they come as they were first seen, so what is written today is added at the end.
    """
    return sorted(
        claims, key=lambda c: (c.statement.date or "", c.first_seen, c.statement.path, c.statement.line, c.id)
    )


def line(claim: Claim) -> Line:
    return Line(claim.id, written(said(claim)))


def written(told: Said) -> str:
    """One line: date, where it stands, what it says. Text from a note cannot break out of its line."""
    where = "" if DATE_TITLE.match(told.note) else f" ({flat(told.note, _TITLE)})"
    under = f"{flat(told.parent, _TITLE).rstrip(':')}: " if told.parent else ""
    return f"{told.date or 'undated'}{where} {under}{flat(told.text, _TEXT)}"


def kin(index: ClaimIndex, triggers: Collection[str]) -> set[str]:
    """The triggers, and every claim in the slot or the thread of one of them."""
    out = {id for id in triggers if id in index.claims}
    for id in sorted(out):
        for entry in index.entries_of(id):
            slot = slot_of(entry).key
            out |= {
                other.id
                for other in index.candidates(entry)
                if same_subject(entry, other) or slot_of(other).key == slot
            }
    return out


def story(
    index: ClaimIndex,
    today: str,
    *,
    triggers: Collection[str] = (),
    conflicts: Mapping[str, int] | None = None,
    before: Collection[str] = (),
) -> list[Line]:
    """What of all claims is read today, oldest first; the triggers and their kin always are.

    What was told `before` is told again, so that this story begins as the last one did and costs a reader
    what is new in it. When that would make it too long, all is forgotten at once that forgetting takes.
    """
    there = chronological(c for c in index.claims.values() if told(c))
    always = kin(index, triggers)
    fresh = remembered(there, today, conflicts=conflicts, always=always)
    again = remembered(there, today, conflicts=conflicts, always=always.union(before))
    return [line(c) for c in (again if len(again) <= max(FEW, GROWTH * len(fresh)) else fresh)]


def batches(
    lines: Sequence[Line], count: CountTokens, *, limit: int = BATCH_TOKENS, overlap: int | None = None
) -> list[list[Line]]:
    """Lines in their order, in batches of at most `limit` tokens by the reader's own `count`.

    Each batch begins with the last lines of the one before, of at most `overlap` tokens together, so that
    neighbours are read side by side somewhere. A single line longer than the limit stands alone.
    """
    if limit <= 0:
        raise ValueError("a batch needs room for at least one token")
    shared = limit // OVERLAP if overlap is None else min(overlap, limit - 1)
    sizes = [count(one.text + "\n") for one in lines]
    out: list[list[Line]] = []
    start = end = 0
    while end < len(lines):
        used = sum(sizes[start:end])
        if start < end and used + sizes[end] > limit:  # the repeated lines leave no room: repeat fewer
            start += 1
            continue
        while end < len(lines) and (start == end or used + sizes[end] <= limit):
            used += sizes[end]
            end += 1
        out.append(list(lines[start:end]))
        start = _back(sizes, end, shared, start + 1)
    return out


def _back(sizes: Sequence[int], end: int, shared: int, first: int) -> int:
    """Where the next batch begins: as far back from `end` as `shared` tokens reach, but past `first`."""
    start, used = end, 0
    while start > first and used + sizes[start - 1] <= shared:
        start -= 1
        used += sizes[start]
    return start
