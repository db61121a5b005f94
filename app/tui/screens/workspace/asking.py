"""What the main screen asks of the store; the answers come as messages."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from app.tui.messages import StoreOpened
from app.tui.screens.workspace.base import Base
from app.tui.screens.workspace.jobs import day_job, detail_job, poll_job, queue_job, story_job
from app.tui.story_view import StoryView

if TYPE_CHECKING:
    from textual.timer import Timer

NEWS_REST = 0.3
"""So long no cursor has moved before what another program wrote is read."""
NEWS_LATEST = 3.0
"""So old what is shown may become while a cursor keeps moving."""


class Asking(Base):
    """Every question goes to a thread of its own kind, and a newer one takes the place of one that waits."""

    _queue_asked = 0
    _queue_not_before = 0
    _generation = 0
    _version: int | None = None
    _moved_at = 0.0
    """When a cursor of a list was moved last."""
    _news_since = 0.0
    _news: Timer | None = None

    def open_store(self) -> None:
        self.workspace.decisions.ask(self, lambda store: StoreOpened(store.read_only), name="open")

    def poll(self) -> None:
        self.workspace.conflicts.ask(self, poll_job(self), name="poll")

    def seen_version(self, version: int) -> bool:
        """Whether the store's version is another than last time; called from the reading thread."""
        before, self._version = self._version, version
        return before is not None and before != version

    def reload(self, prefer: str | None = None) -> None:
        """Read everything that is shown again, in the background."""
        if not self.opened:
            self.open_store()
            return
        self.ask_queue(prefer)
        self.ask_story(self.telling)

    @property
    def news_waits(self) -> bool:
        """Something is to be read once the cursor rests."""
        return self._news is not None

    def reload_at_rest(self) -> None:
        """Read everything again when the cursor rests: on the way through a list, reading would slow its
        keys, and rows that change under the eye help nobody."""
        if self._news is None:
            self._news_since = monotonic()
            self._read_news()

    def _read_news(self) -> None:
        now = monotonic()
        if now - self._moved_at < NEWS_REST and now - self._news_since < NEWS_LATEST:
            self._news = self.set_timer(NEWS_REST, self._read_news)
        else:
            self._news = None
            self.reload()

    def ask_queue(self, prefer: str | None = None) -> None:
        self._queue_asked += 1
        job = queue_job(self.tab, self.clock.now(), self._queue_asked, prefer)
        self.workspace.conflicts.ask(self, job, name="queue")

    def outdate_queue(self) -> None:
        """What was asked so far was asked before a decision; its answers are not to be shown."""
        self._queue_not_before = self._queue_asked + 1

    def outdated(self, asked: int) -> bool:
        return asked < self._queue_not_before

    def ask_detail(self, conflict_id: str) -> None:
        job = detail_job(self.vault, conflict_id, self.workspace.rules)
        self.workspace.conflicts.ask(self, job, name="detail")

    def ask_story(self, telling: StoryView) -> None:
        self._generation += 1
        self.telling = telling
        job = story_job(self._generation, telling, self.story.near)
        self.workspace.story.ask(self, job, name="story")

    def ask_day(self, day: str) -> None:
        self.workspace.story.ask(self, day_job(self.telling, day), name="day")
