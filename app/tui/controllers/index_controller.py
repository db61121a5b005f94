"""The process that reads the vault: what it says, reading everything again, pausing its models."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from app.plain import shown
from app.tui.controllers.controller import Controller, ScreenState
from app.tui.controllers.pane_controller import PaneController
from app.tui.controllers.store_controller import StoreController

if TYPE_CHECKING:
    from app.pipeline.messages import Message, Progress
    from app.pipeline.reading_schedule import Wish
    from app.tui.screens.main import Main

PROGRESS_SECONDS = 0.1


class IndexController(Controller):
    """The line below shows how far it is; what it found is read when the cursor rests."""

    def __init__(
        self, screen: Main, state: ScreenState, panes: PaneController, store: StoreController
    ) -> None:
        super().__init__(screen, state)
        self._panes = panes
        self._store = store
        self._progress_at = 0.0

    def take(self, word: Message) -> None:
        from app.pipeline import messages as index

        status = self.screen.status
        match word:
            case index.Progress() as progress:
                self._show_progress(progress)
            case index.Watching(mode):
                status.mode = mode
            case index.Reads(by):
                status.models = by
            case index.Indexed():
                self.state.indexed = True
                status.progress = None
                self._tell_reading(None)
                self._store.reload_at_rest()
            case index.Trouble(text, fatal):
                if fatal:
                    status.mode, status.progress = "still", None
                    self.state.failure = self.state.failure or text
                    self._tell_reading(None)
                self.screen.notify(shown(text), severity="error" if fatal else "warning", markup=False)
                self._panes.show_sentences()

    def _show_progress(self, progress: Progress) -> None:
        """Not every one of a flood: a line repainted forty times a second would be in the way of the keys."""
        status, now = self.screen.status, monotonic()
        before = status.progress
        if progress.stage == "done":
            status.progress = None
        elif before is None or before.stage != progress.stage or now - self._progress_at >= PROGRESS_SECONDS:
            status.progress = progress
            self._progress_at = now
        self._tell_reading(None if progress.stage in ("done", "paused") else progress)

    def _tell_reading(self, progress: Progress | None) -> None:
        """Say at the queue that more may come, or no longer."""
        before = self.state.reading
        share = progress.done / progress.total if progress is not None and progress.total else 0.0
        self.state.reading = None if progress is None else share
        if (before is None) != (progress is None):
            self._panes.show_sentences()
        else:
            self._panes.name_queue()

    def rescan(self) -> None:
        self.state.failure = None
        self.session.look_again()
        self._store.reload()
        self.notify("Looking at every note again.", 3)

    def pause(self) -> None:
        self._wish("pause", "The models stop, or go on; the line below says which.")

    def stop(self) -> None:
        self._wish("stop", "The models stop until a note changes or you press r.")

    def _wish(self, wish: Wish, said: str) -> None:
        if self.screen.status.models == "rules":
            self.warn("Only the rules read, and they are done in a moment.")
        else:
            self.session.worker.models(wish)
            self.notify(said, 3)
