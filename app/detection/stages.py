"""The one shape that every stage of detection has, and what a list of stages says together.

The list itself is in `app/pipeline/stage_list.py`: norm rules, pairs by words, arcs, norms by the language
model, the pair judge, threads and story. Each keeps what it found between two looks, so that a save costs
what it changed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from app.detection.claim_index import ClaimIndex
from app.models.requests import Failed
from app.words import Claim, Finding

Findings = dict[tuple[str, ...], Finding]
"""By their members."""
Work = Literal["rereading", "judging", "detecting"]


class Touched(NamedTuple):
    """What is to be compared anew."""

    claims: Collection[str]
    """Claims that came, went or changed."""
    around: Collection[str] | None
    """These, and whatever speaks of the same things; None for all claims."""
    written_by_others: bool
    """Another process may have written what the store keeps of a stage."""


class Stage(Protocol):
    """Says at once what it knows."""

    seconds: str
    """Which of a run's times it counts towards."""

    def findings(self, index: ClaimIndex, touched: Touched | None, before: Findings) -> Findings:
        """What the stages before it found, with its own word: findings of its own, more reasons, or silence.
        None: nothing changed since it was last asked."""


@dataclass(frozen=True, slots=True)
class ReadingTask:
    """What a model is to read."""

    index: ClaimIndex
    saved: Collection[str]
    """Claims that came since it last read all there was."""
    today: str
    stopping: Callable[[], bool]
    """Does something else wait?"""


class Left(NamedTuple):
    """What a model will not come to, because there is too much."""

    what: Literal["pairs", "threads", "batches"]
    number: int


class Step(NamedTuple):
    """Where a model's reading has got to. Between two steps it can be left, and goes on the next time."""

    progress: tuple[int, int] | None = None
    """So many slices or pairs of so many are read."""
    claims: Sequence[Claim] = ()
    """Claims that have other norms now."""
    found: bool = False
    """Other findings than at the step before."""
    left: Left | None = None
    stopped: bool = False
    """It left off by itself."""
    failed: Failed | None = None


class ModelStage(Stage, Protocol):
    """Reads a slice at a time, while nothing else waits."""

    work: Work

    @property
    def pending(self) -> bool:
        """Has it not read all there is?"""

    def read(self, task: ReadingTask) -> Iterator[Step]:
        """Read one slice after the other."""

    def reopen(self, touched: bool, seen: int | None) -> None:
        """Claims were compared: there may be more to read. `seen`: a first index, up to this event."""

    def close(self, seen: int) -> None:
        """All there is was read, up to this event."""


def found_by(
    stages: Iterable[Stage],
    index: ClaimIndex,
    touched: Touched | None,
    spoke: Callable[[Stage], None] = lambda _: None,
) -> Findings:
    """What all stages find, in their order; `spoke` hears when one is done."""
    found: Findings = {}
    for stage in stages:
        found = stage.findings(index, touched, found)
        spoke(stage)
    return found


def is_arc(found: Finding) -> bool:
    return any(reason.stage == "arc" for reason in found.reasons)
