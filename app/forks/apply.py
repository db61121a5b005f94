"""A fork's decisions made in the present, one by one and in order; what no longer fits is refused and why."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from app.forks import files
from app.store.errors import NotFound, Refused
from app.store.event_chain import DECISIONS
from app.store.rows import Event
from app.store.store import Store


@dataclass(frozen=True, slots=True)
class Step:
    """One decision of the fork: the event it became, or why it did not."""

    decision: Event
    seq: int | None = None
    refused: str | None = None


def decisions(fork: Store) -> list[Event]:
    """What was decided in the fork and still stands there, oldest first; applied ones are left out.

    Taking back a decision of before the fork is one too: it names an event both stores have.
    """
    since = fork.forked_at or 0
    done = fork.applied()
    return [
        event
        for event in fork.ledger.decisions_after(since)
        if event.seq not in done
        and (
            (event.action in DECISIONS and not event.undone)
            or (event.action == "undo" and int(event.target_id) <= since)
        )
    ]


def apply(fork: Store, present: Store, name: str) -> list[Step]:
    """Each on the way any decision takes, in a transaction of its own. Notes are not touched."""
    steps = []
    for decision in decisions(fork):
        why = f"{decision.why} (from the fork {name})" if decision.why else f"from the fork {name}"
        try:
            _look(present, decision)
            steps.append(Step(decision, _decide(present, decision, why)))
            fork.mark_applied(decision.seq)
        except (Refused, NotFound) as error:
            steps.append(Step(decision, refused=str(error)))
    return steps


def apply_whole(place: Path, present: Store, name: str) -> list[Step]:
    """Apply a fork of the store that lies there; of no more use, it goes, unless something was refused."""
    with files.open_fork(place, name) as fork:
        steps = apply(fork, present, name)
    if not any(step.refused is not None for step in steps):
        files.discard(place, name)
    return steps


def _look(present: Store, decision: Event) -> None:
    """What was decided about must not have grown since: a newcomer was not part of it."""
    if decision.target_kind != "conflict":
        return
    conflict = present.conflicts.get(decision.target_id)
    if conflict is None:
        raise NotFound(f"There is no conflict {decision.target_id} any more.")
    if new := [member for member in conflict.members if member not in decision.payload["texts"]]:
        raise Refused(f"{conflict.id} has a member that was not there: {', '.join(new)}. Decide it anew.")


def _decide(present: Store, decision: Event, why: str) -> int:
    id, told, who = decision.target_id, decision.payload, decision.who
    match decision.action:
        case "kept":
            return present.conflicts.keep(id, told["winner"], why, how=told.get("how", ""), who=who)
        case "dismissed":
            return present.conflicts.dismiss(id, why, who=who)
        case "resolved":
            return present.conflicts.resolve(id, why, winner=told["winner"], who=who)
        case "snoozed":
            return present.conflicts.snooze(id, told["snoozed_until"], why, who=who)
        case "reopened":
            return present.conflicts.reopen(id, why, who=who)
        case "promoted":
            return present.claims.promote(told["claims"], why, who=who)
        case "replaced":
            return present.claims.supersede(id, told["winner"], why, who=who)
        case "undo":
            return present.ledger.undo(int(id), who=who).seq
        case action:
            raise Refused(f"“{action}” cannot be carried over.")
