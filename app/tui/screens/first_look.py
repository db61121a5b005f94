"""The first reading of a vault, watched: how far it is, and the conflicts as they are found."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen

from app.conflicts.title import conflict_title
from app.pipeline import messages as index
from app.plain import shown
from app.store.rows import Counts
from app.tui.messages import FromIndex, StoreFailed
from app.tui.widgets.page import Block, Line, Page
from app.tui.widgets.words import Words
from app.tui.wording import KIND_GLYPH, plural
from app.words import Kind

if TYPE_CHECKING:
    from app.store.store import Store
    from app.tui.app import Workspace

_BAR, _SHORT_BAR = 40, 24
_MOST_CONFLICTS = 200
"""Conflicts named; the rest is counted."""
_STAGES = {
    "looking": "Looking through the folder …",
    "reading": "Reading your notes",
    "comparing": "Holding them against each other",
    "rereading": "Reading closely what the rules could not",
    "judging": "Weighing what is near",
    "detecting": "Reading your notes as a story",
}


class Titled(NamedTuple):
    kind: Kind
    title: str


@dataclass
class SoFar(Message, bubble=False):
    """What has been found by now."""

    conflicts: tuple[Titled, ...]
    counts: Counts


class FirstLook(ModalScreen[None]):
    """Any of the usual keys goes on to the workspace, whether reading has ended or not."""

    CSS_PATH = Path(__file__).with_name("welcome.tcss")
    BINDINGS = [Binding("enter,escape,space,q", "dismiss(None)", "on to the workspace")]  # noqa: RUF012
    AUTO_FOCUS = ""
    HEARS_INDEX = True

    def __init__(self) -> None:
        super().__init__()
        self._progress = index.Progress("looking", 0, 0)
        self._ended = False
        self._counts = Counts()

    @property
    def workspace(self) -> Workspace:
        return cast("Workspace", self.app)

    def compose(self) -> ComposeResult:
        with Vertical(id="first") as box:
            box.border_title = Content(
                shown(f"Reading {self.workspace.session.vault.name} for the first time")
            )
            box.border_subtitle = Content("Enter goes on; reading continues behind it")
            yield Words(id="first-bar")
            page = Page(id="first-found")
            page.can_focus = False
            yield page

    def on_mount(self) -> None:
        self._tell()

    @on(FromIndex)
    def _heard(self, message: FromIndex) -> None:
        match message.word:
            case index.Progress() as progress if progress.stage != "done":
                self._progress = progress
            case index.Indexed():
                self._ended = True
            case index.Trouble(text, fatal) if fatal:
                self._trouble(text)
                return
        self._tell()
        self.workspace.session.conflicts.ask(self, _so_far, name="so far")

    @on(SoFar)
    def _so_far_read(self, message: SoFar) -> None:
        self._counts = message.counts
        self.query_one(Page).show([_block(conflict) for conflict in message.conflicts])
        self._keep_room(not self._ended)
        self._tell()

    @on(StoreFailed)
    def _failed(self, message: StoreFailed) -> None:
        self._trouble(message.text)

    def _keep_room(self, more: bool) -> None:
        """Where nothing was found and no more is to come, no room is kept for it."""
        page = self.query_one(Page)
        page.display = more or bool(page.blocks)

    def _trouble(self, text: str) -> None:
        self._keep_room(False)
        self.query_one("#first-bar", Words).put(Content.styled(shown(text), "$error"))
        self.query_one("#first").border_subtitle = Content("Enter goes on to the workspace")

    def _tell(self) -> None:
        found = plural(self._counts.open, "conflict")
        if self._ended:
            told = (
                f"{plural(self._counts.claims, 'statement')} in {plural(self._counts.notes, 'note')} read. "
            )
            line = Content.assemble(
                (told, "bold"),
                (f"{found} to settle." if self._counts.open else "Nothing contradicts itself.",
                 "bold $warning" if self._counts.open else "bold $success"),
            )  # fmt: skip
            self.query_one("#first").border_subtitle = Content("Enter begins")
        else:
            progress = self._progress
            words = _STAGES.get(progress.stage, "Reading your notes")
            bar = _SHORT_BAR if self.has_class("-narrow") else _BAR
            done = min(bar, bar * progress.done // progress.total) if progress.total else 0
            count = f"  {progress.done:,} of {progress.total:,}" if progress.total else ""
            line = Content.assemble(
                (f"{words}{count}", "bold"), "\n", ("━" * done, "$primary"), ("━" * (bar - done), "$line"),
                (f"  {found} so far" if self._counts.open else "", "$warning"),
            )  # fmt: skip
        self.query_one("#first-bar", Words).put(line)


def _so_far(store: Store) -> SoFar:
    conflicts = store.conflicts.open()[:_MOST_CONFLICTS]
    members = {id for conflict in conflicts for id in conflict.members}
    claims = {claim.id: claim for claim in store.claims.all(ids=members)} if members else {}
    found = tuple(
        Titled(one.kind, conflict_title(one, [claims[id] for id in one.members if id in claims]))
        for one in conflicts
    )
    return SoFar(found, store.counts())


def _block(conflict: Titled) -> Block:
    return Block((Line(conflict.title, "text", head=f"{KIND_GLYPH[conflict.kind]} ", head_look="warning"),))
