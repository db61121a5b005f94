"""Writes changes of conflicts; a decision a person made in the meantime always stands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace

import peewee

from app.store.changes import AUTOMATIC, EDITED, SUPERSEDED, ConflictChange
from app.store.event_chain import BELIE, LedgerWriter
from app.store.read_conflicts import read_conflict
from app.store.tables import Claims, Conflicts, Members, one_of
from app.store.texts import TextWriter, dump
from app.store.write_notes import MEMBER_KIND
from app.words import TRUST, Conflict, Layer

_ORDER = {"edited": 0, "changed": 1, "reopened": 2, "opened": 3}
_STATE = ("status", "resolution", "winner", "snoozed_until")
"""The fields of a conflict that a decision changes."""


def state_of(conflict: Conflict) -> dict[str, str | None]:
    return {name: getattr(conflict, name) for name in _STATE}


def apply_conflicts(db: peewee.SqliteDatabase, changes: Sequence[ConflictChange], at: str) -> None:
    """Inside the caller's transaction. Closings go first, so that a slot is free before it is taken."""
    connection = db.connection()
    texts = TextWriter(connection)
    writer = ConflictWriter(db, texts, LedgerWriter(connection, texts, at, BELIE), at)
    changes = sorted(changes, key=lambda change: (_ORDER[change.kind], change.conflict.id))
    for change in changes:
        # Two conflicts may swap slots: neither may hold one while the new ones are assigned.
        if change.kind == "changed" and change.before and change.before.slot.key != change.conflict.slot.key:
            writer.park(change.conflict.id)
    for change in changes:
        writer.apply(change)
    writer.flush()


