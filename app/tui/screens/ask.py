"""One line to type in, asked for in a dialog."""

from __future__ import annotations

from pathlib import Path

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input

from app.plain import shown
from app.tui.widgets.words import Words


class Ask(ModalScreen["str | None"]):
    """Answers with what was typed; None: nothing."""

    CSS_PATH = Path(__file__).with_name("capture.tcss")
    BINDINGS = [Binding("escape", "dismiss(None)", show=False)]  # noqa: RUF012

    def __init__(self, title: str, about: str, value: str = "", *, unset: str = "") -> None:
        """`unset`: what holds while the line is empty."""
        super().__init__()
        self._title, self._about, self._given, self._unset = title, about, value, unset

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog") as box:
            box.border_title = Content(shown(self._title))
            box.border_subtitle = Content("Enter takes it, Esc leaves it as it is")
            yield Input(
                self._given,
                placeholder=shown(self._unset),
                compact=True,
                id="ask-typed",
                select_on_focus=False,
            )
            about = Words(id="ask-about")
            about.put(Content.styled(shown(self._about), "$muted"))
            yield about

    @on(Input.Submitted)
    def _given_up(self, message: Input.Submitted) -> None:
        self.dismiss(message.value)
