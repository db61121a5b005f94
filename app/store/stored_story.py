"""The story of a store: claims oldest first, whole or filtered; what the panes of the workspace show."""

from __future__ import annotations

from collections.abc import Sequence

from app.store import facets, story_queries
from app.store.connection import Connection
from app.store.order import Order
from app.store.rows import Facets, StoryFilter, StoryRow
from app.store.story_as_known import known_at

WHOLE_STORY = StoryFilter()


class StoredStory:
    """The order of the story, its lines, and its days."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def ids(self, filter: StoryFilter = WHOLE_STORY) -> list[str]:
        """Claim ids oldest first, undated ones last; those of one day, and undated ones, by note and line."""
        with self._connection.reading() as sql:
            return story_queries.story_ids(sql, filter)

    def order(self, filter: StoryFilter = WHOLE_STORY) -> Order:
        """The same ids, to look places and disputed ones up in; read without holding up other threads."""
        with self._connection.reading() as sql:
            return story_queries.story_order(sql, filter)

    def rows(self, offset: int, limit: int, filter: StoryFilter = WHOLE_STORY) -> list[StoryRow]:
        """A page of the story in the same order."""
        with self._connection.reading() as sql:
            return story_queries.rows_of(sql, story_queries.story_ids(sql, filter, offset, limit))

    def rows_of(self, ids: Sequence[str]) -> list[StoryRow]:
        """The lines of these claims, in this order."""
        with self._connection.reading() as sql:
            return story_queries.rows_of(sql, ids)

    def count_before(self, day: str, filter: StoryFilter = WHOLE_STORY) -> int:
        """How many claims come before a day (ISO): the place in the story where it begins."""
        with self._connection.reading() as sql:
            return story_queries.story_before(sql, day, filter)

    def days(self) -> tuple[str, ...]:
        """Every day a claim is dated, the oldest first."""
        with self._connection.reading() as sql:
            return facets.story_days(sql)

    def facets(self) -> Facets:
        """What the story can be filtered by, with how many claims there are of each."""
        with self._connection.reading() as sql:
            return facets.facets(sql)

    def known_at(self, at: str) -> list[StoryRow]:
        """The story as the ledger had it at a moment (ISO, UTC), in the story's order."""
        with self._connection.reading() as sql:
            return known_at(sql, at)
