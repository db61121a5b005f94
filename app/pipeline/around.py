"""The surroundings of a run: who hears about its progress, and who may stop it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.pipeline.messages import Progress
from app.store.store import now_utc


def _ignore(_: Progress) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Around:
    """The callbacks of a run."""

    on_progress: Callable[[Progress], None] = _ignore
    clock: Callable[[], str] = now_utc
    stopping: Callable[[], bool] = lambda: False
    interrupted: Callable[[], bool] = lambda: False
    """Something more urgent waits: models then stop and continue in the next run."""
    on_found: Callable[[], None] = lambda: None
    """Models changed the conflicts."""

    @property
    def must_end(self) -> bool:
        return self.stopping() or self.interrupted()
