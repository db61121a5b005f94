"""Days: going to one in the story, and the story as of one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from app.tui.controllers.controller import Controller, ScreenState
from app.tui.controllers.pane_controller import PaneController
from app.tui.controllers.prompt_controller import PromptController
from app.tui.controllers.story_controller import StoryController
from app.tui.reading_jobs import day_job, days_job

if TYPE_CHECKING:
    from app.tui.messages import DayFound, DaysRead
    from app.tui.screens.main import Main
    from app.tui.widgets.scrubber import Scrubber


class DayController(Controller):
    """The line of days is made when it is asked for: a start does not need it."""

    def __init__(
        self, screen: Main, state: ScreenState, panes: PaneController, prompt: PromptController,
        story: StoryController,
    ) -> None:  # fmt: skip
        super().__init__(screen, state)
        self._panes = panes
        self._prompt = prompt
        self._story = story
        self.scrubbing = False
        """The line of days is there."""

    # going to a day
    async def go_to_day(self) -> None:
        await self._prompt.ask("day")

    async def day_given(self, typed: str) -> None:
        from app.tui.days import day_from

        day = day_from(typed, self.state.clock.today())
        if day is None and typed.strip():
            self.warn("That is no day. Try 12 May, 2026-05, last week.")
            return
        await self._prompt.close()
        if day is not None:
            self._ask_day(day)

    def _ask_day(self, day: str) -> None:
        self.session.story.ask(self.screen, day_job(self._story.telling, day), name="day")

    def take_day(self, message: DayFound) -> None:
        if message.telling == self.screen.story.telling:
            self.screen.story.move_to(message.place, centre=True)

    # as of a day
    @property
    def scrubber(self) -> Scrubber | None:
        return cast("Scrubber | None", next(iter(self.screen.query("#scrubber")), None))

    async def as_of(self) -> None:
        from app.tui.widgets.scrubber import Scrubber

        self._panes.show("story")
        scrubber = self.scrubber
        if scrubber is None:
            scrubber = Scrubber()
            await self._panes.box("story").ask(scrubber)
        self.scrubbing = True
        self.session.story.ask(self.screen, days_job(), name="days")
        self.screen.set_focus(scrubber)
        self.screen.tell_keys()

    def take_days(self, message: DaysRead) -> None:
        if (scrubber := self.scrubber) is not None:
            scrubber.take(message.notes, message.belie)

    def scrubbed(self, message: Scrubber.Moved) -> None:
        self._story.ask(replace(self._story.telling, day=message.day, by=message.by))
        # What that day brought is what changes on the screen.
        self._ask_day(message.day)

    def back_to_story(self) -> None:
        """Leave the line of days where it is."""
        self.screen.set_focus(self.screen.story)

    async def end(self) -> None:
        """Take the line of days away."""
        if (scrubber := self.scrubber) is not None:
            self.scrubbing = False
            await scrubber.remove()