class ConflictWriter:
    """Rows and events of conflicts in one transaction."""

    def __init__(self, db: peewee.SqliteDatabase, texts: TextWriter, ledger: LedgerWriter, at: str) -> None:
        self._db = db
        self._texts = texts
        self._ledger = ledger
        self._at = at

    def flush(self) -> None:
        self._ledger.flush()

    def park(self, id: str) -> None:
        Conflicts.update(slot_key=dump(["parked", id])).where(
            (Conflicts.id == id) & (Conflicts.status == "open")
        ).execute(self._db)

    def apply(self, change: ConflictChange) -> None:
        wanted = change.conflict
        stored = read_conflict(self._db, wanted.id)
        if stored is not None and change.before is not None:
            stored = replace(stored, slot=change.before.slot)  # it may be parked
        if change.kind == "edited":
            if stored is not None and stored.status == "open":
                self.close(stored, EDITED, change.why)
            return
        if stored is not None and stored.status != "open" and stored.resolution not in AUTOMATIC:
            return
        layers = self._active(wanted.members)
        wanted = replace(wanted, members=tuple(id for id in wanted.members if id in layers))
        if len(wanted.members) < 2:
            if stored is not None and stored.status == "open":
                self.close(stored, EDITED, "its claims no longer stand")
            return
        holder = self.holder(wanted)
        if holder is not None:
            self._join(holder, wanted, layers)
            if stored is not None and stored.status == "open":
                self.close(stored, EDITED, f"went into {holder.id}")
        elif stored is None:
            self._open(wanted, layers)
        elif stored.status == "open":
            self._change(stored, wanted, layers, "changed", change.why)
        else:
            self._change(stored, wanted, layers, "reopened", change.why)

    def _active(self, members: Iterable[str]) -> dict[str, Layer]:
        query = Claims.select(Claims.id, Claims.layer).where(
            Claims.id.in_(one_of(members)) & (Claims.status == "active")
        )
        return dict(query.tuples().execute(self._db))

    def holder(self, wanted: Conflict) -> Conflict | None:
        """Another open conflict in the same slot."""
        if not wanted.slot.key:
            return None
        query = Conflicts.select(Conflicts.id).where(
            (Conflicts.status == "open")
            & (Conflicts.slot_kind == wanted.slot.kind)
            & (Conflicts.slot_key == dump(wanted.slot.key))
            & (Conflicts.id != wanted.id)
        )
        row = next(iter(query.tuples().execute(self._db)), None)
        return None if row is None else read_conflict(self._db, row[0])

    def _join(self, holder: Conflict, newcomer: Conflict, layers: dict[str, Layer]) -> None:
        members = tuple(dict.fromkeys(holder.members + newcomer.members))
        reasons = tuple(dict.fromkeys(holder.reasons + newcomer.reasons))
        joined = replace(holder, members=members, reasons=reasons)
        if joined != holder:
            self._change(holder, joined, layers | self._active(holder.members), "changed", "")

    def _open(self, conflict: Conflict, layers: dict[str, Layer]) -> None:
        row = {
            **_row(conflict),
            "id": conflict.id,
            "detected_at": conflict.detected_at or self._at,
            "status": "open",
        }
        Conflicts.insert(**row).execute(self._db)
        self._seat(conflict.id, (), conflict.members, layers)
        self._ledger.add("opened", "conflict", conflict.id, {**self._payload(conflict), **_OPEN})

    def _change(
        self, stored: Conflict, wanted: Conflict, layers: dict[str, Layer], action: str, why: str
    ) -> None:
        update: dict[str, object] = {**_row(wanted)}
        payload = self._payload(wanted)
        if action == "reopened":
            update |= {**_OPEN, "resolved_at": None}
            payload |= {**_OPEN, "was": state_of(stored)}
        elif stored.snoozed_until and set(stored.members) != set(wanted.members):
            # It was snoozed as it was; with another member it is a different question.
            update["snoozed_until"] = payload["snoozed_until"] = None
        Conflicts.update(**update).where(Conflicts.id == wanted.id).execute(self._db)
        self._seat(wanted.id, stored.members, wanted.members, layers)
        self._ledger.add(action, "conflict", wanted.id, payload, why=why)

    def close(self, stored: Conflict, resolution: str, why: str, cause: int | None = None) -> None:
        """Close automatically; the members stay recorded so that the conflict can be recognised if it
        returns."""
        state = {"status": "resolved", "resolution": resolution, "winner": None, "snoozed_until": None}
        slot = {"slot_kind": stored.slot.kind, "slot_key": dump(stored.slot.key)}
        Conflicts.update(**state, **slot, resolved_at=self._at).where(Conflicts.id == stored.id).execute(
            self._db
        )
        payload = {**state, "was": state_of(stored)}
        self._ledger.add("edited", "conflict", stored.id, payload, why=why, cause=cause)

    def supersede(self, before: Conflict, winner: str, why: str, cause: int) -> None:
        """Resolve a conflict that closed because a member was superseded: the successor wins, and all former
        members (those of `before`) are recorded. A conflict that is still open or was decided stays as it
        is."""
        stored = read_conflict(self._db, before.id)
        if stored is None or stored.status == "open" or stored.resolution not in AUTOMATIC:
            return
        members = tuple(dict.fromkeys((*before.members, winner)))
        self._seat(stored.id, stored.members, members, self._active([winner]))
        state = {"status": "resolved", "resolution": SUPERSEDED, "winner": winner, "snoozed_until": None}
        Conflicts.update(**state, resolved_at=self._at).where(Conflicts.id == stored.id).execute(self._db)
        payload = {**state, "members": members, "was": state_of(before)}
        self._ledger.add("superseded", "conflict", stored.id, payload, why=why, cause=cause)

    def leave(self, stored: Conflict, members: Iterable[str], cause: int | None) -> None:
        gone = set(members)
        self.reseat(stored, tuple(id for id in stored.members if id not in gone), cause)

    def reseat(self, stored: Conflict, members: tuple[str, ...], cause: int | None) -> None:
        """Change the members; all of them are members already or were before."""
        self._seat(stored.id, stored.members, members, {})
        payload: dict[str, object] = {"members": members, "was": {"members": stored.members}}
        if stored.snoozed_until:
            Conflicts.update(snoozed_until=None).where(Conflicts.id == stored.id).execute(self._db)
            payload["snoozed_until"] = None
        self._ledger.add("changed", "conflict", stored.id, payload, cause=cause)

    def _seat(
        self, id: str, before: tuple[str, ...], members: tuple[str, ...], layers: dict[str, Layer]
    ) -> None:
        """Record the members in order; a member that leaves keeps its row, with the time."""
        for member in before:
            if member not in members:
                Members.update(left_at=self._at).where(
                    (Members.conflict_id == id) & (Members.member_id == member)
                ).execute(self._db)
        for position, member in enumerate(members):
            changed = (
                Members.update(position=position, left_at=None)
                .where((Members.conflict_id == id) & (Members.member_id == member))
                .execute(self._db)
            )
            if not changed:
                layer = layers[member]
                Members.insert(
                    conflict_id=id,
                    member_kind=MEMBER_KIND[layer],
                    member_id=member,
                    member_layer_trust=TRUST[layer],
                    position=position,
                    joined_at=self._at,
                ).execute(self._db)

    def _payload(self, conflict: Conflict) -> dict[str, object]:
        """What may quote a note (question, reasons, slot) is stored among the texts, as for claims."""
        detail = dump([conflict.question, asdict(conflict.slot), [asdict(r) for r in conflict.reasons]])
        return {
            "kind": conflict.kind,
            "tier": conflict.tier,
            "confidence": conflict.confidence,
            "found_by": conflict.found_by,
            "members": conflict.members,
            "detail": self._texts.put(detail, {}),
        }


_OPEN: dict[str, str | None] = {"status": "open", "resolution": "", "winner": None, "snoozed_until": None}


def _row(conflict: Conflict) -> dict[str, object]:
    return {
        "kind": conflict.kind,
        "slot_kind": conflict.slot.kind,
        "slot_key": dump(conflict.slot.key),
        "slot_subject": conflict.slot.subject,
        "project": conflict.slot.project,
        "tier": conflict.tier,
        "confidence": conflict.confidence,
        "question": conflict.question,
        "found_by": dump(conflict.found_by),
        "reasons": dump([asdict(reason) for reason in conflict.reasons]),
    }
