"""Which part of the story is told: searching, filtering, one subject, a day, and the story as of a day."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from textual import on

from app.tui.commands import Pane
from app.tui.messages import DayFound, DaysRead, FacetsRead, ThreadFound
from app.tui.screens.workspace.jobs import days_job, facets_job, thread_job
from app.tui.screens.workspace.selecting import Selecting
from app.tui.story_view import WHOLE, StoryView, with_field

if TYPE_CHECKING:
    from app.tui.widgets.completion import Completion
    from app.tui.widgets.prompt import Prompt, Purpose
    from app.tui.widgets.scrubber import Scrubber


class StoryKeys(Selecting):
    """The line to type in and the scrubber are made when they are asked for: a start needs neither."""

    _before_search = WHOLE
    _came_from: Pane = "conflicts"

    # a line to type in, one at a time
    async def ask(self, purpose: Purpose, value: str = "") -> Prompt:
        from app.tui.widgets.completion import Completion
        from app.tui.widgets.prompt import Prompt

        await self.close_prompt()
        self._came_from = self.pane_here
        prompt = Prompt(purpose, value, suggester=Completion() if purpose == "search" else None)
        pane: Pane = "detail" if purpose == "reason" else "story"
        self.show_pane(pane)
        await self.pane(pane).ask(prompt)
        prompt.focus()
        return prompt

    @property
    def prompt(self) -> Prompt | None:
        return cast("Prompt | None", next(iter(self.query("#prompt")), None))

    async def close_prompt(self) -> None:
        if (prompt := self.prompt) is not None:
            # A reason is given in passing; who asks for a part of the story wants to be there.
            back: Pane = self._came_from if prompt.purpose == "reason" else "story"
            await prompt.remove()
            self.show_pane(back)

    # searching and filtering
    async def action_search(self) -> None:
        self._before_search = self.telling
        await self.ask("search", self.telling.query)
        self.workspace.story.ask(self, facets_job(), name="facets")

    def searched(self, typed: str) -> None:
        if typed.strip() != self.telling.query.strip():
            self.ask_story(replace(self.telling, query=typed))

    async def search_dropped(self) -> None:
        await self.close_prompt()
        if self.telling != self._before_search:
            self.ask_story(replace(self.telling, query=""))

    def action_filter(self) -> None:
        from app.tui.screens.filter import Filter

        def chosen(field: tuple[str, str] | None) -> None:
            if field is not None:
                self.tell(replace(self.telling, query=with_field(self.telling.query, *field)))

        self.app.push_screen(Filter(), chosen)
        self.workspace.story.ask(self.app.screen, facets_job(), name="facets")

    @on(FacetsRead)
    def _facets_read(self, message: FacetsRead) -> None:
        if (prompt := self.prompt) is not None and prompt.suggester is not None:
            cast("Completion", prompt.suggester).learn(message.facets)

    def tell(self, telling: StoryView) -> None:
        """Tell another part of the story, in its pane."""
        self.show_pane("story")
        self.ask_story(telling)

    @property
    def claim_here(self) -> str | None:
        """The claim meant: the line of the story when that has the focus, else the marked member."""
        member = self.detail.marked_member
        row = self.story.here if self.pane_here == "story" else None
        return row.id if row is not None else member.claim.id if member is not None else None

    def action_thread(self) -> None:
        if (claim := self.claim_here) is not None:
            self.workspace.story.ask(self, thread_job(claim), name="thread")

    @on(ThreadFound)
    def _thread_found(self, message: ThreadFound) -> None:
        if message.subject is None:
            self.notify("What this line is about is not known.", severity="warning", markup=False)
        else:
            self.tell(replace(self.telling, query=with_field("", "subject", message.subject)))

    # days
    async def action_go_to_day(self) -> None:
        await self.ask("day")

    async def day_given(self, typed: str) -> None:
        from app.tui.days import day_from

        day = day_from(typed, self.clock.today())
        if day is None and typed.strip():
            self.notify("That is no day. Try 12 May, 2026-05, last week.", severity="warning", markup=False)
            return
        await self.close_prompt()
        if day is not None:
            self.ask_day(day)

    @on(DayFound)
    def _day_found(self, message: DayFound) -> None:
        if message.telling == self.story.telling:
            self.story.move_to(message.place, centre=True)

    # as of a day
    @property
    def scrubber(self) -> Scrubber | None:
        return cast("Scrubber | None", next(iter(self.query("#scrubber")), None))

    async def action_as_of(self) -> None:
        from app.tui.widgets.scrubber import Scrubber

        self.show_pane("story")
        scrubber = self.scrubber
        if scrubber is None:
            scrubber = Scrubber()
            await self.pane("story").ask(scrubber)
        self.scrubbing = True
        self.workspace.story.ask(self, days_job(), name="days")
        scrubber.focus()
        self.tell_keys()

    @on(DaysRead)
    def _days_read(self, message: DaysRead) -> None:
        if (scrubber := self.scrubber) is not None:
            scrubber.take(message.notes, message.belie)

    def on_scrubber_moved(self, message: Scrubber.Moved) -> None:
        self.ask_story(replace(self.telling, day=message.day, by=message.by))
        # What that day brought is what changes on the screen.
        self.ask_day(message.day)

    def on_scrubber_done(self) -> None:
        self.story.focus()

    async def action_clear(self) -> None:
        """Let go of what is picked, or show the whole story again."""
        if self.queue.picked:
            self.queue.pick(tuple(self.queue.picked), on=False)
            return
        await self.close_prompt()
        if (scrubber := self.scrubber) is not None:
            self.scrubbing = False
            await scrubber.remove()
        if not self.telling.whole:
            self.ask_story(WHOLE)
        if self.pane_here == "story":
            self.story.focus()

    # to the next thing that needs an answer
    def action_next_disputed(self) -> None:
        self._to_disputed(1)

    def action_previous_disputed(self) -> None:
        self._to_disputed(-1)

    def _to_disputed(self, way: int) -> None:
        place = self.story.next_disputed(way)
        if place is None:
            self.notify("No disputed line further on." if way > 0 else "No disputed line before.", timeout=2,
                        markup=False)  # fmt: skip
            return
        self.show_pane("story")
        self.story.move_to(place, centre=True)
