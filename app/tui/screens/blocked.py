"""A statement the guard refuses: leave it, supersede what it contradicts, or store it as an exception."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input

from app.capture.outcomes import Outcome, Wanted
from app.plain import shown
from app.tui.verdicts import claim_words
from app.tui.widgets.hanging import Hanging

Way = Literal["supersede", "force"]
_ASKS: dict[Way, str] = {
    "supersede": "why does what you held no longer hold?",
    "force": "why may both stand?",
}


class Blocked(ModalScreen["Wanted | None"]):
    """Answers with the statement as it is to be stored, with its reason; None: it is not."""

    CSS_PATH = Path(__file__).with_name("capture.tcss")
    BINDINGS = [  # noqa: RUF012
        Binding("escape", "back", "leave it", show=False),
        Binding("s", "choose('supersede')", "supersede", show=False),
        Binding("f", "choose('force')", "force", show=False),
        *(Binding(str(number), f"mark({number})", show=False) for number in range(1, 10)),
    ]

    AUTO_FOCUS = ""
    """The keys come first; the line for the reason is there when one is asked for."""

    def __init__(self, wanted: Wanted, outcome: Outcome) -> None:
        super().__init__()
        self._wanted = wanted
        self._outcome = outcome
        self._marked = 0
        """Which of several is to be superseded; 0: all of them."""
        self._way: Way | None = None

    def compose(self) -> ComposeResult:
        with Vertical(id="blocked", classes="dialog") as box:
            box.border_title = Content("It contradicts what you hold")
            yield Hanging(id="blocked-text")
            with VerticalScroll(id="blocked-scroll", can_focus=False):
                yield Hanging(id="blocked-against")
            yield Hanging(id="blocked-ways")
            yield Input(compact=True, id="blocked-why")

    def on_mount(self) -> None:
        self.query_one("#blocked-text", Hanging).put(
            Content.assemble(("not stored yet:  ", "$muted"), (shown(self._wanted.text[:400]), "bold"))
        )
        self._show()

    def _show(self) -> None:
        verdict = self._outcome.verdict
        several = len(verdict.against) > 1
        reasons = {member: finding for finding in reversed(verdict.findings) for member in finding.members}
        self.query_one("#blocked-against", Hanging).put(
            Content("\n").join(
                [
                    claim_words(
                        claim, number, reasons.get(claim.id), marked=several and number == self._marked
                    )
                    for number, claim in enumerate(verdict.against[:9], start=1)
                ]
            )
        )
        which = "it" if not several else f"number {self._marked} alone" if self._marked else "all of them"
        self.query_one("#blocked-ways", Hanging).put(
            Content("\n").join(
                [
                    self._line("Esc", "leave it at that", None),
                    self._line("s", f"let this stand instead of {which}", "supersede"),
                    self._line("f", "store it all the same, as an exception", "force"),
                ]
            )
        )
        why = self.query_one("#blocked-why", Input)
        why.display = self._way is not None
        hint = "a number means that one alone" if several and self._way is None else ""
        if self._way is not None:
            why.placeholder = _ASKS[self._way]
            self.set_focus(why)
            hint = "Enter stores it with your reason, Esc goes back"
        self.query_one("#blocked").border_subtitle = Content(hint)

    def _line(self, key: str, said: str, way: Way | None) -> Content:
        chosen = way is not None and way == self._way
        return Content.assemble(
            (f"{key:<5}", "bold $primary"),
            (said, "bold" if chosen else ""),
            ("  ←" if chosen else "", "$primary"),
        )

    def action_choose(self, way: Way) -> None:
        if way == "supersede" and not self._outcome.verdict.against:
            return
        self._way = way
        self._show()

    def action_mark(self, number: int) -> None:
        """That one alone; once more, all of them again."""
        if number <= min(9, len(self._outcome.verdict.against)):
            self._marked = 0 if number == self._marked else number
            self._show()

    def action_back(self) -> None:
        """From the reason to the ways; from there out."""
        if self._way is None:
            self.dismiss(None)
            return
        self._way = None
        self.set_focus(None)
        self._show()

    @on(Input.Submitted, "#blocked-why")
    def _given(self, message: Input.Submitted) -> None:
        why = message.value.strip()
        if not why:
            self.query_one("#blocked").border_subtitle = Content("A reason in words is needed: it is kept.")
            return
        if self._way == "force":
            self.dismiss(replace(self._wanted, exception=why))
        else:
            against = [claim.id for claim in self._outcome.verdict.against]
            chosen = [against[self._marked - 1]] if self._marked else against
            # What was superseded in the round before stays so.
            first, *also = (*self._wanted.superseded, *chosen)
            answer = replace(self._wanted, verb="supersede", replaces=first, also=tuple(also), reason=why)
            self.dismiss(answer)

    def on_click(self, event: events.Click) -> None:
        """The ways can be clicked."""
        if event.widget is not None and event.widget.id == "blocked-ways":
            offset = event.get_content_offset(event.widget)
            if offset is not None and offset.y in (0, 1, 2):
                (
                    self.action_back,
                    lambda: self.action_choose("supersede"),
                    lambda: self.action_choose("force"),
                )[offset.y]()
