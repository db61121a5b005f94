"""What comes back from the threads that read and write: messages, handled where the state is.

They go to whoever asked and no further. Nobody compares or prints them, so nothing is made for that: a start
waits for this file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from app.pipeline.messages import Message as IndexMessage
    from app.store.order import Order
    from app.store.rows import Counts, Facets, StoryRow
    from app.tui.commands import Tab
    from app.tui.decision_jobs import Step
    from app.tui.reading import DetailView, MemberView, QueueRow
    from app.tui.story_view import StoryView
    from app.writeback.conflict_edits import Proposal
    from app.writeback.edits import Style


@dataclass(eq=False, repr=False)
class StoreOpened(Message, bubble=False):
    """The store is there (made or brought up to date); reading can begin."""

    read_only: bool


@dataclass(eq=False, repr=False)
class StoreFailed(Message, bubble=False):
    """A job on the store failed; `text` can be shown as it is."""

    text: str
    job: str


@dataclass(eq=False, repr=False)
class FromIndex(Message, bubble=False):
    """Word from the index worker."""

    word: IndexMessage


@dataclass(eq=False, repr=False)
class StoreChanged(Message, bubble=False):
    """Somebody wrote to the store."""


@dataclass(eq=False, repr=False)
class QueueRead(Message, bubble=False):
    """The conflicts of a tab, and how much there is of everything."""

    tab: Tab
    rows: tuple[QueueRow, ...]
    counts: Counts
    asked: int
    """Counts the askings, so that an answer from before a decision can be told."""
    prefer: str | None = None
    """The conflict to select, if it is among them."""


@dataclass(eq=False, repr=False)
class DetailRead(Message, bubble=False):
    """Everything the detail shows of one conflict; None: it is not there any more."""

    conflict_id: str
    view: DetailView | None


@dataclass(eq=False, repr=False)
class LineRead(Message, bubble=False):
    """One line of the story, whole; None: it is not there any more."""

    line: MemberView | None


@dataclass(eq=False, repr=False)
class StoryRead(Message, bubble=False):
    """The order of the story, and the pages around where the person is."""

    generation: int
    telling: StoryView
    ids: Order
    pages: dict[int, list[StoryRow]]


@dataclass(eq=False, repr=False)
class StoryPage(Message, bubble=False):
    """One more page of the story."""

    generation: int
    page: int
    rows: list[StoryRow]


@dataclass(eq=False, repr=False)
class DayFound(Message, bubble=False):
    """Where a day begins in the story."""

    telling: StoryView
    day: str
    place: int


@dataclass(eq=False, repr=False)
class DaysRead(Message, bubble=False):
    """The days the story can be told as of, by the notes and by Belie's record."""

    notes: tuple[str, ...]
    belie: tuple[str, ...]


@dataclass(eq=False, repr=False)
class FacetsRead(Message, bubble=False):
    """What the story can be filtered by."""

    facets: Facets


@dataclass(eq=False, repr=False)
class ThreadFound(Message, bubble=False):
    """What a claim is about; None where that is not known."""

    claim_id: str
    subject: str | None


@dataclass(eq=False, repr=False)
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


@dataclass(eq=False, repr=False)
class ProposalRead(Message, bubble=False):
    """What writing a decision into the notes would change; None and `trouble` where it cannot."""

    winner: str
    style: Style
    proposal: Proposal | None
    trouble: str = ""


@dataclass(eq=False, repr=False)
class Written(Message, bubble=False):
    """The notes were written, or why not."""

    said: str
    steps: tuple[Step, ...] = ()
    trouble: str = ""
