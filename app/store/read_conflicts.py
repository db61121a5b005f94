"""Reading conflicts: one, those of a claim, and the queue in its order."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable
from itertools import combinations
from typing import Any

import peewee

from app.store.changes import AUTOMATIC
from app.store.rows import ConflictFilter
from app.store.tables import Conflicts, Members, one_of
from app.store.texts import dump
from app.words import TIER_WEIGHT, Conflict, Reason, Slot


def read_conflicts(db: peewee.SqliteDatabase, status: ConflictFilter | None, now: str) -> list[Conflict]:
    """In the order of the queue: tier, then the most trusted member, then age."""
    query = Conflicts.select()
    snoozed = Conflicts.snoozed_until.is_null(False) & (Conflicts.snoozed_until > now)
    if status == "open":
        query = query.where((Conflicts.status == "open") & ~snoozed)
    elif status == "snoozed":
        query = query.where((Conflicts.status == "open") & snoozed)
    elif status is not None:
        query = query.where(Conflicts.status == status)
    return sorted_for_queue(db, list(query.dicts().execute(db)))


def read_conflict(db: peewee.SqliteDatabase, id: str) -> Conflict | None:
    rows = list(Conflicts.select().where(Conflicts.id == id).dicts().execute(db))
    return next(iter(_built(db, rows)), None)


def conflicts_of(db: peewee.SqliteDatabase, claim_id: str) -> list[Conflict]:
    mine = Members.select(Members.conflict_id).where(Members.member_id == claim_id)
    rows = list(Conflicts.select().where(Conflicts.id.in_(mine)).dicts().execute(db))
    return sorted(_built(db, rows), key=lambda c: (c.status != "open", c.detected_at, c.id))


def conflicts_touching(
    db: peewee.SqliteDatabase, ids: Collection[str], slots: Collection[tuple[str, tuple[str, ...]]]
) -> list[Conflict]:
    """Conflicts of any status with one of these claims among their members, and those open in these slots."""
    mine = Members.select(Members.conflict_id).where(Members.member_id.in_(one_of(ids)))
    found = {id for (id,) in mine.tuples().execute(db)}
    for kind, key in sorted(slots):
        held = Conflicts.select(Conflicts.id).where(
            (Conflicts.status == "open") & (Conflicts.slot_kind == kind) & (Conflicts.slot_key == dump(key))
        )
        found |= {id for (id,) in held.tuples().execute(db)}
    query = Conflicts.select().where(Conflicts.id.in_(one_of(found))).order_by(Conflicts.id)
    return _built(db, list(query.dicts().execute(db)))


def conflict_ids(db: peewee.SqliteDatabase) -> set[str]:
    return {id for (id,) in Conflicts.select(Conflicts.id).tuples().execute(db)}


def settled_pairs(db: peewee.SqliteDatabase) -> set[frozenset[str]]:
    """Pairs a person has spoken about; what ended by an edit or elsewhere is not settled."""
    query = (
        Members.select(Members.conflict_id, Members.member_id)
        .join(Conflicts, on=(Conflicts.id == Members.conflict_id))
        .where((Conflicts.status != "open") & Conflicts.resolution.not_in(sorted(AUTOMATIC)))
        .where(Members.left_at.is_null())
    )
    groups: dict[str, list[str]] = defaultdict(list)
    for conflict_id, member_id in query.tuples().execute(db):
        groups[conflict_id].append(member_id)
    return {frozenset(pair) for members in groups.values() for pair in combinations(members, 2)}


def settled_among(conflicts: Iterable[Conflict]) -> set[frozenset[str]]:
    """The same, of conflicts that are already read."""
    return {
        frozenset(pair)
        for conflict in conflicts
        if conflict.status != "open" and conflict.resolution not in AUTOMATIC
        for pair in combinations(conflict.members, 2)
    }


def sorted_for_queue(db: peewee.SqliteDatabase, rows: list[dict[str, Any]]) -> list[Conflict]:
    members = _members(db, [row["id"] for row in rows])

    def place(row: dict[str, Any]) -> tuple[int, int, str, str]:
        trust = max((trust for _, trust in members[row["id"]]), default=0)
        return -TIER_WEIGHT.get(row["tier"], 0), -trust, row["detected_at"], row["id"]

    return [_conflict(row, [id for id, _ in members[row["id"]]]) for row in sorted(rows, key=place)]


def _built(db: peewee.SqliteDatabase, rows: list[dict[str, Any]]) -> list[Conflict]:
    members = _members(db, [row["id"] for row in rows])
    return [_conflict(row, [id for id, _ in members[row["id"]]]) for row in rows]


def _members(db: peewee.SqliteDatabase, ids: list[str]) -> dict[str, list[tuple[str, int]]]:
    """(claim, trust) of those who have not left, in their order."""
    found: dict[str, list[tuple[str, int]]] = defaultdict(list)
    query = (
        Members.select(Members.conflict_id, Members.member_id, Members.member_layer_trust)
        .where(Members.conflict_id.in_(one_of(ids)) & Members.left_at.is_null())
        .order_by(Members.conflict_id, Members.position, Members.member_id)
    )
    for conflict_id, member_id, trust in query.tuples().execute(db):
        found[conflict_id].append((member_id, trust))
    return found


def _conflict(row: dict[str, Any], members: Iterable[str]) -> Conflict:
    return Conflict(
        id=row["id"],
        kind=row["kind"],
        members=tuple(members),
        slot=Slot(row["slot_kind"], row["slot_subject"], tuple(json.loads(row["slot_key"])), row["project"]),
        tier=row["tier"],
        confidence=row["confidence"],
        question=row["question"],
        found_by=tuple(json.loads(row["found_by"])),
        reasons=tuple(Reason(**reason) for reason in json.loads(row["reasons"])),
        status=row["status"],
        snoozed_until=row["snoozed_until"],
        resolution=row["resolution"],
        detected_at=row["detected_at"],
        resolved_at=row["resolved_at"],
        winner=row["winner"],
    )
