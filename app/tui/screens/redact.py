"""Redaction, confirmed: what goes, what stays, that it is for good, and a word nobody types by accident."""

from __future__ import annotations

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
from app.tui.messages import StoreFailed
from app.tui.redaction_jobs import RedactionRead
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
    """Answers with the reason; None: everything stays as it is. It is there before the store has said what
    would go, and takes no word for it until then."""

    CSS_PATH = Path(__file__).with_name("capture.tcss")
    BINDINGS = [Binding("escape", "dismiss(None)", show=False)]  # noqa: RUF012
    AUTO_FOCUS = "#redact-why"

    def __init__(self) -> None:
        super().__init__()
        self._claims: tuple[Claim, ...] = ()

    def compose(self) -> ComposeResult:
        with Vertical(id="redact", classes="dialog") as box:
            box.border_title = Content("Redact")
            with VerticalScroll(id="redact-scroll", can_focus=False):
                yield Words(id="redact-claims")
            yield Words(id="redact-lost")
            yield Input(
                placeholder="why? It is kept, so do not repeat the words", compact=True, id="redact-why"
            )
            yield Input(placeholder=f"type {_WORD} to take them out", compact=True, id="redact-word")

    def on_mount(self) -> None:
        self._say(Content.styled("Looking up what would go …", "$muted"))
        self.query_one("#redact-lost", Words).put(Content.assemble(_LOST, "\n\n", (_NOTES, "$muted")))
        self._hint("Esc leaves everything as it is")

    @on(RedactionRead)
    def _read(self, message: RedactionRead) -> None:
        # Words that come while the dialog is laid out for the first time would get no room of their own.
        self.call_after_refresh(self._show, message.claims)

    def _show(self, claims: tuple[Claim, ...]) -> None:
        self._claims = claims
        if claims:
            self.query_one("#redact").border_title = Content(f"Redact {plural(len(claims), 'statement')}")
            self._say(Content("\n").join([_told(claim) for claim in claims]))
        else:
            self._say(Content.styled("Its words are gone already.", "$warning"))

    @on(StoreFailed)
    def _failed(self, message: StoreFailed) -> None:
        self.call_after_refresh(self._say, Content.styled(shown(message.text), "$warning"))

    def _say(self, words: Content) -> None:
        self.query_one("#redact-claims", Words).put(words)

    def _hint(self, said: str) -> None:
        self.query_one("#redact").border_subtitle = Content(said)

    @on(Input.Submitted, "#redact-why")
    def _why_given(self) -> None:
        self.set_focus(self.query_one("#redact-word", Input))

    @on(Input.Submitted, "#redact-word")
    def _word_given(self, message: Input.Submitted) -> None:
        why = self.query_one("#redact-why", Input)
        if not self._claims:
            self._hint("There is nothing to take out, Esc closes")
        elif not why.value.strip():
            self._hint("A reason in words is needed: it is kept.")
            self.set_focus(why)
        elif message.value.strip().casefold() != _WORD:
            self._hint(f"Type {_WORD}, or Esc to leave everything as it is")
        else:
            self.dismiss(why.value.strip())


def _told(claim: Claim) -> Content:
    place = f"{claim.statement.path}:{claim.statement.line}"
    return Content.assemble(
        (clip(claim.statement.text, _LONGEST_TEXT), "bold"), "\n", (f"  {shown(place)}", "$muted")
    )
