"""Decisions, as jobs for the store thread `decisions`: each reports what it did, or why it could not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from app.store.errors import StoreError
from app.tui.messages import Decided
from app.tui.store_thread import Job
from app.tui.wording import plural

if TYPE_CHECKING:
    from app.store.store import Store


class Step(NamedTuple):
    """One event that a decision wrote, as `u` needs it to undo the decision."""

    kind: Literal["decision", "written"]
    seq: int


class Act(NamedTuple):
    """A decision about one conflict; `run` writes it and returns the number of its event."""

    conflict_id: str
    run: Callable[[Store], int]


def keep(conflict_id: str, winner: str, why: str = "", how: str = "") -> Act:
    return Act(conflict_id, lambda store: store.conflicts.keep(conflict_id, winner, why, how=how))


def dismiss(conflict_id: str, why: str) -> Act:
    return Act(conflict_id, lambda store: store.conflicts.dismiss(conflict_id, why))


def snooze(conflict_id: str, until: str, why: str = "") -> Act:
    return Act(conflict_id, lambda store: store.conflicts.snooze(conflict_id, until, why))


def reopen(conflict_id: str, why: str = "") -> Act:
    return Act(conflict_id, lambda store: store.conflicts.reopen(conflict_id, why))


def decide(acts: Sequence[Act], said: str, *, reopened: bool = False) -> Job:
    """Write all of them, each as a separate decision in the ledger; one that is refused does not stop the
    rest."""

    def job(store: Store) -> Decided:
        steps: list[Step] = []
        refused: list[str] = []
        for act in acts:
            try:
                steps.append(Step("decision", act.run(store)))
            except StoreError as error:
                refused.append(str(error))
        told = said if len(acts) == 1 else f"{said} ({plural(len(steps), 'conflict')})"
        return Decided(
            tuple(act.conflict_id for act in acts),
            told if steps else "",
            tuple(steps),
            trouble=refused[0] if len(refused) == 1 else _several(refused),
            prefer=acts[-1].conflict_id if reopened or (refused and not steps) else None,
            reopened=reopened and bool(steps),
        )

    return job


def _several(refused: Sequence[str]) -> str:
    return f"{len(refused)} were left as they are. {refused[0]}" if refused else ""


def undo(now: str, last: Sequence[Step], vault: Path, backups: Path) -> Job:
    """Take back the last thing decided here, however many conflicts it was about; without one, the person's
    last decision. The conflict is selected where it is open again."""

    def job(store: Store) -> Decided:
        steps = last if last and not _later_decision(store, last) else ()
        try:
            if not steps:
                return _undone(store, store.ledger.undo().conflict_id, now, "Undone.")
            conflicts = [take_back(store, step, vault, backups) for step in reversed(steps)]
        except StoreError as error:
            return Decided((), "", trouble=str(error))
        found = [id for id in conflicts if id is not None]
        said = "Undone." if len(found) < 2 else f"Undone ({plural(len(found), 'conflict')})."
        return _undone(store, found[-1] if found else None, now, said)

    return job


def _later_decision(store: Store, last: Sequence[Step]) -> bool:
    """Has the person decided something elsewhere since? Then `u` undoes that."""
    from app.store.event_chain import DECISIONS

    newest = max(step.seq for step in last)
    events = store.ledger.events(limit=20, decisions=True)
    return any(event.seq > newest and event.action in DECISIONS and not event.undone for event in events)


def take_back(store: Store, step: Step, vault: Path, backups: Path) -> str | None:
    """Undo one step, in the store or in the note it was written to; returns its conflict."""
    if step.kind == "decision":
        return store.ledger.undo(step.seq).conflict_id
    from app.store.errors import Refused
    from app.writeback.conflict_edits import take_back
    from app.writeback.edits import CannotWrite

    try:
        take_back(store, vault, step.seq, backups)
    except CannotWrite as error:
        raise Refused(str(error)) from error
    return None


def _undone(store: Store, conflict_id: str | None, now: str, said: str) -> Decided:
    conflict = store.conflicts.get(conflict_id) if conflict_id else None
    waiting = conflict is not None and conflict.status == "open"
    snoozed = waiting and conflict is not None and (conflict.snoozed_until or "") > now
    return Decided(
        (conflict_id,) if conflict_id else (),
        said,
        prefer=conflict_id if waiting and not snoozed else None,
        reopened=waiting and not snoozed,
    )
