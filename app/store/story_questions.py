"""What can be asked about the story: its order, its lines, its days, and how much there is of everything."""

from __future__ import annotations

from collections.abc import Sequence

from app.store import facets, story
from app.store.counts import counts
from app.store.known import known_at
from app.store.open_store import OpenStore
from app.store.order import Order
from app.store.rows import Counts, Facets, StoryFilter, StoryRow

WHOLE_STORY = StoryFilter()


class StoryQuestions(OpenStore):
    """Claims oldest first, whole or filtered; what the panes of the workspace show."""

    def counts(self, *, now: str | None = None) -> Counts:
        with self._link.reading() as connection:
            return counts(connection, now or self._clock())

    def story_count(self, filter: StoryFilter = WHOLE_STORY) -> int:
        with self._link.reading() as connection:
            return story.story_count(connection, filter)

    def story_ids(self, filter: StoryFilter = WHOLE_STORY) -> list[str]:
        """Claim ids oldest first; undated ones last by first sight, path and line."""
        with self._link.reading() as connection:
            return story.story_ids(connection, filter)

    def story_order(self, filter: StoryFilter = WHOLE_STORY) -> Order:
        """The same ids, to look places and disputed ones up in; read without holding up other threads."""
        with self._link.reading() as connection:
            return story.story_order(connection, filter)

    def story_rows_of(self, ids: Sequence[str]) -> list[StoryRow]:
        """The lines of these claims, in this order."""
        with self._link.reading() as connection:
            return story.rows_of(connection, ids)

    def story_rows(self, offset: int, limit: int, filter: StoryFilter = WHOLE_STORY) -> list[StoryRow]:
        """A page of the story in the same order."""
        with self._link.reading() as connection:
            return story.story_rows(connection, offset, limit, filter)

    def story_before(self, day: str, filter: StoryFilter = WHOLE_STORY) -> int:
        """How many claims come before a day (ISO): the place in the story where it begins."""
        with self._link.reading() as connection:
            return story.story_before(connection, day, filter)

    def facets(self) -> Facets:
        """What the story can be filtered by, with how many claims there are of each."""
        with self._link.reading() as connection:
            return facets.facets(connection)

    def story_days(self) -> tuple[str, ...]:
        """Every day a claim is dated, the oldest first."""
        with self._link.reading() as connection:
            return facets.story_days(connection)

    def ledger_days(self) -> tuple[str, ...]:
        """Every day something was put on record, the oldest first."""
        with self._link.reading() as connection:
            return facets.ledger_days(connection)

    def known_at(self, at: str) -> list[StoryRow]:
        """The story as the ledger had it at a moment (ISO, UTC), in the story's order."""
        with self._link.reading() as connection:
            return known_at(connection, at)
