"""What comes back from the threads that read and write: messages, handled where the state is.

They go to whoever asked and no further."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from app.index.messages import Message as IndexMessage
    from app.store.rows import Counts, Facets, StoryRow
    from app.tui.commands import Tab
    from app.tui.deciding import Step
    from app.tui.reading import DetailView, QueueRow
    from app.tui.telling import Telling
    from app.writeback.settled import Proposal
    from app.writeback.words import Style


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
    telling: Telling
    ids: list[str]
    places: dict[str, int]
    """Each claim's place, so that the screen need not count through a long story."""
    disputed: tuple[int, ...]
    """The places of disputed claims, in order."""
    pages: dict[int, list[StoryRow]]


@dataclass
class StoryPage(Message, bubble=False):
    """One more page of the story."""

    generation: int
    page: int
    rows: list[StoryRow]


@dataclass
class DayFound(Message, bubble=False):
    """Where a day begins in the story."""

    telling: Telling
    day: str
    place: int


@dataclass
class DaysRead(Message, bubble=False):
    """The days the story can be told as of, by the notes and by Belie's record."""

    notes: tuple[str, ...]
    belie: tuple[str, ...]


@dataclass
class FacetsRead(Message, bubble=False):
    """What the story can be filtered by."""

    facets: Facets


@dataclass
class ThreadFound(Message, bubble=False):
    """What a claim is about; None where that is not known."""

    claim_id: str
    subject: str | None


@dataclass
class Decided(Message, bubble=False):
    """What became of a decision, or of taking one back."""

    conflict_ids: tuple[str, ...]
    said: str
    """Empty: nothing was changed."""
    steps: tuple[Step, ...] = ()
    """What `u` takes back; none where there is nothing more to take back."""
    trouble: str = ""
    """What could not be done, and why."""
    prefer: str | None = None
    """The conflict to select."""
    reopened: bool = False
    """It is back in the queue."""


@dataclass
class ProposalRead(Message, bubble=False):
    """What writing a decision into the notes would change; None and `trouble` where it cannot."""

    winner: str
    style: Style
    proposal: Proposal | None
    trouble: str = ""


@dataclass
class Written(Message, bubble=False):
    """The notes were written, or why not."""

    said: str
    steps: tuple[Step, ...] = ()
    trouble: str = ""
