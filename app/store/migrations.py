"""Numbered migrations: how a store of any earlier version becomes one of today's."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Migration:
    """One step; `reindex` says that notes must be read again to fill what it added."""

    number: int
    reindex: bool
    run: Callable[[sqlite3.Connection], None]


MIGRATIONS: list[Migration] = []


def migration(*, reindex: bool) -> Callable[[Callable[[sqlite3.Connection], None]], None]:
    """Register the next step. Steps are history: a shipped one never changes."""

    def register(run: Callable[[sqlite3.Connection], None]) -> None:
        MIGRATIONS.append(Migration(len(MIGRATIONS) + 1, reindex, run))

    return register


def version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def migrate(connection: sqlite3.Connection, steps: Sequence[Migration], *, fresh: bool) -> None:
    """Run the steps the store lacks; the caller holds the transaction.

    A fresh store has nothing to read again, so it never asks for a reindex.
    """
    have = version(connection)
    for step in steps:
        if step.number <= have:
            continue
        step.run(connection)
        if step.reindex and not fresh:
            connection.execute(
                "INSERT INTO meta (key, value) VALUES ('needs_reindex', '1') "
                "ON CONFLICT (key) DO UPDATE SET value = '1'"
            )
        connection.execute(f"PRAGMA user_version = {step.number}")


def _script(connection: sqlite3.Connection, statements: str) -> None:
    # executescript would commit the caller's transaction.
    for statement in statements.split(";;"):
        if statement.strip():
            connection.execute(statement)


@migration(reindex=False)
def tables(connection: sqlite3.Connection) -> None:
    """The tables, the one-open-conflict-per-slot rule, and the promise that nothing is deleted."""
    _script(connection, _TABLES)
    for table in ("texts", "notes", "claims", "conflicts", "conflict_members", "events"):
        connection.execute(
            f"CREATE TRIGGER {table}_are_kept BEFORE DELETE ON {table} "
            f"BEGIN SELECT RAISE(ABORT, 'rows of {table} are never deleted'); END"
        )
    connection.execute(
        "CREATE TRIGGER events_are_final BEFORE UPDATE ON events "
        "BEGIN SELECT RAISE(ABORT, 'events are never changed'); END"
    )


@migration(reindex=False)
def reading_order(connection: sqlite3.Connection) -> None:
    """The story's order as columns with an index, and indexes for looking back from a claim."""
    _script(connection, _READING_ORDER)


@migration(reindex=False)
def embeddings(connection: sqlite3.Connection) -> None:
    """Vectors of statements, by their content and by the model that made them: a cache, so rows may go."""
    _script(connection, _EMBEDDINGS)


@migration(reindex=False)
def judgements(connection: sqlite3.Connection) -> None:
    """What the judge said of pairs of claims: a cache, so rows may go."""
    _script(connection, _JUDGEMENTS)


@migration(reindex=False)
def redactions(connection: sqlite3.Connection) -> None:
    """What must not be taken in again, by its salted hash."""
    _script(connection, _REDACTIONS)


@migration(reindex=False)
def rereadings(connection: sqlite3.Connection) -> None:
    """What the language model read out of claims: a cache, so rows may go."""
    connection.execute(_REREADINGS)


@migration(reindex=False)
def threads(connection: sqlite3.Connection) -> None:
    """What the language model said of threads: a cache, so rows may go."""
    connection.execute(_THREADS)


@migration(reindex=False)
def ranks(connection: sqlite3.Connection) -> None:
    """Beside an alarm, how near its two claims are among all: without it nothing said before counts."""
    _script(connection, _RANKS)


@migration(reindex=False)
def second_reader(connection: sqlite3.Connection) -> None:
    """What a second reader says of values: pairs are judged anew."""
    _script(connection, _SECOND_READER)


@migration(reindex=False)
def readings(connection: sqlite3.Connection) -> None:
    """Readings by the parser, a cache; and beside an alarm how likely it is right: pairs are judged anew."""
    _script(connection, _READINGS)


@migration(reindex=True)
def order_of_the_note(connection: sqlite3.Connection) -> None:
    """The story has the sentences of a note in the note's own order, also where they share a line."""
    _script(connection, _ORDER_OF_THE_NOTE)


