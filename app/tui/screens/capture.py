"""Capture: a statement typed here is weighed while it is typed and stored in the inbox when it may be."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input

from app.capture.outcomes import Outcome, Wanted
from app.plain import shown
from app.settings import INBOX
from app.tui.capture_jobs import Captured, Desk, Weighed
from app.tui.messages import StoreFailed
from app.tui.screens.blocked import Blocked
from app.tui.verdicts import against, read_as, verdict_words
from app.tui.widgets.hanging import Hanging

if TYPE_CHECKING:
    from app.tui.app import Workspace

_HINT = "Write it as you would in a note. What stands against it appears here while you type."


class Capture(ModalScreen[None]):
    """Enter stores, or shows the ways out when the guard says no."""

    CSS_PATH = Path(__file__).with_name("capture.tcss")
    BINDINGS = [Binding("escape", "dismiss(None)", "close", show=False)]  # noqa: RUF012
    AUTO_FOCUS = "#capture-text"
    PAUSE: ClassVar[float] = 0.12
    """Seconds without a key before the words are weighed."""

    def __init__(self) -> None:
        super().__init__()
        self._timer: Timer | None = None
        self._storing = False

    @property
    def workspace(self) -> Workspace:
        return cast("Workspace", self.app)

    def compose(self) -> ComposeResult:
        with Vertical(id="capture", classes="dialog") as box:
            box.border_title = Content("Capture")
            # Back from the other dialog the next key goes on with the statement, it does not replace it.
            yield Input(placeholder="The office alarm code is 4471.", compact=True, id="capture-text",
                        select_on_focus=False)  # fmt: skip
            yield Input(placeholder="where from, if you found it out (optional)", compact=True,
                        id="capture-source")  # fmt: skip
            with VerticalScroll(id="capture-scroll", can_focus=False):
                yield Hanging(id="capture-verdict")

    def on_mount(self) -> None:
        workspace = self.workspace
        configured = workspace.settings
        inbox = configured.inbox(workspace.session.vault) if configured is not None else INBOX
        models = configured.models if configured is not None else {"use": "rules"}
        today = workspace.clock.today().isoformat()
        self._desk = Desk(workspace.session.vault, workspace.session.overrides, inbox, today, models)
        self._explain()

    @property
    def _box(self) -> Widget:
        return self.query_one("#capture")

    @property
    def _wanted(self) -> Wanted:
        text = self.query_one("#capture-text", Input).value.strip()
        source = self.query_one("#capture-source", Input).value.strip()
        return Wanted("learn" if source else "remember", text, source=source or None)

    def _say(self, words: Content, *, blocked: bool = False) -> None:
        """What the guard says, and in the border what Enter would do."""
        self.query_one("#capture-verdict", Hanging).put(words)
        enter = "shows the ways out" if blocked else f"stores it in {self._desk.inbox}"
        self._box.border_subtitle = Content(shown(f"Enter {enter}, Esc closes"))

    def _explain(self) -> None:
        self._say(Content.styled(_HINT, "$muted"))

    # while typing
    @on(Input.Changed)
    def _typed(self, message: Input.Changed) -> None:
        if (plain := shown(message.value)) != message.value:
            # What was pasted may hold what a terminal would act on.
            message.input.value = plain
            return
        if self._timer is not None:
            self._timer.stop()
        if self.PAUSE:
            self._timer = self.set_timer(self.PAUSE, self._weigh)
        else:
            self._weigh()

    def _weigh(self) -> None:
        wanted = self._wanted
        if not wanted.text:
            self._explain()
            return
        self.workspace.session.thread("capture").ask(self, self._desk.weigh(wanted), name="weigh")

    @on(Weighed)
    def _weighed(self, message: Weighed) -> None:
        # What was weighed before the last key is not shown any more.
        if message.wanted == self._wanted and not self._storing:
            self._show(message.outcome, message.trouble)

    def _show(self, outcome: Outcome | None, trouble: str) -> None:
        if outcome is None:
            self._say(Content.styled(shown(trouble), "$warning"))
            return
        parts = [verdict_words(outcome), read_as(outcome.claims), against(outcome.verdict)]
        said = Content("\n\n").join([part for part in parts if part])
        self._say(said, blocked=outcome.status == "blocked")

    # storing
    @on(Input.Submitted)
    def _submitted(self) -> None:
        if self._wanted.text and not self._storing:
            self._store(self._wanted)

    def _store(self, wanted: Wanted) -> None:
        self._storing = True
        self._say(Content.styled("Looking at your notes as they are now …", "$muted"))
        self.workspace.session.thread("capture").ask(self, self._desk.store(wanted))

    @on(Captured)
    def _captured(self, message: Captured) -> None:
        self._storing = False
        outcome = message.outcome
        if outcome is None:
            self._show(None, message.trouble)
        elif outcome.status == "blocked":
            self._show(outcome, "")
            self._box.visible = False  # its frame would stand out behind the other dialog's
            self.app.push_screen(Blocked(message.wanted, outcome), self._answered)
        else:
            self._done(message.wanted, outcome)

    def _answered(self, wanted: Wanted | None) -> None:
        self._box.visible = True
        self.set_focus(self.query_one("#capture-text", Input))
        if wanted is not None:
            self._store(wanted)

    def _done(self, wanted: Wanted, outcome: Outcome) -> None:
        said = "Held already." if outcome.status == "known" else f"Stored in {self._desk.inbox}."
        if wanted.replaces is not None:
            said += " What it replaces is history now; u takes that back."
        elif outcome.verdict.findings and wanted.exception is None:
            said += " It disagrees with another line; the conflict is in the queue."
        self.workspace.notify(shown(said), timeout=6, markup=False)
        for conflict in outcome.canon:
            told = f"You wrote to a trusted note, and what it says is disputed: {conflict.question}"
            self.workspace.notify(shown(told), severity="warning", timeout=10, markup=False)
        self.workspace.session.look_again()
        if (main := self.workspace.main) is not None:
            main.controllers.store.reload()
        self.dismiss(None)

    @on(StoreFailed)
    def _failed(self, message: StoreFailed) -> None:
        self._storing = False
        self._show(None, message.text)
