"""The story in SQL: which claims are in it, in which order, and what a line of it shows."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import date

from app.store.codec import strings
from app.store.order import Order
from app.store.rows import StoryFilter, StoryRow
from app.store.texts import dump

_NO_TIME = 1980
"""The year in which the clocks of ZIP files begin; that of Unix files is earlier."""
_ORDER = "ORDER BY c.story_date, c.path, c.line, c.in_line, c.id"
_DISPUTED = """SELECT m.member_id FROM conflict_members m JOIN conflicts x ON x.id = m.conflict_id
    WHERE m.left_at IS NULL AND x.status = 'open'"""
_ROW = """
    SELECT c.id, c.date, c.path, c.line, n.title, c.heading, t.body, c.layer, c.status,
           (SELECT min(m.conflict_id) FROM conflict_members m JOIN conflicts x ON x.id = m.conflict_id
            WHERE m.member_id = c.id AND m.left_at IS NULL AND x.status = 'open'),
           c.struck, CASE WHEN c.date IS NULL THEN n.mtime_ns ELSE 0 END
    FROM claims c JOIN notes n ON n.path = c.path JOIN texts t ON t.id = c.text_id
"""


def story_before(connection: sqlite3.Connection, day: str, filter: StoryFilter) -> int:
    """How many claims come before a day: the place in the story where it begins."""
    where, params = _where(filter)
    sql = f"SELECT count(*) FROM claims c WHERE {where} AND c.story_date < ?"
    count: int = connection.execute(sql, [*params, day]).fetchone()[0]
    return count


def story_ids(
    connection: sqlite3.Connection, filter: StoryFilter, offset: int = 0, limit: int = -1
) -> list[str]:
    where, params = _where(filter)
    # Walked in the index alone as long as only the status is asked for.
    sql = f"SELECT c.id FROM claims c WHERE {where} {_ORDER} LIMIT ? OFFSET ?"
    return [id for (id,) in connection.execute(sql, [*params, limit, offset])]


def story_order(connection: sqlite3.Connection, filter: StoryFilter) -> Order:
    """The same ids, and which are in an open conflict (snoozed or not), put together by SQLite in one step,
    during which other threads run."""
    where, params = _where(filter)
    text, shortest, longest, marks = connection.execute(
        "SELECT group_concat(id, ''), min(length(id)), max(length(id)), group_concat(disputed, '')"
        f" FROM (SELECT c.id, c.id IN ({_DISPUTED}) AS disputed FROM claims c WHERE {where}"
        f" {_ORDER} LIMIT -1)",
        params,
    ).fetchone()
    if text is None:
        return Order()
    if shortest == longest:
        return Order(text, longest, marks)
    return Order.of(story_ids(connection, filter), marks)


def rows_of(connection: sqlite3.Connection, ids: Sequence[str]) -> list[StoryRow]:
    """The lines of these claims, in this order."""
    sql = f"{_ROW} JOIN json_each(?) wanted ON wanted.value = c.id ORDER BY wanted.key"
    return [
        StoryRow(
            id, day, path, line, title, strings(heading), text or "", layer, status, disputed,
            bool(struck), file_day(changed),
        )
        for id, day, path, line, title, heading, text, layer, status, disputed, struck, changed
        in connection.execute(sql, (dump(ids),))
    ]  # fmt: skip


def file_day(mtime_ns: int) -> str | None:
    """The person's own day of a file's time; None where there is none, or one that archives and packages
    write for want of a better."""
    try:
        day = date.fromtimestamp(mtime_ns // 10**9)
    except (OverflowError, OSError, ValueError):  # files may claim any time at all
        return None
    return day.isoformat() if day.year > _NO_TIME else None


def _where(filter: StoryFilter) -> tuple[str, list[object]]:
    parts = [f"c.status IN ({','.join('?' * len(filter.statuses))})"]
    params: list[object] = list(filter.statuses)

    def add(sql: str, *values: object) -> None:
        parts.append(sql)
        params.extend(values)

    if filter.subject is not None:
        like, value = _contains("s.subject", filter.subject)
        add(f"c.id IN (SELECT s.claim_id FROM norms s WHERE {like})", value)
    if filter.text is not None:
        text, value = _contains("t.body", filter.text)
        title, _ = _contains("n.title", filter.text)
        path, _ = _contains("c.path", filter.text)
        add(
            f"(EXISTS (SELECT 1 FROM texts t WHERE t.id = c.text_id AND {text}) OR {path}"
            f" OR EXISTS (SELECT 1 FROM notes n WHERE n.path = c.path AND {title}))",
            value, value, value,
        )  # fmt: skip
    for column, wanted in (("project", filter.project), ("layer", filter.layer)):
        if wanted is not None:
            add(f"c.{column} = ?", wanted)
    if filter.tag is not None:
        tag = filter.tag.removeprefix("#")
        add(
            "(EXISTS (SELECT 1 FROM json_each(c.tags) WHERE value IN (?, ?)) OR EXISTS (SELECT 1"
            " FROM notes n, json_each(n.tags) WHERE n.path = c.path AND value IN (?, ?)))",
            tag, "#" + tag, tag, "#" + tag,
        )  # fmt: skip
    if filter.kind is not None:
        add(
            "c.id IN (SELECT m.member_id FROM conflict_members m JOIN conflicts x ON x.id = m.conflict_id"
            " WHERE m.left_at IS NULL AND x.status = 'open' AND x.kind = ?)",
            filter.kind,
        )
    for key, value in filter.scope:
        add(
            "c.id IN (SELECT s.claim_id FROM norms s, json_each(s.scope) p WHERE p.value = json_array(?, ?))",
            key, value,
        )  # fmt: skip
    if filter.as_of is not None:
        add("(c.date IS NULL OR c.date <= ?)", filter.as_of)
        # A claim with windows must have one that holds that day.
        add(
            "(NOT EXISTS (SELECT 1 FROM norms s WHERE s.claim_id = c.id) OR EXISTS (SELECT 1 FROM norms s"
            " WHERE s.claim_id = c.id AND coalesce(s.valid_from, '') <= ?"
            " AND coalesce(s.valid_until, '~') >= ?))",
            filter.as_of, filter.as_of,
        )  # fmt: skip
    return " AND ".join(parts), params


def _contains(column: str, part: str) -> tuple[str, str]:
    """Case-insensitively; SQLite folds only ASCII by itself, `fold` is ours and slower."""
    if part.isascii():
        escaped = part.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
        return f"{column} LIKE ? ESCAPE '\\'", f"%{escaped}%"
    return f"instr(fold({column}), ?) > 0", part.casefold()
