"""When events happened, told from clocks that may have been wrong for a while."""

from __future__ import annotations

import sqlite3
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise


def last_until(connection: sqlite3.Connection, at: str) -> int:
    """The last event at or before a moment (ISO, UTC); 0 before the first.

    Events stand in the order in which they happened. A time that does not fit in with most others is that of
    a clock that ran ahead or behind: such an event happened when the one before it did.
    """
    rows: list[tuple[int, str]] = connection.execute("SELECT seq, at FROM events ORDER BY seq").fetchall()
    right = _in_order([time for _, time in rows])
    end = bisect_right([rows[place][1] for place in right], at)
    if end == 0:
        return 0
    following = right[end] if end < len(right) else len(rows)
    return rows[following - 1][0]


def _in_order(times: Sequence[str]) -> list[int]:
    """The places of the most times, not necessarily neighbours, of which each is no earlier than the last."""
    if all(a <= b for a, b in pairwise(times)):
        return list(range(len(times)))
    ends: list[str] = []  # the earliest time on which a run of each length can end, and its place
    places: list[int] = []
    before: list[int] = []
    for place, time in enumerate(times):
        length = bisect_right(ends, time)
        before.append(places[length - 1] if length else -1)
        ends[length : length + 1] = [time]
        places[length : length + 1] = [place]
    run: list[int] = []
    place = places[-1]
    while place >= 0:
        run.append(place)
        place = before[place]
    return run[::-1]
