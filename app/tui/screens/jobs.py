"""The reading jobs of the main screen: what is asked of the store, as functions that answer with messages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from app.store.rows import StoryFilter
from app.tui.commands import Tab
from app.tui.hand import Job
from app.tui.messages import DetailRead, QueueRead, StoreChanged, StoryPage, StoryRead
from app.tui.reading import read_detail, read_queue
from app.tui.widgets.story import PAGE

if TYPE_CHECKING:
    from app.store.store import Store


class Watches(Protocol):
    """Whoever remembers which version of the store was seen last."""

    def seen_version(self, version: int) -> bool: ...


def poll_job(asker: Watches) -> Job:
    return lambda store: StoreChanged() if asker.seen_version(store.data_version()) else None


def queue_job(tab: Tab, now: str, asked: int, prefer: str | None) -> Job:
    return lambda store: QueueRead(tab, read_queue(store, tab, now), store.counts(now=now), asked, prefer)


def detail_job(vault: Path, conflict_id: str) -> Job:
    return lambda store: DetailRead(conflict_id, read_detail(store, vault, conflict_id))


def page_job(generation: int, page: int, filter: StoryFilter) -> Job:
    return lambda store: StoryPage(generation, page, store.story_rows(page * PAGE, PAGE, filter))


def story_job(generation: int, filter: StoryFilter, near: Sequence[str]) -> Job:
    """The order of all claims and the pages around those the person is looking at."""

    def job(store: Store) -> StoryRead:
        ids = store.story_ids(filter)
        last = max(0, len(ids) - 1) // PAGE
        around = {0} if not near else set()
        for id in near:
            page = ids.index(id) // PAGE if id in ids else 0
            around |= {max(0, page - 1), page, min(last, page + 1)}
        pages = {page: store.story_rows(page * PAGE, PAGE, filter) for page in sorted(around)}
        return StoryRead(generation, filter, ids, pages)

    return job
