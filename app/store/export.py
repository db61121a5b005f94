"""The whole store as lines of JSON, and an empty store filled from them; caches stay behind."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any

from app.store.errors import Refused
from app.store.migrations import MIGRATIONS, migrate, version
from app.store.texts import dump
from app.store.verify import verify

FORMAT = 1
_CACHES = frozenset({"embeddings", "embedding_models", "alarms", "judged", "threads", "readings"})
_OF_THE_FILE = frozenset({"judged_by", "threads_by", "threads_seen", "scrub"})
"""Keys of `meta` that speak of the caches or the file, not of what is held."""
# For whoever reads the lines; an import takes the rows alone.
_PLAIN = {
    "claims": ("text", "SELECT body FROM texts WHERE id = :text_id"),
    "conflicts": (
        "members",
        "SELECT json_group_array(member_id) FROM (SELECT member_id FROM conflict_members"
        " WHERE conflict_id = :id AND left_at IS NULL ORDER BY position, member_id)",
    ),
    "events": ("why", "SELECT body FROM texts WHERE id = :why_id"),
}


def lines(connection: sqlite3.Connection) -> Iterator[str]:
    """A head, one line a row, and an end that tells a whole export from one cut short."""
    yield dump({"belie": FORMAT, "schema": version(connection)})
    count = 0
    for table, columns in _tables(connection).items():
        order = "rowid" if table in _with_rowid(connection) else ", ".join(columns[:2])
        for values in connection.execute(f"SELECT {', '.join(columns)} FROM {table} ORDER BY {order}"):
            row = dict(zip(columns, values, strict=True))
            if table == "meta" and row["key"] in _OF_THE_FILE:
                continue
            line = {"table": table, "row": {name: _shown(value) for name, value in row.items()}}
            yield dump(line | _plainly(connection, table, row))
            count += 1
    yield dump({"end": count})


def _plainly(connection: sqlite3.Connection, table: str, row: dict[str, Any]) -> dict[str, object]:
    if table not in _PLAIN:
        return {}
    name, sql = _PLAIN[table]
    found = connection.execute(sql, {k: v for k, v in row.items() if f":{k}" in sql}).fetchone()
    if not found or found[0] is None:
        return {name: None}
    return {name: json.loads(found[0]) if name == "members" else found[0]}


def load(connection: sqlite3.Connection, source: Iterable[str]) -> int:
    """Fill an empty store, inside the caller's transaction; returns how many rows there are.

    Raises Refused where the store is not empty, or the lines are not a whole export whose ledger tells
    what its tables say; the caller's transaction must then not be kept.
    """
    if connection.execute("SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM notes)").fetchone()[
        0
    ]:
        raise Refused("The store is not empty; an export is taken in by an empty one alone.")
    numbered = enumerate(source, start=1)
    schema = _head(next(numbered, (1, ""))[1])
    newest = version(connection)
    if schema != newest:
        _start_over(connection, schema)
    connection.execute("PRAGMA defer_foreign_keys = ON")
    count = _rows(connection, numbered)
    if schema != newest:
        migrate(connection, MIGRATIONS, fresh=False)
    try:
        problems = verify(connection)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Refused(f"The export's ledger cannot be read: {error!r}.") from error
    if problems:
        raise Refused(f"The export does not hold together: {problems[0]}.")
    return count


def _head(line: str) -> int:
    head = _parsed(line, 1)
    if head.get("belie") != FORMAT or not isinstance(head.get("schema"), int):
        raise Refused("This is not an export of Belie.")
    schema: int = head["schema"]
    if not 1 <= schema <= len(MIGRATIONS):
        raise Refused("The export was made by a newer version of Belie. Please update Belie.")
    return schema


def _start_over(connection: sqlite3.Connection, schema: int) -> None:
    """The empty tables as they were when the export was made."""
    for name in [*_tables(connection, caches=True)]:
        connection.execute(f"DROP TABLE {name}")
    connection.execute("PRAGMA user_version = 0")
    migrate(connection, MIGRATIONS[:schema], fresh=True)


def _rows(connection: sqlite3.Connection, numbered: Iterator[tuple[int, str]]) -> int:
    tables = _tables(connection)
    for count, (number, text) in enumerate(numbered):
        line = _parsed(text, number)
        if "end" in line:
            if line["end"] != count:
                raise Refused(f"The export is not whole: {count} of {line['end']} rows are there.")
            return count
        table, row = line.get("table"), line.get("row")
        if not isinstance(table, str) or table not in tables or not isinstance(row, dict):
            raise Refused(f"Line {number} of the export is no row of a table.")
        if not row or not set(row) <= set(tables[table]):
            raise Refused(f"Line {number} of the export has columns that {table} has not.")
        names, marks = ", ".join(row), ", ".join("?" * len(row))
        verb = "INSERT OR REPLACE" if table == "meta" else "INSERT"
        try:
            connection.execute(
                f"{verb} INTO {table} ({names}) VALUES ({marks})", [_read(v, number) for v in row.values()]
            )
        except (sqlite3.IntegrityError, OverflowError) as error:
            raise Refused(f"Line {number} of the export does not fit: {error}.") from error
    raise Refused("The export is cut short.")


def _parsed(line: str, number: int) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise Refused(f"Line {number} is not JSON, so this is no export of Belie.") from error
    if not isinstance(found, dict):
        raise Refused(f"Line {number} is not an object, so this is no export of Belie.")
    return found


def _shown(value: object) -> object:
    return {"hex": value.hex()} if isinstance(value, bytes) else value


def _read(value: object, number: int) -> object:
    if isinstance(value, dict):
        try:
            return bytes.fromhex(value["hex"])
        except (KeyError, TypeError, ValueError) as error:
            raise Refused(f"Line {number} of the export has a value that is none.") from error
    if value is None or isinstance(value, (str, int, float)):
        return value
    raise Refused(f"Line {number} of the export has a value that is none.")


def _tables(connection: sqlite3.Connection, *, caches: bool = False) -> dict[str, list[str]]:
    """What is carried, whichever migration made it, with the columns that are stored."""
    names = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rootpage"
    )
    return {
        name: [column[1] for column in connection.execute(f"PRAGMA table_info({name})")]
        for (name,) in names.fetchall()
        if caches or name not in _CACHES
    }


def _with_rowid(connection: sqlite3.Connection) -> set[str]:
    return {name for _, name, _, _, without, _ in connection.execute("PRAGMA table_list") if not without}
