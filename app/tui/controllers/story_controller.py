"""Which part of the story is told: all of it, what is searched for, one subject; and its disputed lines."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from app.tui.controllers.controller import Controller, ScreenState
from app.tui.controllers.line_here import LineHere
from app.tui.controllers.pane_controller import PaneController
from app.tui.controllers.prompt_controller import PromptController
from app.tui.reading_jobs import facets_job, page_job, story_job, thread_job
from app.tui.story_view import WHOLE, StoryView, with_field

if TYPE_CHECKING:
    from app.tui.messages import FacetsRead, StoryPage, StoryRead, ThreadFound
    from app.tui.screens.main import Main
    from app.tui.widgets.completion import Completion
    from app.tui.widgets.story import Story


class StoryController(Controller):
    """What is asked for changes at once; what is shown follows when it has been read."""

    def __init__(
        self,
        screen: Main,
        state: ScreenState,
        panes: PaneController,
        prompt: PromptController,
        line: LineHere,
    ) -> None:
        super().__init__(screen, state)
        self._panes = panes
        self._prompt = prompt
        self._line = line
        self.telling = WHOLE
        """What is asked for."""
        self._before_search = WHOLE
        self._generation = 0

    def ask(self, telling: StoryView | None = None) -> None:
        """Read the story, or another part of it than before."""
        self._generation += 1
        self.telling = telling or self.telling
        job = story_job(self._generation, self.telling, self.screen.story.near)
        self.session.story.ask(self.screen, job, name="story")

    def take(self, message: StoryRead) -> bool:
        """Show what was read; says whether it was still wanted. Not only the newest is: while notes stream
        in, each answer is a little late already."""
        wanted = message.telling == self.telling and message.generation > self.screen.story.generation
        if wanted:
            self.screen.story.take(message)
        return wanted

    def ask_page(self, message: Story.PageWanted) -> None:
        job = page_job(message.generation, message.page, message.ids)
        self.session.story.ask(self.screen, job, name=f"page {message.page}")

    def take_page(self, message: StoryPage) -> None:
        self.screen.story.take_page(message.generation, message.page, message.rows)
        self._panes.name_story()

    def tell(self, telling: StoryView) -> None:
        """Tell another part of the story, in its pane."""
        self._panes.show("story")
        self.ask(telling)

    # searching and filtering
    async def search(self) -> None:
        self._before_search = self.telling
        await self._prompt.ask("search", self.telling.query)
        self.session.story.ask(self.screen, facets_job(), name="facets")

    def search_typed(self, typed: str) -> None:
        if typed.strip() != self.telling.query.strip():
            self.ask(replace(self.telling, query=typed))

    async def search_dropped(self) -> None:
        await self._prompt.close()
        if self.telling != self._before_search:
            self.ask(replace(self.telling, query=""))

    def filter(self) -> None:
        from app.tui.screens.filter import Filter

        def chosen(field: tuple[str, str] | None) -> None:
            if field is not None:
                self.tell(replace(self.telling, query=with_field(self.telling.query, *field)))

        self.screen.app.push_screen(Filter(), chosen)
        self.session.story.ask(self.screen.app.screen, facets_job(), name="facets")

    def take_facets(self, message: FacetsRead) -> None:
        if (prompt := self._prompt.line) is not None and prompt.suggester is not None:
            cast("Completion", prompt.suggester).learn(message.facets)

    # one subject
    def thread(self) -> None:
        if (claim := self._line.claim) is not None:
            self.session.story.ask(self.screen, thread_job(claim), name="thread")

    def take_thread(self, message: ThreadFound) -> None:
        if message.subject is None:
            self.warn("What this line is about is not known.")
        elif not self._panes.typing:
            self.tell(replace(self.telling, query=with_field("", "subject", message.subject)))

    # to the next thing that needs an answer
    def next_disputed(self) -> None:
        self._to_disputed(1)

    def previous_disputed(self) -> None:
        self._to_disputed(-1)

    def _to_disputed(self, way: int) -> None:
        place = self.screen.story.next_disputed(way)
        if place is None:
            self.notify("No disputed line further on." if way > 0 else "No disputed line before.", 2)
            return
        self._panes.show("story")
        self.screen.story.move_to(place, centre=True)
