"""Redaction, confirmed: what goes, what stays, that it is for good, and a word nobody types by accident."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input

from app.cells import clip
from app.plain import shown
from app.tui.widgets.words import Words
from app.tui.wording import plural

if TYPE_CHECKING:
    from app.words import Claim

_WORD = "redact"
_LONGEST_TEXT = 240
_LOST = (
    "These words go for good: out of the store and its history, out of forks, out of backups of notes and "
    "the pages of the mirror. That they were there, and why they went, stays on record. It cannot be undone; "
    "u does not bring them back."
)
_NOTES = "Your notes are not edited: the line stays there, and Belie does not read it again."


class Redact(ModalScreen["str | None"]):
    """Answers with the reason; None: everything stays as it is."""

    CSS_PATH = Path(__file__).with_name("capture.tcss")
    BINDINGS = [Binding("escape", "dismiss(None)", show=False)]  # noqa: RUF012
    AUTO_FOCUS = "#redact-why"

    def __init__(self, claims: Sequence[Claim]) -> None:
        super().__init__()
        self._claims = claims

    def compose(self) -> ComposeResult:
        with Vertical(id="redact", classes="dialog") as box:
            box.border_title = Content(f"Redact {plural(len(self._claims), 'statement')}")
            with VerticalScroll(id="redact-scroll", can_focus=False):
                yield Words(id="redact-claims")
            yield Words(id="redact-lost")
            yield Input(
                placeholder="why? It is kept, so do not repeat the words", compact=True, id="redact-why"
            )
            yield Input(placeholder=f"type {_WORD} to take them out", compact=True, id="redact-word")

    def on_mount(self) -> None:
        self.query_one("#redact-claims", Words).put(Content("\n").join([_told(c) for c in self._claims]))
        self.query_one("#redact-lost", Words).put(Content.assemble(_LOST, "\n\n", (_NOTES, "$muted")))
        self._hint("Esc leaves everything as it is")

    def _hint(self, said: str) -> None:
        self.query_one("#redact").border_subtitle = Content(said)

    @on(Input.Submitted, "#redact-why")
    def _why_given(self) -> None:
        self.query_one("#redact-word", Input).focus()

    @on(Input.Submitted, "#redact-word")
    def _word_given(self, message: Input.Submitted) -> None:
        why = self.query_one("#redact-why", Input)
        if not why.value.strip():
            self._hint("A reason in words is needed: it is kept.")
            why.focus()
        elif message.value.strip().casefold() != _WORD:
            self._hint(f"Type {_WORD}, or Esc to leave everything as it is")
        else:
            self.dismiss(why.value.strip())


def _told(claim: Claim) -> Content:
    place = f"{claim.statement.path}:{claim.statement.line}"
    return Content.assemble(
        (clip(claim.statement.text, _LONGEST_TEXT), "bold"), "\n", (f"  {shown(place)}", "$muted")
    )
