"""Decisions as jobs for the writing hand: each says what it did, or why it could not."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from app.store.errors import StoreError
from app.tui.hand import Job
from app.tui.messages import Decided, DecisionFailed

if TYPE_CHECKING:
    from app.store.store import Store


def keep(conflict_id: str, winner: str, told: str, why: str = "") -> Job:
    return _job(conflict_id, lambda store: store.keep(conflict_id, winner, why), f"Kept {told}.")


def dismiss(conflict_id: str, why: str) -> Job:
    return _job(conflict_id, lambda store: store.dismiss(conflict_id, why), f"Settled: {why}.")


def snooze(conflict_id: str, until: str, told: str) -> Job:
    return _job(conflict_id, lambda store: store.snooze(conflict_id, until), f"Put off until {told}.")


def reopen(conflict_id: str) -> Job:
    return _job(conflict_id, lambda store: store.reopen(conflict_id), "Back in the queue.", reopened=True)


def undo(now: str) -> Job:
    """Take back the person's last decision; its conflict is selected where it is open again."""

    def job(store: Store) -> Decided | DecisionFailed:
        try:
            undone = store.undo()
            conflict = store.conflict(undone.conflict_id) if undone.conflict_id else None
        except StoreError as error:
            return DecisionFailed(None, str(error))
        waiting = conflict is not None and conflict.status == "open"
        snoozed = waiting and conflict is not None and (conflict.snoozed_until or "") > now
        return Decided(
            undone.conflict_id or "",
            f"Undone: {undone.event.action}." + (f" “{undone.event.why}”" if undone.event.why else ""),
            reopened=waiting and not snoozed,
            undoable=False,
        )

    return job


def _job(conflict_id: str, act: Callable[[Store], int], said: str, *, reopened: bool = False) -> Job:
    def job(store: Store) -> Decided | DecisionFailed:
        try:
            act(store)
        except StoreError as error:
            return DecisionFailed(conflict_id, str(error))
        return Decided(conflict_id, said, reopened=reopened)

    return job
