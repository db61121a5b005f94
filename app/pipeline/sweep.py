"""Look at everything again: every note by content, every claim, every pair judged by an older judge."""

from __future__ import annotations

from datetime import datetime, timedelta

from app.pipeline.index_vault import Pipeline
from app.pipeline.run import Run
from app.store.store import Store

INTERVAL = timedelta(days=1)
"""How often a workspace sweeps while it is open."""


def sweep(pipeline: Pipeline, store: Store, at: str, *, models: bool = True) -> Run:
    """Use a fresh pipeline. A sweep that was cut short continues at the next start: the store knows what is
    left."""
    store.progress.compare_again()
    done = pipeline.run(store.notes.known().keys(), models=models)
    store.progress.mark_swept(at)
    return done


def seconds_until_sweep(swept: str, now: str) -> float:
    """Seconds until the next sweep; a store that was never swept has just been read in full."""
    if not swept:
        return INTERVAL.total_seconds()
    left = datetime.fromisoformat(swept) + INTERVAL - datetime.fromisoformat(now)
    return min(INTERVAL.total_seconds(), max(0.0, left.total_seconds()))
