"""What one run over a vault did."""

from __future__ import annotations

from dataclasses import dataclass, field

from app.detection.stages import Step, Work
from app.models.requests import Failed
from app.vault.plan import Plan
from app.vault.walk import Walk
from app.words import Conflict


@dataclass(slots=True)
class Run:
    """What one run did."""

    walk: Walk
    plan: Plan
    changed: int = 0
    narrow: bool = False
    """It looked only at the saved notes, not at the whole vault."""
    claims: set[str] = field(default_factory=set)
    """Claims that became active."""
    unreadable: set[str] = field(default_factory=set)
    """Notes and folders that exist but could not be read."""
    held_back: tuple[str, ...] = ()
    """Notes that disappeared, but so many at once that their claims are kept until the person agrees."""
    seconds: dict[str, float] = field(
        default_factory=lambda: {"read": 0.0, "guard": 0.0, "detective": 0.0, "judge": 0.0, "reread": 0.0}
    )
    canon: list[Conflict] = field(default_factory=list)
    """Open conflicts with a claim of a canon note that was just written."""
    pairs: int = 0
    """How many pairs the judge read."""
    pairs_left: int = 0
    """Pairs it did not read because likelier ones filled its queue."""
    judge_failed: Failed | None = None
    """Why near pairs were not judged; the rules found what they see all the same."""
    threads_left: int = 0
    """Threads beyond the language model's budget."""
    batches_left: int = 0
    """Batches of the story beyond it."""
    reading_failed: Failed | None = None
    """Why the language model did not read what the rules could not."""

    def record(self, work: Work, step: Step) -> None:
        """Record what a model did and left undone."""
        if step.left is not None:
            match step.left.what:
                case "pairs":
                    self.pairs_left = step.left.number
                case "threads":
                    self.threads_left = step.left.number
                case "batches":
                    self.batches_left = step.left.number
        if work == "judging":
            self.pairs = step.progress[0] if step.progress is not None else self.pairs
            self.judge_failed = step.failed or self.judge_failed
        elif step.failed is not None and not (work == "detecting" and step.failed.why == "cancelled"):
            self.reading_failed = step.failed  # an interruption is no failure