_TABLES = """
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;;

CREATE TABLE texts (
    id INTEGER PRIMARY KEY,
    salt BLOB NOT NULL,
    hash BLOB NOT NULL,
    body TEXT
);;

CREATE TABLE notes (
    path TEXT PRIMARY KEY,
    content_hash TEXT NOT NULL DEFAULT '',
    size INTEGER NOT NULL DEFAULT 0,
    mtime_ns INTEGER NOT NULL DEFAULT 0,
    inode INTEGER NOT NULL DEFAULT 0,
    indexed_ns INTEGER NOT NULL DEFAULT 0,
    title TEXT NOT NULL DEFAULT '',
    aliases TEXT NOT NULL DEFAULT '[]',
    tags TEXT NOT NULL DEFAULT '[]',
    properties TEXT NOT NULL DEFAULT '[]',
    date TEXT,
    project TEXT,
    layer TEXT NOT NULL DEFAULT 'memory' CHECK (layer IN ('memory', 'entity', 'state')),
    entity TEXT,
    draft INTEGER NOT NULL DEFAULT 0,
    silent TEXT,
    problems TEXT NOT NULL DEFAULT '[]',
    state TEXT NOT NULL DEFAULT 'present' CHECK (state IN ('present', 'unreadable', 'gone')),
    moved_to TEXT
);;

CREATE TABLE claims (
    id TEXT PRIMARY KEY,
    path TEXT NOT NULL REFERENCES notes (path),
    line INTEGER NOT NULL,
    end_line INTEGER NOT NULL,
    text_id INTEGER NOT NULL REFERENCES texts (id),
    quote_id INTEGER NOT NULL REFERENCES texts (id),
    parent_id INTEGER REFERENCES texts (id),
    before_id INTEGER REFERENCES texts (id),
    after_id INTEGER REFERENCES texts (id),
    form TEXT NOT NULL,
    heading TEXT NOT NULL DEFAULT '[]',
    date TEXT,
    dated_by TEXT NOT NULL,
    time TEXT,
    ordinal INTEGER NOT NULL,
    quoted INTEGER NOT NULL,
    struck INTEGER NOT NULL,
    task TEXT,
    listed INTEGER NOT NULL,
    key TEXT,
    cells TEXT NOT NULL DEFAULT '[]',
    tags TEXT NOT NULL DEFAULT '[]',
    content_hash TEXT NOT NULL,
    layer TEXT NOT NULL CHECK (layer IN ('memory', 'entity', 'state')),
    entity TEXT,
    project TEXT,
    status TEXT NOT NULL
        CHECK (status IN ('candidate', 'active', 'superseded', 'retracted', 'redacted')),
    silent TEXT,
    first_seen TEXT NOT NULL,
    superseded_by TEXT REFERENCES claims (id) DEFERRABLE INITIALLY DEFERRED,
    previous TEXT REFERENCES claims (id) DEFERRABLE INITIALLY DEFERRED,
    extractor TEXT NOT NULL DEFAULT '',
    promoted INTEGER NOT NULL DEFAULT 0,
    CHECK (status <> 'superseded' OR superseded_by IS NOT NULL)
);;

CREATE INDEX claims_by_path ON claims (path, line);;

CREATE TABLE norms (
    claim_id TEXT NOT NULL REFERENCES claims (id) DEFERRABLE INITIALLY DEFERRED,
    n INTEGER NOT NULL,
    subject TEXT NOT NULL,
    subject_kind TEXT NOT NULL,
    standing TEXT NOT NULL,
    modality TEXT NOT NULL,
    object TEXT NOT NULL,
    value TEXT,
    scope TEXT NOT NULL DEFAULT '[]',
    valid_from TEXT,
    valid_until TEXT,
    change TEXT,
    by TEXT NOT NULL,
    sure INTEGER NOT NULL,
    single INTEGER NOT NULL,
    PRIMARY KEY (claim_id, n)
) WITHOUT ROWID;;

CREATE TABLE conflicts (
    id TEXT PRIMARY KEY,
    detected_at TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('disagreement', 'reversal', 'stale')),
    slot_kind TEXT NOT NULL CHECK (slot_kind IN ('memory_slot', 'entity_slot', 'cross_layer')),
    slot_key TEXT NOT NULL,
    slot_subject TEXT NOT NULL,
    project TEXT NOT NULL DEFAULT '',
    status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'resolved', 'dismissed')),
    tier TEXT NOT NULL,
    confidence REAL NOT NULL,
    question TEXT NOT NULL,
    found_by TEXT NOT NULL,
    reasons TEXT NOT NULL,
    resolved_at TEXT,
    resolution TEXT NOT NULL DEFAULT '',
    winner TEXT REFERENCES claims (id),
    snoozed_until TEXT
);;

CREATE UNIQUE INDEX one_open_conflict_per_slot ON conflicts (slot_kind, slot_key)
    WHERE status = 'open' AND slot_key <> '[]';;

CREATE TABLE conflict_members (
    conflict_id TEXT NOT NULL REFERENCES conflicts (id),
    member_kind TEXT NOT NULL CHECK (member_kind IN ('memory', 'entity', 'project_state')),
    member_id TEXT NOT NULL REFERENCES claims (id),
    member_layer_trust INTEGER NOT NULL CHECK (member_layer_trust IN (1, 2, 3)),
    position INTEGER NOT NULL,
    joined_at TEXT NOT NULL,
    left_at TEXT,
    PRIMARY KEY (conflict_id, member_kind, member_id)
);;

CREATE TABLE events (
    seq INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    who TEXT NOT NULL,
    action TEXT NOT NULL,
    target_kind TEXT NOT NULL CHECK (target_kind IN ('claim', 'conflict', 'note', 'event')),
    target_id TEXT NOT NULL,
    why_id INTEGER REFERENCES texts (id),
    payload TEXT NOT NULL,
    cause INTEGER REFERENCES events (seq),
    prev_hash BLOB NOT NULL,
    hash BLOB NOT NULL
);;

CREATE INDEX events_by_target ON events (target_id)
"""

