"""The story as it is read: one line per claim, oldest first, in overlapping batches."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from app.detection.claim_index import ClaimIndex
from app.detection.compare_norms import same_subject
from app.detection.judge_input import Said, said
from app.detection.slots import slot_of
from app.detective.forgetting import remembered
from app.detective.mentions import is_in_story
from app.detective.thread_prompt import flat
from app.reading.subjects import DATE_TITLE
from app.words import Claim

BATCH_TOKENS = 6000
OVERLAP = 8
"""One part in this many of a batch is repeated at the beginning of the next."""
SHORT_STORY_LINES = 240
"""Lines, about a batch: a story may always get this long before old claims are forgotten."""
GROWTH = 2
"""Or this many times as long as forgetting leaves it."""
_TEXT = 400
_TITLE = 80

CountTokens = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Line:
    """A claim as a line of the story."""

    id: str
    text: str


def chronological(claims: Iterable[Claim]) -> list[Claim]:
    """Oldest first. Undated claims come before all others, since they count as newer than none.

    Within a day they are ordered by first sight, so what is written today is appended.
    """
    return sorted(
        claims, key=lambda c: (c.statement.date or "", c.first_seen, c.statement.path, c.statement.line, c.id)
    )


def story_line(claim: Claim) -> Line:
    return Line(claim.id, line_text(said(claim)))


def line_text(line: Said) -> str:
    """One line: date, note, text. Text from a note cannot break out of its line."""
    where = "" if DATE_TITLE.match(line.note) else f" ({flat(line.note, _TITLE)})"
    under = f"{flat(line.parent, _TITLE).rstrip(':')}: " if line.parent else ""
    return f"{line.date or 'undated'}{where} {under}{flat(line.text, _TEXT)}"


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
    """The claims read today, oldest first; always including the triggers and their kin.

    What was in the story `before` is in it again, so that it begins as the last one did and a reader pays
    only for what is new. If that makes it too long, everything forgettable is dropped at once.
    """
    there = chronological(c for c in index.claims.values() if is_in_story(c))
    always = kin(index, triggers)
    fresh = remembered(there, today, conflicts=conflicts, always=always)
    again = remembered(there, today, conflicts=conflicts, always=always.union(before))
    return [
        story_line(c) for c in (again if len(again) <= max(SHORT_STORY_LINES, GROWTH * len(fresh)) else fresh)
    ]


def batches(
    lines: Sequence[Line], count: CountTokens, *, limit: int = BATCH_TOKENS, overlap: int | None = None
) -> list[list[Line]]:
    """Lines in order, in batches of at most `limit` tokens by the reader's own `count`.

    Each batch begins with the last lines of the previous one, at most `overlap` tokens, so that neighbours
    are read together somewhere. A line longer than the limit is a batch of its own.
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
