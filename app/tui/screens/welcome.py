"""Which vault to open: recent ones, this folder, those of Obsidian, the sample, or one that is typed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input

from app import places
from app.plain import shown
from app.recent import recent
from app.services.errors import ServiceError
from app.services.obsidian_vaults import obsidian_vaults
from app.services.vaults import vault_folder
from app.tui.folders import FolderSuggester, Looked, look, short
from app.tui.widgets.page import BLANK, Block, Line, Page, heading
from app.tui.widgets.words import Words

if TYPE_CHECKING:
    from app.tui.app import Workspace

_PROMISE = "Your notes are only read, and nothing leaves this machine."


@dataclass
class FolderLooked(Message, bubble=False):
    """What is in the folder that is typed; None: there is no such folder."""

    typed: str
    found: Looked | None


@dataclass
class VaultsFound(Message, bubble=False):
    """What a look around finds: the notes in this folder, and the vaults that Obsidian knows."""

    here: Looked | None
    obsidian: tuple[Path, ...]


class Welcome(Screen[None]):
    """Enter opens the line that is marked or the folder that is typed."""

    CSS_PATH = Path(__file__).with_name("welcome.tcss")
    BINDINGS = [  # noqa: RUF012
        Binding("escape", "leave", "leave", show=False),
        Binding("tab,shift+tab", "turn", show=False),
        Binding("slash,i", "type", show=False),
        Binding("down", "turn", show=False),
        Binding("q", "leave", show=False),
    ]
    AUTO_FOCUS = ""

    def compose(self) -> ComposeResult:
        with Vertical(id="welcome"):
            yield Words(id="welcome-name")
            yield Words(id="welcome-said")
            yield Input(placeholder="~/notes", compact=True, id="welcome-typed", suggester=FolderSuggester())
            yield Page(id="welcome-list")
            yield Words(id="welcome-keys")

    @property
    def workspace(self) -> Workspace:
        return cast("Workspace", self.app)

    def on_mount(self) -> None:
        self.query_one("#welcome-name", Words).put(
            Content.assemble(
                ("Belie", "bold $primary"),
                ("   reads your notes as a story and shows where it contradicts itself.\n", ""),
                (_PROMISE, "$muted"),
            )
        )
        self.query_one("#welcome-keys", Words).put(
            Content.assemble(
                ("Enter", "bold $primary"),
                (" opens  ", "$muted"),
                ("Tab", "bold $primary"),
                (" list or folder  ", "$muted"),
                ("Esc", "bold $primary"),
                (" back" if self.workspace.opened else " leaves", "$muted"),
            )
        )
        self._say("The folder your notes are in:")
        page = self.query_one(Page)
        page.show(_blocks(recent(), VaultsFound(None, ())))
        self.set_focus(page if recent() else self.query_one(Input))
        self._find()

    def _say(self, said: str, colour: str = "$muted") -> None:
        self.query_one("#welcome-said", Words).put(Content.styled(shown(said), colour))

    @work(thread=True)
    def _find(self) -> None:
        """Beside the keys: a folder may be large, and Obsidian's may lie on a slow disk."""
        here = Path.cwd()
        there = look(here) if here not in recent() and here != Path.home() else None
        self.post_message(VaultsFound(there, tuple(obsidian_vaults())))

    @on(VaultsFound)
    def _found(self, message: VaultsFound) -> None:
        page = self.query_one(Page)
        blocks = _blocks(recent(), message)
        # Whoever is in the list already stays where they are; else it begins at its beginning.
        kept = page.here if page.has_focus else next(block for block in blocks if block.key)
        page.show(blocks, prefer=kept.key if kept is not None else None)

    # a folder that is typed
    @on(Input.Changed)
    def _typed(self, message: Input.Changed) -> None:
        if message.value.strip():
            self._look(message.value)
        else:
            self._say("The folder your notes are in:")

    @work(thread=True, exclusive=True)
    def _look(self, typed: str) -> None:
        try:
            found = look(Path(typed.strip()).expanduser())
        except (OSError, RuntimeError, ValueError):
            found = None
        self.post_message(FolderLooked(typed, found))

    @on(FolderLooked)
    def _looked(self, message: FolderLooked) -> None:
        if message.typed != self.query_one(Input).value:
            return
        if message.found is None:
            self._say("There is no such folder yet …")
        else:
            self._say(message.found.words, "$success" if message.found.notes else "$warning")

    @on(Input.Submitted)
    def _submitted(self, message: Input.Submitted) -> None:
        if message.value.strip():
            self._open(message.value.strip())
        else:
            self._chosen()

    # one that is listed
    @on(Page.Chosen)
    def _chosen(self) -> None:
        block = self.query_one(Page).here
        if block is not None and block.key is not None:
            self._open(block.key)

    def _open(self, named: str) -> None:
        try:
            self.workspace.navigator.change_vault(vault_folder(named))
        except ServiceError as error:
            self._say(str(error).replace(str(Path.home()), "~"), "$error")

    # keys
    def action_turn(self) -> None:
        typed = self.query_one(Input)
        self.set_focus(self.query_one(Page) if self.focused is typed else typed)

    def action_type(self) -> None:
        self.set_focus(self.query_one(Input))

    async def action_leave(self) -> None:
        if self.workspace.opened:
            self.dismiss()
        else:
            self.app.exit(0)


def _blocks(opened: list[Path], found: VaultsFound) -> list[Block]:
    blocks: list[Block] = []
    if opened:
        blocks += [heading("Opened before"), *(_block(path.name, path) for path in opened), BLANK]
    if found.here is not None and found.here.notes:
        here = Path.cwd()
        blocks += [heading("Where you are"), _block(here.name or "/", here, found.here.words), BLANK]
    if known := [path for path in found.obsidian if path not in opened]:
        blocks += [heading("Obsidian's vaults"), *(_block(path.name, path) for path in known), BLANK]
    sample = places.sample_vault()
    blocks += [
        heading("To try it out"),
        _block("The sample vault", sample, "a year on an oyster farm, with contradictions in it"),
    ]
    return blocks


def _block(name: str, path: Path, more: str = "") -> Block:
    lines = [Line(name, "strong"), Line(more or short(path), "muted")]
    return Block(tuple(lines), key=str(path))
