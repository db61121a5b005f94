"""What every further screen has: a line on top, its content, the keys below, and the way back."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Container
from textual.widget import Widget

from app.plain import shown
from app.tui.commands import Holder, Situation, bindings
from app.tui.editor_session import open_note
from app.tui.messages import StoreFailed
from app.tui.screens.situated import Situated
from app.tui.widgets.keys import Keys
from app.tui.widgets.page import Page
from app.tui.widgets.pane import Pane
from app.tui.widgets.top import Top


class Place(Situated):
    """A screen over the main one. A subclass says what it is called, what is on it and what it can do."""

    CSS_PATH = Path(__file__).with_name("place.tcss")
    HOLDER: ClassVar[Holder]
    NAME: ClassVar[str]
    ABOUT: ClassVar[str]
    """What it is for, in a sentence or two; the help begins with it."""

    @property
    def holders(self) -> frozenset[Holder]:
        """Whose keys work here."""
        return frozenset({"app", "place", "rows", self.HOLDER})

    def compose(self) -> ComposeResult:
        yield Top(self.workspace.session.vault.name, self.NAME)
        with Container(id="place", classes=f"place-{self.HOLDER}"):
            yield from self.content()
        yield Keys(self.holders)

    def content(self) -> Iterable[Widget]:
        raise NotImplementedError

    def on_mount(self) -> None:
        self.begin()
        self.tell_keys()

    def begin(self) -> None:
        """Ask for what is to be shown."""
        raise NotImplementedError

    def able(self) -> frozenset[str]:
        """Which commands of this screen do something now, without the name of the screen."""
        raise NotImplementedError

    @property
    def situation(self) -> Situation:
        return Situation(able=frozenset(f"{self.HOLDER}.{name}" for name in self.able()), place=self.HOLDER)

    def action_back(self) -> None:
        self.dismiss()

    @on(Page.Moved)
    def _cursor_moved(self) -> None:
        self.tell_keys()

    @on(StoreFailed)
    def _store_failed(self, message: StoreFailed) -> None:
        self.failed(message.text)

    def failed(self, text: str) -> None:
        """Something could not be read: say so in the first pane."""
        self.query(Pane).first().say(text, "Esc goes back.", trouble=True)

    def edit(self, file: Path, line: int = 1) -> None:
        """Open a file in the person's editor."""
        if trouble := open_note(self.workspace, file, line):
            self.warn(trouble)

    def warn(self, said: str) -> None:
        self.notify(shown(said), severity="warning", markup=False)


def place_bindings(holder: Holder) -> list:
    """The keys of a screen: its own and the way back."""
    return [*bindings(holder), *bindings("place")]
