"""The judge's opinion on every pair it has read, and the claims it is done with.

A cache, so rows may be deleted. Keyed by claim, not by text, so that a redacted claim leaves nothing here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import NamedTuple

import peewee

from app.store.connection import Connection
from app.store.forgotten import tombstones
from app.store.meta import MetaValues
from app.store.tables import Alarms, Judged, one_of
from app.words import Opinion


class Alarm(NamedTuple):
    """A pair, the older claim first, with the judge's opinion, whether it is an alarm or not."""

    a: str
    b: str
    key: str
    """A hash of what the judge read: if a title or date changes, it must read the pair again."""
    opinion: Opinion
    probability: float
    """How likely it is, by all the evidence, that a person should be shown the pair; -1 if it is
    silenced."""


class StoredJudgements:
    """Every pair that a judge, that is a cross-encoder, has read, and the claims it is done with."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._meta = MetaValues(connection)

    def alarms(self, judge: str, among: Collection[str] | None = None) -> list[Alarm]:
        """Every pair this judge has read; `among`: only those with one of these claims."""
        query = Alarms.select(Alarms.a, Alarms.b, Alarms.key, Alarms.odds, Alarms.probability)
        query = query.where(Alarms.judge == judge).order_by(Alarms.a, Alarms.b)
        if among is not None:
            query = query.where(Alarms.a.in_(one_of(among)) | Alarms.b.in_(one_of(among)))
        with self._connection.reading():
            rows = query.tuples().execute(self._connection.database)
            return [
                Alarm(a, b, key, Opinion(*map(float, odds.split())), probability)
                for a, b, key, odds, probability in rows
            ]

    def judged(self, judge: str, among: Collection[str] | None = None) -> set[str]:
        """The claims whose pairs this judge has read; `among`: only of these claims."""
        query = Judged.select(Judged.claim_id).where(Judged.judge == judge)
        if among is not None:
            query = query.where(Judged.claim_id.in_(one_of(among)))
        with self._connection.reading():
            return {id for (id,) in query.tuples().execute(self._connection.database)}

    def put(self, judge: str, found: Iterable[Alarm], seen: Collection[str]) -> None:
        """Store pairs, and the claims that have no pair left to read."""
        with self._connection.writing() as sql:
            gone = tombstones(sql)
            sql.executemany(
                "INSERT OR REPLACE INTO alarms (a, b, judge, key, odds, probability)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (one.a, one.b, judge, one.key, _written(one.opinion), one.probability)
                    for one in found
                    if one.a not in gone and one.b not in gone
                ],
            )
            sql.executemany(
                "INSERT OR REPLACE INTO judged (claim_id, judge) VALUES (?, ?)",
                [(id, judge) for id in sorted(seen) if id not in gone],
            )

    def forget(self, ids: Collection[str]) -> None:
        """Have these claims judged again."""
        if ids:
            with self._connection.writing():
                forget(self._connection.database, ids)

    @property
    def complete_by(self) -> str:
        """The judge that is done with every claim; empty if some are left."""
        return self._meta.get("judged_by")

    def mark_complete(self, judge: str) -> None:
        """Record that this judge is done with every claim; "" takes it back."""
        if self.complete_by != judge:
            with self._connection.writing():
                self._meta.set("judged_by", judge)


def _written(opinion: Opinion) -> str:
    return " ".join(f"{p:.5f}" for p in opinion if p is not None)


def forget(database: peewee.SqliteDatabase, ids: Collection[str]) -> None:
    """Delete what was stored about these claims, inside the caller's transaction."""
    Judged.delete().where(Judged.claim_id.in_(one_of(ids))).execute(database)
    Alarms.delete().where(Alarms.a.in_(one_of(ids)) | Alarms.b.in_(one_of(ids))).execute(database)
