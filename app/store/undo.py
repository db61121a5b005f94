"""Undo: the inverse of a decision, written as new events; refused when later ones depend on it."""

from __future__ import annotations

from collections.abc import Sequence

import peewee

from app.store.changes import AUTOMATIC
from app.store.decisions import Decisions
from app.store.errors import NotFound, Refused, UndoRefused
from app.store.event_chain import BELIE, DECISIONS, read_events
from app.store.read_conflicts import read_conflict
from app.store.rows import Event, Undone
from app.store.tables import Claims
from app.store.write_conflicts import state_of
from app.words import Conflict

_GONE = ("retracted", "redacted")
_MARKS = ", ".join("?" * len(DECISIONS))


def undo(db: peewee.SqliteDatabase, seq: int | None, at: str, who: str) -> Undone:
    """Inside the caller's transaction."""
    event = decision(db, seq, who)
    caused = read_events(db.connection(), "WHERE e.cause = ? ORDER BY e.seq DESC", (event.seq,))
    steps = Decisions(db, at, who)
    claims = [one for one in caused if one.target_kind == "claim"]
    for one in claims:
        _check_claim(db, steps, event, one)
    winner = event.payload.get("winner")
    if winner is not None and steps.claim_state(winner)["status"] == "superseded":
        raise UndoRefused(_since(db, event, winner, f"{winner} itself was superseded"))
    touched = [one for one in (event, *caused) if one.target_kind == "conflict" and not _came_back(db, one)]
    for one in touched:
        _check_conflict(db, event, one)

    own = steps.ledger.add("undo", "event", str(event.seq), {"undoes": event.action})
    for one in claims:
        state = dict(one.payload["was"])
        now = steps.claim_state(one.target_id)["status"]
        if now in _GONE:  # its text left the note or the store meanwhile; only the decision goes
            state["status"] = now
        steps.set_claim(one.target_id, "restored", state, own)
        if one.action == "activated":
            Claims.update(promoted=0).where(Claims.id == one.target_id).execute(db)
    for one in touched:
        _restore_conflict(db, steps, one, own)
    steps.ledger.flush()
    return Undone(
        event=event,
        seq=own,
        conflict_id=event.target_id if event.target_kind == "conflict" else None,
        claim_ids=tuple(sorted(one.target_id for one in claims)),
    )


def decision(db: peewee.SqliteDatabase, seq: int | None, who: str) -> Event:
    """The decision that `undo` would take back."""
    connection = db.connection()
    if seq is None:
        last = read_events(
            connection,
            f"WHERE e.cause IS NULL AND e.who = ? AND e.action IN ({_MARKS}) AND NOT EXISTS"
            " (SELECT 1 FROM events u WHERE u.target_id = CAST(e.seq AS TEXT) AND u.action = 'undo')"
            " ORDER BY e.seq DESC LIMIT 1",
            (who, *DECISIONS),
        )
        if not last:
            raise UndoRefused("There is no decision to undo.")
        return last[0]
    found = read_events(connection, "WHERE e.seq = ?", (seq,))
    if not found:
        raise NotFound(f"There is no event {seq}.")
    event = found[0]
    if event.action == "redacted" and event.cause is None:
        raise UndoRefused(
            f"Event {seq} was a redaction: the text is gone, so there is nothing to bring back."
        )
    if event.cause is not None or event.who == BELIE or event.action not in DECISIONS:
        raise UndoRefused(f"Event {seq} ({event.action}) is not a decision.")
    if event.undone:
        raise UndoRefused(f"Event {seq} was undone already.")
    return event


def _check_claim(db: peewee.SqliteDatabase, steps: Decisions, event: Event, one: Event) -> None:
    """The claim must still be what the decision made it, or be gone from its note since."""
    now = steps.claim_state(one.target_id)
    if now["superseded_by"] != one.payload["superseded_by"] or now["status"] not in (
        one.payload["status"],
        *_GONE,
    ):
        raise UndoRefused(_since(db, event, one.target_id, f"{one.target_id} is {now['status']} now"))


def _came_back(db: peewee.SqliteDatabase, one: Event) -> bool:
    """A conflict that ended by itself, and was found again since: it is open as it was before."""
    return one.payload.get("resolution") in AUTOMATIC and _conflict(db, one.target_id).status == "open"


def _check_conflict(db: peewee.SqliteDatabase, event: Event, one: Event) -> None:
    now = _conflict(db, one.target_id)
    if "status" in one.payload:
        state = state_of(now)
        if any(state[name] != one.payload[name] for name in state):
            raise UndoRefused(_since(db, event, now.id, f"{now.id} was decided again"))


def _restore_conflict(db: peewee.SqliteDatabase, steps: Decisions, one: Event, cause: int) -> None:
    conflict = _conflict(db, one.target_id)
    was = dict(one.payload["was"])
    if "members" in was:
        # A member that left because it was superseded; the next look decides whether it belongs again.
        if conflict.status == "open":
            members = tuple(dict.fromkeys((*was["members"], *conflict.members)))
            steps.conflicts.reseat(conflict, _standing(steps, members), cause)
        return
    if was["status"] == "open" and conflict.status != "open":
        if len(_standing(steps, conflict.members)) < 2:
            steps.conflicts.close(conflict, "edited", "its claims no longer stand", cause)
            return
        try:
            steps.require_free_slot(conflict)
        except Refused as error:
            raise UndoRefused(str(error)) from error
    steps.set_conflict(conflict, "restored", was, cause=cause)


def _standing(steps: Decisions, members: Sequence[str]) -> tuple[str, ...]:
    return tuple(m for m in members if steps.claim_state(m)["status"] == "active")


def _conflict(db: peewee.SqliteDatabase, id: str) -> Conflict:
    conflict = read_conflict(db, id)
    if conflict is None:
        raise NotFound(f"There is no conflict {id}.")
    return conflict


def _since(db: peewee.SqliteDatabase, event: Event, target: str, what: str) -> str:
    later = read_events(
        db.connection(),
        "WHERE e.target_id = ? AND e.seq > ? AND (e.cause IS NULL OR e.cause <> ?) ORDER BY e.seq LIMIT 1",
        (target, event.seq, event.seq),
    )
    when = f" (event {later[0].seq}, {later[0].action}, {later[0].at})" if later else ""
    return f"Event {event.seq} cannot be undone: {what}{when}. Undo that first."
