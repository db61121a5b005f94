"""What the main screen hears: from the store, from the index, and from the line that is typed in."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

from textual import on

from app.plain import shown
from app.tui.commands import first_key
from app.tui.messages import (
    Decided,
    DetailRead,
    FromIndex,
    QueueRead,
    StoreChanged,
    StoreFailed,
    StoreOpened,
    StoryPage,
    StoryRead,
    Written,
)
from app.tui.screens.workspace.deciding import DecisionKeys
from app.tui.screens.workspace.jobs import page_job
from app.tui.widgets.choice import Choice
from app.tui.widgets.story import Story

if TYPE_CHECKING:
    from app.pipeline.messages import Progress
    from app.tui.widgets.prompt import Prompt

POLL_SECONDS = 1.0
PROGRESS_SECONDS = 0.1


class Hearing(DecisionKeys):
    """Every answer is taken here, so that the state changes in one thread and in one order."""

    _progress_at = 0.0

    # the store
    @on(StoreOpened)
    def _store_opened(self, message: StoreOpened) -> None:
        self.failure = None
        self.opened = True
        self.writable = not message.read_only
        self.status.read_only = message.read_only
        self.reload()
        self.set_interval(POLL_SECONDS, self.poll)

    @on(StoreFailed)
    def _store_failed(self, message: StoreFailed) -> None:
        # A decision's own failures come as Decided; the rest means that nothing can be shown.
        if self.failure is None:
            self.failure = message.text
            self.show_states()

    @on(StoreChanged)
    def _store_changed(self) -> None:
        self.reload_at_rest()

    @on(QueueRead)
    def _queue_read(self, message: QueueRead) -> None:
        if message.tab != self.tab or self.outdated(message.asked):
            return
        self.failure = None
        self.counts = message.counts
        rows = tuple(row for row in message.rows if row.id not in self.settling)
        self.queue.take(rows, message.prefer)
        self.query_one("#tab-choice", Choice).label(
            open=f"open {message.counts.open:,}",
            snoozed=f"snoozed {message.counts.snoozed:,}",
            settled=f"settled {message.counts.resolved + message.counts.dismissed:,}",
        )
        self.status.open = message.counts.open
        self.select(again=True)

    @on(DetailRead)
    def _detail_read(self, message: DetailRead) -> None:
        if message.conflict_id == self.selected_id and message.view is not None:
            self.detail.show(message.view)
            self.show_answers()
            self.show_states()
            self.call_after_refresh(self.followed)

    @on(Story.PageWanted)
    def _page_wanted(self, message: Story.PageWanted) -> None:
        job = page_job(message.generation, message.page, message.ids)
        self.workspace.story.ask(self, job, name=f"page {message.page}")

    @on(StoryRead)
    def _story_read(self, message: StoryRead) -> None:
        # Not only the newest: while notes stream in, each answer is a little late already.
        if message.telling == self.telling and message.generation > self.story.generation:
            self.story_read = True
            self.story.take(message)
            self.join()
            self.show_states()

    @on(StoryPage)
    def _story_page(self, message: StoryPage) -> None:
        self.story.take_page(message.generation, message.page, message.rows)
        self.name_story()

    @on(Decided)
    def _decided(self, message: Decided) -> None:
        self.settling.difference_update(message.conflict_ids)
        self.outdate_queue()
        self.app.clear_notifications()
        if message.steps:
            self.decided.append(message.steps)
        if message.said:
            key = first_key("conflict.undo", self.workspace.keymap)
            hint = f" Press {key} to undo." if message.steps else ""
            self.notify(shown(message.said) + hint, timeout=6, markup=False)
        if message.trouble:
            self.notify(shown(message.trouble), severity="warning", markup=False)
        if message.reopened and self.tab != "open":
            self.go_to_tab("open", prefer=message.prefer)
        self.reload(prefer=message.prefer)

    def written(self, answer: object) -> None:
        if isinstance(answer, Written):
            said = Decided((), answer.said, answer.steps, trouble=answer.trouble)
            self._decided(said)
            self.workspace.look_again()

    # the index
    @on(FromIndex)
    def _from_index(self, message: FromIndex) -> None:
        from app.pipeline import messages as index

        match message.word:
            case index.Progress() as progress:
                self._show_progress(progress)
            case index.Watching(mode):
                self.status.mode = mode
            case index.Reads(by):
                self.status.models = by
            case index.Indexed():
                self.indexed = True
                self.status.progress = None
                self.reload_at_rest()
            case index.Trouble(text, fatal):
                if fatal:
                    self.status.mode, self.status.progress = "still", None
                    self.failure = self.failure or text
                self.notify(shown(text), severity="error" if fatal else "warning", markup=False)
                self.show_states()

    def _show_progress(self, progress: Progress) -> None:
        """Not every one of a flood: a line repainted forty times a second would be in the way of the keys."""
        before, now = self.status.progress, monotonic()
        if progress.stage == "done":
            self.status.progress = None
        elif before is None or before.stage != progress.stage or now - self._progress_at >= PROGRESS_SECONDS:
            self.status.progress = progress
            self._progress_at = now

    # what is typed
    def on_prompt_typed(self, message: Prompt.Typed) -> None:
        if message.purpose == "search":
            self.searched(message.value)

    async def on_prompt_given(self, message: Prompt.Given) -> None:
        match message.purpose:
            case "search":
                await self.close_prompt()
            case "day":
                await self.day_given(message.value)
            case "reason":
                await self.reason_given(message.value)

    async def on_prompt_dropped(self, message: Prompt.Dropped) -> None:
        if message.purpose == "search":
            await self.search_dropped()
        else:
            await self.close_prompt()
