"""The reading jobs of the main screen: what is asked of the store, as functions that answer with messages."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from app.store.order import Order
from app.tui.messages import (
    DayFound,
    DaysRead,
    DetailRead,
    FacetsRead,
    LineRead,
    QueueRead,
    StoreChanged,
    StoryPage,
    StoryRead,
    ThreadFound,
)
from app.tui.story_view import StoryView
from app.tui.widgets.story import PAGE, page_of

if TYPE_CHECKING:
    from app.store.rows import StoryRow
    from app.store.store import Store
    from app.strategies.rules import Rule
    from app.tui.commands import Tab
    from app.tui.store_thread import Job
    from app.words import Status

_EVER: tuple[Status, ...] = ("active", "superseded", "candidate", "retracted")


def poll_job(is_new: Callable[[int], bool]) -> Job:
    """`is_new` is told the store's version and says whether it is another than last time."""
    return lambda store: StoreChanged() if is_new(store.data_version()) else None


def queue_job(tab: Tab, now: str, asked: int, prefer: str | None) -> Job:
    def job(store: Store) -> QueueRead:
        from app.tui.reading import read_queue  # what only a reading needs is loaded by it, in its thread

        return QueueRead(tab, read_queue(store, tab, now), store.counts(now=now), asked, prefer)

    return job


def detail_job(vault: Path, conflict_id: str, rules: Sequence[Rule]) -> Job:
    def job(store: Store) -> DetailRead:
        from app.tui.reading import read_detail

        return DetailRead(conflict_id, read_detail(store, vault, conflict_id, rules))

    return job


def line_job(vault: Path, claim_id: str) -> Job:
    def job(store: Store) -> LineRead:
        from app.tui.reading import read_line

        return LineRead(read_line(store, vault, claim_id))

    return job


def page_job(generation: int, page: int, ids: Sequence[str]) -> Job:
    return lambda store: StoryPage(generation, page, store.story.rows_of(ids))


def story_job(generation: int, telling: StoryView, near: Sequence[str]) -> Job:
    """The order of all claims and the pages around those the person is looking at."""

    def job(store: Store) -> StoryRead:
        if telling.known_at is not None:
            return _as_known(store, generation, telling)
        ids = store.story.order(telling.filter)
        # What is ahead is asked for when the eye comes near it.
        around = {(ids.place(id) or 0) // PAGE for id in near} or {0}
        pages = {page: store.story.rows_of(page_of(ids, page)) for page in sorted(around)}
        return StoryRead(generation, telling, ids, pages)

    return job


def _as_known(store: Store, generation: int, telling: StoryView) -> StoryRead:
    """The ledger replayed: all of its rows at once, since no page of the past can be asked for later."""
    rows = _known_rows(store, telling)
    return StoryRead(
        generation,
        telling,
        Order.of((row.id for row in rows), "".join("01"[row.disputed is not None] for row in rows)),
        {page: rows[page * PAGE : (page + 1) * PAGE] for page in range(len(rows) // PAGE + 1)},
    )


def _known_rows(store: Store, telling: StoryView) -> list[StoryRow]:
    assert telling.known_at is not None
    rows = store.story.known_at(telling.known_at)
    if not telling.query.strip():
        return rows
    fitting = set(store.story.ids(replace(telling.filter, statuses=_EVER)))
    return [row for row in rows if row.id in fitting]


def day_job(telling: StoryView, day: str) -> Job:
    """The place in the story where a day begins."""

    def job(store: Store) -> DayFound:
        if telling.known_at is None:
            return DayFound(telling, day, store.story.count_before(day, telling.filter))
        dates = [row.date or "~" for row in _known_rows(store, telling)]
        return DayFound(telling, day, bisect_left(dates, day))

    return job


def days_job() -> Job:
    return lambda store: DaysRead(store.story.days(), store.ledger.days())


def facets_job() -> Job:
    return lambda store: FacetsRead(store.story.facets())


def thread_job(claim_id: str) -> Job:
    """What a claim is about, as its norms say."""

    def job(store: Store) -> ThreadFound:
        claim = store.claims.get(claim_id)
        subjects = [norm.subject for norm in claim.norms if norm.subject.strip()] if claim else []
        return ThreadFound(claim_id, subjects[0] if subjects else None)

    return job
