"""The history: what was decided, the newest first; any decision can be taken back."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from textual import on
from textual.message import Message
from textual.widget import Widget

from app.plain import shown
from app.tui.clock import day_in_words
from app.tui.ledger_reading import Entry, read_history
from app.tui.screens.place import Place, place_bindings
from app.tui.store_thread import Job
from app.tui.widgets.page import BLANK, Block, Line, Page, heading
from app.tui.widgets.pane import Pane
from app.tui.wording import plural

if TYPE_CHECKING:
    from app.store.store import Store

_PAGE = 200


@dataclass
class HistoryRead(Message, bubble=False):
    """The newest entries of the ledger."""

    entries: tuple[Entry, ...]
    more: bool


@dataclass
class TakenBack(Message, bubble=False):
    """What became of taking a decision back."""

    seq: int
    said: str
    trouble: str = ""


class History(Place):
    HOLDER = "history"
    NAME = "History"
    ABOUT = (
        "Every decision is kept, with its reason. Taking one back is a decision of its own; "
        "nothing is ever erased."
    )
    BINDINGS = place_bindings("history")
    AUTO_FOCUS = "#history"

    def __init__(self) -> None:
        super().__init__()
        self._entries: tuple[Entry, ...] = ()
        self._more = False
        self._limit = _PAGE
        self._everything = False

    def content(self) -> Iterable[Widget]:
        yield Pane("Decisions", content=Page(id="history"), id="history-pane")

    def begin(self) -> None:
        if not self._entries:
            self._pane.say("Opening the ledger …")
        limit, everything = self._limit, self._everything
        self.workspace.session.conflicts.ask(
            self,
            lambda store: HistoryRead(*read_history(store, limit, everything=everything)),
            name="history",
        )

    @property
    def _pane(self) -> Pane:
        return self.query_one("#history-pane", Pane)

    @property
    def _page(self) -> Page:
        return self.query_one("#history", Page)

    @property
    def _here(self) -> Entry | None:
        block = self._page.here
        return next((e for e in self._entries if block is not None and str(e.seq) == block.key), None)

    def able(self) -> frozenset[str]:
        entry = self._here
        can = {"more"}
        if entry is not None and entry.undoable and self.workspace.writable:
            can.add("undo")
        if entry is not None and entry.conflict is not None:
            can.add("show")
        return frozenset(can)

    @on(HistoryRead)
    def _read(self, message: HistoryRead) -> None:
        self._entries, self._more = message.entries, message.more
        self._page.show(_blocks(self._entries))
        if self._entries:
            self._pane.say("")
        else:
            self._pane.say(
                "Nothing has been decided yet.", "What you settle, capture or undo is listed here."
            )
        self._entitle()
        self.tell_keys()

    def _entitle(self) -> None:
        title = "Everything that happened" if self._everything else "Decisions"
        entry = self._here
        count = plural(len(self._entries), "entry", "entries") + (" and more" if self._more else "")
        self._pane.name_as(title, f"event {entry.seq}  ·  {count}" if entry else "")

    @on(Page.Moved)
    def _moved(self) -> None:
        self._entitle()
        last = self._entries[-1] if self._entries else None
        if self._more and last is not None and self._here is last:
            self._limit += _PAGE
            self.begin()

    @on(Page.Chosen)
    def _chosen(self) -> None:
        if "show" in self.able():
            self.action_history_show()

    def action_history_more(self) -> None:
        self._everything = not self._everything
        self._limit = _PAGE
        self.begin()

    def action_history_show(self) -> None:
        entry = self._here
        if entry is not None and entry.conflict is not None:
            self.workspace.navigator.show_conflict(entry.conflict)

    def action_history_undo(self) -> None:
        entry = self._here
        if entry is not None:
            self.workspace.session.decisions.ask(self, self._take_back(entry.seq))

    def _take_back(self, seq: int) -> Job:
        from app.store.errors import StoreError
        from app.tui.decision_jobs import Step, take_back

        vault, backups = self.workspace.session.vault, self.workspace.backups
        entry = next(e for e in self._entries if e.seq == seq)
        kind: Literal["decision", "written"] = "written" if entry.verb.startswith("Written") else "decision"

        def job(store: Store) -> TakenBack:
            try:
                take_back(store, Step(kind, seq), vault, backups)
            except StoreError as error:
                return TakenBack(seq, "", str(error))
            return TakenBack(seq, f"Taken back: {entry.verb.lower()}.")

        return job

    @on(TakenBack)
    def _taken_back(self, message: TakenBack) -> None:
        if message.trouble:
            self.warn(message.trouble)
            return
        self.notify(shown(message.said), timeout=4, markup=False)
        if (main := self.workspace.main) is not None:
            main.controllers.decisions.taken_back(message.seq)
        self.begin()


def _blocks(entries: Iterable[Entry]) -> list[Block]:
    """Days as headings, the newest first, each entry under its day."""
    blocks: list[Block] = []
    day = ""
    for entry in entries:
        when = datetime.fromisoformat(entry.at).astimezone()
        if day != (day := when.date().isoformat()):
            blocks += [BLANK] if blocks else []
            blocks.append(heading(day_in_words(day)))
        blocks.append(_block(entry, when))
    return blocks


def _block(entry: Entry, when: datetime) -> Block:
    indent = " " * 7
    look = "struck" if entry.undone else "strong" if entry.by_person else "muted"
    aside = "taken back" if entry.undone else ""
    lines = [Line(entry.verb, look, head=f"{when:%H:%M}  ", aside=aside)]
    lines.append(Line(entry.about, "muted" if entry.undone else "text", head=indent))
    lines += [Line(text, "muted", head=indent) for text in entry.details]
    if entry.why:
        lines.append(Line(f"“{entry.why}”", "accent", head=indent))
    return Block(tuple(lines), key=str(entry.seq))