_READING_ORDER = """
ALTER TABLE claims ADD COLUMN story_date TEXT AS (coalesce(date, '~')) VIRTUAL;;
ALTER TABLE claims ADD COLUMN story_seen TEXT
    AS (CASE WHEN date IS NULL THEN first_seen ELSE '' END) VIRTUAL;;
CREATE INDEX claims_in_story_order ON claims (story_date, story_seen, path, line, id, status);;
CREATE INDEX members_by_claim ON conflict_members (member_id, conflict_id);;
CREATE INDEX decisions ON events (seq) WHERE cause IS NULL AND who <> 'belie'
"""

_EMBEDDINGS = """
CREATE TABLE embedding_models (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);;
CREATE TABLE embeddings (
    content_hash TEXT NOT NULL,
    model_id INTEGER NOT NULL REFERENCES embedding_models (id),
    vector BLOB NOT NULL,
    UNIQUE (content_hash, model_id)
)
"""

_JUDGEMENTS = """
CREATE TABLE alarms (
    a TEXT NOT NULL,
    b TEXT NOT NULL,
    judge TEXT NOT NULL,
    key TEXT NOT NULL,
    odds TEXT NOT NULL,
    PRIMARY KEY (a, b, judge)
) WITHOUT ROWID;;
CREATE TABLE judged (
    claim_id TEXT PRIMARY KEY,
    judge TEXT NOT NULL
) WITHOUT ROWID
"""

_REDACTIONS = """
CREATE TABLE redactions (
    hash BLOB PRIMARY KEY,
    claim_id TEXT NOT NULL REFERENCES claims (id)
) WITHOUT ROWID;;
CREATE TRIGGER redactions_are_kept BEFORE DELETE ON redactions
BEGIN SELECT RAISE(ABORT, 'rows of redactions are never deleted'); END
"""

_REREADINGS = """
CREATE TABLE rereadings (
    claim_id TEXT PRIMARY KEY,
    reader TEXT NOT NULL,
    key TEXT NOT NULL,
    norms TEXT
) WITHOUT ROWID
"""

_THREADS = """
CREATE TABLE threads (
    key TEXT NOT NULL,
    reader TEXT NOT NULL,
    ids TEXT NOT NULL,
    verdict TEXT NOT NULL,
    odds REAL NOT NULL,
    kind TEXT,
    members TEXT NOT NULL,
    question TEXT,
    PRIMARY KEY (key, reader)
) WITHOUT ROWID
"""

_RANKS = """
DELETE FROM judged;;
DELETE FROM alarms;;
ALTER TABLE alarms ADD COLUMN ranks TEXT NOT NULL DEFAULT '0 0'
"""

_SECOND_READER = """
DELETE FROM meta WHERE key = 'judged_by';;
DELETE FROM judged;;
DELETE FROM alarms;;
ALTER TABLE alarms ADD COLUMN unsure REAL
"""

_READINGS = """
CREATE TABLE readings (
    claim_id TEXT PRIMARY KEY,
    key TEXT NOT NULL,
    reading TEXT NOT NULL
) WITHOUT ROWID;;
DELETE FROM meta WHERE key = 'judged_by';;
DELETE FROM judged;;
DELETE FROM alarms;;
ALTER TABLE alarms DROP COLUMN unsure;;
ALTER TABLE alarms DROP COLUMN ranks;;
ALTER TABLE alarms ADD COLUMN probability REAL NOT NULL DEFAULT 0
"""

_ORDER_OF_THE_NOTE = """
ALTER TABLE claims ADD COLUMN in_line INTEGER NOT NULL DEFAULT 0;;
DROP INDEX claims_in_story_order;;
ALTER TABLE claims DROP COLUMN story_seen;;
CREATE INDEX claims_in_story_order ON claims (story_date, path, line, in_line, id, status)
"""
