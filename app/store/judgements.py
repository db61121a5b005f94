"""What the judge said: pairs it would raise an alarm about, and claims whose neighbours it has seen.

A cache, so rows may go. By claim, not by text, so that a redacted claim leaves nothing here.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable
from typing import NamedTuple

from app.store.texts import chunks
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


def alarms(connection: sqlite3.Connection, judge: str, among: Collection[str] | None = None) -> list[Alarm]:
    where, named = "judge = ?", sorted(among or ())
    if among is not None:
        marks = ", ".join("?" * len(named))
        where += f" AND (a IN ({marks}) OR b IN ({marks}))"
    rows = connection.execute(
        f"SELECT a, b, key, odds, probability FROM alarms WHERE {where} ORDER BY a, b",
        (judge, *named, *named),
    )
    return [
        Alarm(a, b, key, Opinion(*map(float, odds.split())), probability)
        for a, b, key, odds, probability in rows
    ]


def _odds(one: Alarm) -> str:
    return " ".join(f"{p:.5f}" for p in one.opinion)


def judged(connection: sqlite3.Connection, judge: str, among: Collection[str] | None = None) -> set[str]:
    where, named = "judge = ?", sorted(among or ())
    if among is not None:
        where += f" AND claim_id IN ({', '.join('?' * len(named))})"
    rows = connection.execute(f"SELECT claim_id FROM judged WHERE {where}", (judge, *named))
    return {id for (id,) in rows}


def write(connection: sqlite3.Connection, judge: str, found: Iterable[Alarm], seen: Collection[str]) -> None:
    """Inside the caller's transaction: alarms, and the claims that are done."""
    connection.executemany(
        "INSERT OR REPLACE INTO alarms (a, b, judge, key, odds, probability) VALUES (?, ?, ?, ?, ?, ?)",
        [(one.a, one.b, judge, one.key, _odds(one), one.probability) for one in found],
    )
    connection.executemany(
        "INSERT OR REPLACE INTO judged (claim_id, judge) VALUES (?, ?)", [(id, judge) for id in sorted(seen)]
    )


def forget(connection: sqlite3.Connection, ids: Collection[str]) -> None:
    """These claims are to be judged anew, and nothing said of them before counts."""
    for some in chunks(sorted(set(ids))):
        marks = ", ".join("?" * len(some))
        connection.execute(f"DELETE FROM judged WHERE claim_id IN ({marks})", some)
        connection.execute(f"DELETE FROM alarms WHERE a IN ({marks}) OR b IN ({marks})", (*some, *some))


def forget_other_judges(connection: sqlite3.Connection, judge: str) -> None:
    connection.execute("DELETE FROM judged WHERE judge <> ?", (judge,))
    connection.execute("DELETE FROM alarms WHERE judge <> ?", (judge,))
