"""The main screen: Story, Conflicts and Detail. Its layers are in `workspace/`; here it is put together."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.events import ScreenResume

from app.tui.commands import PANES, TABS, bindings
from app.tui.screens.workspace.hearing import Hearing
from app.tui.widgets.choice import Choice
from app.tui.widgets.conflicts import Conflicts
from app.tui.widgets.detail import Detail
from app.tui.widgets.ground import Panes
from app.tui.widgets.keys import Keys
from app.tui.widgets.pane import Pane
from app.tui.widgets.status import Status
from app.tui.widgets.story import Story
from app.tui.widgets.top import Top
from app.tui.widgets.words import Words


class Main(Hearing):
    """Where the person works; everything else is opened over it."""

    BINDINGS = bindings("workspace")
    AUTO_FOCUS = "#queue"
    _seen_before = False

    def compose(self) -> ComposeResult:
        today = self.clock.today()
        yield Top(self.vault.name)
        yield Choice(PANES, id="pane-choice")
        with Panes(id="panes", classes="-show-conflicts"):
            yield Pane("Conflicts", Choice(TABS, id="tab-choice"), content=Conflicts(today=today, id="queue"),
                       id="conflicts", saying=True)  # fmt: skip
            yield Pane("Detail", content=Detail(id="whole"), below=Words(id="answers"),
                       id="detail", saying=True)  # fmt: skip
            yield Pane("Story", content=Story(today=today, id="lines"), id="story", saying=True)
        yield Status()
        yield Keys()

    def on_screen_resume(self, event: ScreenResume) -> None:
        # What comes to the front is styled anew; the first time all of it was styled a moment ago.
        event.refresh_styles, self._seen_before = self._seen_before, True

    def on_mount(self) -> None:
        self.status.models = self.models
        self.query_one("#pane-choice", Choice).label(conflicts="Conflicts", detail="Detail", story="Story")
        self.show_states()
        # The window first: what reads and what indexes are loaded behind it.
        self.call_after_refresh(self.open_store)
        self.call_after_refresh(self.workspace.start_worker)
