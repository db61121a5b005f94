"""Look at everything anew: every note by content, every claim, every pair an older judge judged."""

from __future__ import annotations

from datetime import datetime, timedelta

from app.pipeline.index_vault import Pipeline
from app.pipeline.run import Run
from app.store.store import Store

EVERY = timedelta(days=1)
"""So often while a workspace is open."""


def sweep(pipeline: Pipeline, store: Store, at: str, *, models: bool = True) -> Run:
    """With a pipeline that knows nothing yet. One cut short goes on at the next start of anything: the store
    knows what is not done."""
    store.progress.compare_again()
    done = pipeline.run(store.notes.known().keys(), models=models)
    store.progress.mark_swept(at)
    return done


def seconds_left(swept: str, now: str) -> float:
    """Until the next one is due; a store that was never swept was just read whole."""
    if not swept:
        return EVERY.total_seconds()
    left = datetime.fromisoformat(swept) + EVERY - datetime.fromisoformat(now)
    return min(EVERY.total_seconds(), max(0.0, left.total_seconds()))
