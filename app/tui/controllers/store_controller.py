"""The store behind the screen: opening it, noticing what others write, reading again what is shown."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from app.tui.controllers.controller import Controller, ScreenState
from app.tui.controllers.queue_controller import QueueController
from app.tui.controllers.selection_controller import SelectionController
from app.tui.controllers.story_controller import StoryController
from app.tui.messages import StoreOpened
from app.tui.reading_jobs import poll_job

if TYPE_CHECKING:
    from textual.timer import Timer

    from app.tui.screens.main import Main

POLL_SECONDS = 1.0
NEWS_REST = 0.3
"""So long no cursor has moved before what another program wrote is read."""
NEWS_LATEST = 3.0
"""So old what is shown may become while a cursor keeps moving."""


class StoreController(Controller):
    """Every question goes to a thread of its own kind, and a newer one takes the place of one that waits."""

    def __init__(
        self, screen: Main, state: ScreenState, queue: QueueController, selection: SelectionController,
        story: StoryController,
    ) -> None:  # fmt: skip
        super().__init__(screen, state)
        self._queue = queue
        self._selection = selection
        self._story = story
        self._version: int | None = None
        self._news_since = 0.0
        self._news: Timer | None = None

    def open(self) -> None:
        job = lambda store: StoreOpened(store.read_only)  # noqa: E731
        self.session.decisions.ask(self.screen, job, name="open")

    def opened(self, message: StoreOpened) -> None:
        self.state.failure = None
        self.state.opened = True
        self.state.writable = not message.read_only
        self.screen.status.read_only = message.read_only
        self.reload()
        self.screen.set_interval(POLL_SECONDS, self.poll)

    def poll(self) -> None:
        self.session.conflicts.ask(self.screen, poll_job(self._is_new), name="poll")

    def _is_new(self, version: int) -> bool:
        """Called from the reading thread."""
        before, self._version = self._version, version
        return before is not None and before != version

    def reload(self, prefer: str | None = None) -> None:
        """Read everything that is shown again, in the background."""
        if not self.state.opened:
            self.open()
            return
        self._queue.ask(prefer)
        self._story.ask()

    @property
    def news_waits(self) -> bool:
        """Something is to be read once the cursor rests."""
        return self._news is not None

    def reload_at_rest(self) -> None:
        """Read everything again when the cursor rests: on the way through a list, reading would slow its
        keys, and rows that change under the eye help nobody."""
        if self._news is None:
            self._news_since = monotonic()
            self.read_news()

    def read_news(self) -> None:
        """Read it now if the cursor rests or it has waited long enough, else look again in a moment."""
        now = monotonic()
        if now - self._selection.moved_at < NEWS_REST and now - self._news_since < NEWS_LATEST:
            self._news = self.screen.set_timer(NEWS_REST, self.read_news)
        else:
            self._news = None
            self.reload()
