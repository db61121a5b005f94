"""What the judge said: pairs it would raise an alarm about, and claims whose neighbours it has seen.

A cache, so rows may go. By claim, not by text, so that a redacted claim leaves nothing here.
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
    """A pair, older first, and what the judge said of it."""

    a: str
    b: str
    key: str
    """A hash of what the judge read: with another title or date it would have to read again."""
    opinion: Opinion
    probability: float
    """How likely, by all the evidence, a person should be shown it."""


class StoredJudgements:
    """What a judge, that is a cross-encoder, raised an alarm about, and which claims it is done with."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._meta = MetaValues(connection)

    def alarms(self, judge: str, among: Collection[str] | None = None) -> list[Alarm]:
        """What this judge raised an alarm about; `among`: with one of these claims in it."""
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
        """The claims (of these) whose neighbours this judge has seen."""
        query = Judged.select(Judged.claim_id).where(Judged.judge == judge)
        if among is not None:
            query = query.where(Judged.claim_id.in_(one_of(among)))
        with self._connection.reading():
            return {id for (id,) in query.tuples().execute(self._connection.database)}

    def put(self, judge: str, found: Iterable[Alarm], seen: Collection[str]) -> None:
        """Keep alarms, and the claims whose neighbours have been judged."""
        with self._connection.writing() as sql:
            gone = tombstones(sql)
            sql.executemany(
                "INSERT OR REPLACE INTO alarms (a, b, judge, key, odds, probability)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (one.a, one.b, judge, one.key, " ".join(f"{p:.5f}" for p in one.opinion), one.probability)
                    for one in found
                    if one.a not in gone and one.b not in gone
                ],
            )
            sql.executemany(
                "INSERT OR REPLACE INTO judged (claim_id, judge) VALUES (?, ?)",
                [(id, judge) for id in sorted(seen) if id not in gone],
            )

    def forget(self, ids: Collection[str]) -> None:
        """These claims are to be judged anew."""
        if ids:
            with self._connection.writing():
                forget(self._connection.database, ids)

    @property
    def complete_by(self) -> str:
        """The judge that has seen every claim's neighbours; empty where some are left."""
        return self._meta.get("judged_by")

    def mark_complete(self, judge: str) -> None:
        """This judge has seen every claim's neighbours; "" takes it back."""
        if self.complete_by != judge:
            with self._connection.writing():
                self._meta.set("judged_by", judge)


def forget(database: peewee.SqliteDatabase, ids: Collection[str]) -> None:
    """Nothing said of these claims before counts; inside the caller's transaction."""
    Judged.delete().where(Judged.claim_id.in_(one_of(ids))).execute(database)
    Alarms.delete().where(Alarms.a.in_(one_of(ids)) | Alarms.b.in_(one_of(ids))).execute(database)
