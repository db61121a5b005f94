"""What comes back from the threads that read and write: messages, handled where the state is.

They go to whoever asked and no further."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message

from app.index.messages import Message as IndexMessage
from app.store.rows import Counts, StoryFilter, StoryRow
from app.tui.commands import Tab
from app.tui.reading import DetailView, QueueRow


@dataclass
class StoreOpened(Message, bubble=False):
    """The store is there (made or brought up to date); reading can begin."""

    read_only: bool


@dataclass
class StoreFailed(Message, bubble=False):
    """A job on the store failed; `text` can be shown as it is."""

    text: str
    job: str


@dataclass
class FromIndex(Message, bubble=False):
    """Word from the index worker."""

    word: IndexMessage


@dataclass
class StoreChanged(Message, bubble=False):
    """Somebody wrote to the store."""


@dataclass
class QueueRead(Message, bubble=False):
    """The conflicts of a tab, and how much there is of everything."""

    tab: Tab
    rows: tuple[QueueRow, ...]
    counts: Counts
    asked: int
    """Counts the askings, so that an answer from before a decision can be told."""
    prefer: str | None = None
    """The conflict to select, if it is among them."""


@dataclass
class DetailRead(Message, bubble=False):
    """Everything the detail shows of one conflict; None: it is not there any more."""

    conflict_id: str
    view: DetailView | None


@dataclass
class StoryRead(Message, bubble=False):
    """The order of the story, and the pages around where the person is."""

    generation: int
    filter: StoryFilter
    ids: list[str]
    pages: dict[int, list[StoryRow]]


@dataclass
class StoryPage(Message, bubble=False):
    """One more page of the story."""

    generation: int
    page: int
    rows: list[StoryRow]


@dataclass
class Decided(Message, bubble=False):
    """A decision is in the store."""

    conflict_id: str
    said: str
    reopened: bool = False
    """The conflict is back in the queue and should be selected."""
    undoable: bool = True


@dataclass
class DecisionFailed(Message, bubble=False):
    """Nothing was changed; `text` says why."""

    conflict_id: str | None
    text: str
