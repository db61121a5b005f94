"""Opening a store: modes, migrations, and what is said when it cannot be opened."""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.store import connection as opening
from app.store.connection import connect
from app.store.errors import (
    DiskFull,
    NewerStore,
    NotAStore,
    StoreBusy,
    StoreCorrupt,
    StoreError,
    StoreReadOnly,
)
from app.store.judgements import Alarm
from app.store.migrations import MIGRATIONS, Migration
from app.store.store import Store
from app.words import Opinion
from tests.store.building import AT, note, open_conflict, save, says


def test_a_new_store_is_private_and_set_up(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "store.db"
    with Store.open(path) as store:
        save(store, note("a.md", "The code is 4411."))
        modes = {p.name: p.stat().st_mode & 0o777 for p in path.parent.iterdir()}
        assert modes["store.db"] == 0o600
        assert set(modes.values()) == {0o600}  # SQLite's side files too
        assert path.parent.stat().st_mode & 0o777 == 0o700
        raw = store.connection.raw
        asked = {
            name: raw.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "foreign_keys", "secure_delete", "busy_timeout", "application_id")
        }
        assert asked == {
            "journal_mode": "wal",
            "foreign_keys": 1,
            "secure_delete": 1,
            "busy_timeout": 30_000,
            "application_id": opening.APPLICATION_ID,
        }
        assert not store.read_only
        assert not store.progress.needs_reindex


def test_a_store_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    Store.open(tmp_path / "s.db").close()
    (tmp_path / "s.db").chmod(0o644)
    Store.open(tmp_path / "s.db").close()
    assert (tmp_path / "s.db").stat().st_mode & 0o777 == 0o600


def test_an_existing_folder_keeps_its_mode(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    Store.open(tmp_path / "s.db").close()
    assert tmp_path.stat().st_mode & 0o777 == 0o755


def test_a_store_in_memory_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Store.open(":memory:") as store:
        save(store, note("a.md", "The code is 4411."))
        assert store.counts().claims == 1
    assert list(tmp_path.iterdir()) == []


ORDERED_BY_NOTE = 11
"""The version whose story knows the order of sentences on one line; it reads notes anew for that."""


def store_of_version(path: Path, number: int) -> None:
    """A store as an earlier version of the program left it, with rows in every table."""
    link = connect(path, read_only=False, busy_ms=1000, steps=MIGRATIONS[:number])
    # Today's code asks for redactions as it writes; this table is the connection's own and goes with it.
    link.raw.execute("CREATE TEMP TABLE IF NOT EXISTS redactions (hash BLOB, claim_id TEXT)")
    # And it fills in a column that earlier versions lacked; it goes before the store is closed.
    if number < ORDERED_BY_NOTE:
        link.raw.execute("ALTER TABLE claims ADD COLUMN in_line INTEGER NOT NULL DEFAULT 0")
    with Store(link, path, lambda: AT) as store:
        save(store, note("a.md", "The code is 4411.", "Old words."), note("b.md", "The code is 0087."))
        save(store, note("a.md", "The code is 4411."))
        store.conflicts.keep(
            open_conflict(store, "The code is 4411.", "The code is 0087."),
            says(store, "The code is 0087.").id,
        )
        if number < ORDERED_BY_NOTE:
            link.raw.execute("ALTER TABLE claims DROP COLUMN in_line")


@pytest.mark.parametrize("number", range(1, len(MIGRATIONS) + 1))
def test_every_earlier_schema_is_brought_up_to_date_with_its_rows(tmp_path: Path, number: int) -> None:
    path = tmp_path / "s.db"
    store_of_version(path, number)
    with Store.open(path) as store:
        assert store.connection.raw.execute("PRAGMA user_version").fetchone()[0] == len(MIGRATIONS)
        assert store.verify() == []
        assert says(store, "The code is 4411.").superseded_by == says(store, "The code is 0087.").id
        assert says(store, "Old words.").status == "retracted"
        assert [row.text for row in store.story.rows(0, 10)] == ["The code is 4411.", "The code is 0087."]
        assert store.progress.needs_reindex == (number < ORDERED_BY_NOTE)


def test_pairs_judged_by_an_earlier_version_are_judged_anew(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    store_of_version(path, 8)
    raw = sqlite3.connect(path)
    raw.execute("INSERT INTO judged (claim_id, judge) VALUES ('a', 'judge-1')")
    raw.execute(
        "INSERT INTO alarms (a, b, judge, key, odds, ranks) "
        "VALUES ('a', 'b', 'judge-1', 'k', '0.9 0.1 0 0 0', '0 0')"
    )
    raw.execute("INSERT INTO meta (key, value) VALUES ('judged_by', 'judge-1')")
    raw.commit()
    raw.close()
    with Store.open(path) as store:
        assert (
            store.caches.judgements.complete_by,
            store.caches.judgements.alarms("judge-1"),
            store.caches.judgements.judged("judge-1"),
        ) == ("", [], set())
        assert store.verify() == []
        store.caches.judgements.put(
            "judge-1", [Alarm("a", "b", "k", Opinion(0.9, 0.1, 0, 0, 0), 0.75)], ["a"]
        )
        assert [one.probability for one in store.caches.judgements.alarms("judge-1")] == [0.75]


def add_weather(connection: sqlite3.Connection) -> None:
    connection.execute("ALTER TABLE notes ADD COLUMN weather TEXT")


NEXT = Migration(len(MIGRATIONS) + 1, True, add_weather)


def test_a_migration_can_ask_for_a_reindex_until_one_was_made(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    store_of_version(path, len(MIGRATIONS))
    steps = [*MIGRATIONS, NEXT]
    with Store(connect(path, read_only=False, busy_ms=1000, steps=steps), path, lambda: AT) as store:
        assert store.progress.needs_reindex
    with Store(connect(path, read_only=False, busy_ms=1000, steps=steps), path, lambda: AT) as store:
        assert store.progress.needs_reindex
        store.progress.mark_indexed("rules-2")
        assert not store.progress.needs_reindex
        assert store.progress.extractor == "rules-2"
        assert store.verify() == []


def test_a_fresh_store_has_nothing_to_reindex(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    with Store(
        connect(path, read_only=False, busy_ms=1000, steps=[*MIGRATIONS, NEXT]), path, lambda: AT
    ) as store:
        assert not store.progress.needs_reindex


def test_a_migration_that_fails_leaves_the_store_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    store_of_version(path, len(MIGRATIONS))

    def half_way(connection: sqlite3.Connection) -> None:
        add_weather(connection)
        connection.execute("ALTER TABLE nothing ADD COLUMN at_all TEXT")

    with pytest.raises(StoreError, match="nothing"):
        connect(
            path, read_only=False, busy_ms=1000, steps=[*MIGRATIONS, Migration(NEXT.number, True, half_way)]
        )
    with Store.open(path) as store:
        assert "weather" not in {row[1] for row in store.connection.raw.execute("PRAGMA table_info(notes)")}
        assert store.verify() == []


def test_a_newer_store_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    connect(path, read_only=False, busy_ms=1000, steps=[*MIGRATIONS, NEXT]).close()
    before = path.read_bytes()
    with pytest.raises(NewerStore, match="newer version"):
        Store.open(path)
    assert path.read_bytes() == before


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    path.write_text("# My notes\n" * 500)
    with pytest.raises(NotAStore, match="not a database"):
        Store.open(path)
    assert path.read_text() == "# My notes\n" * 500


def test_a_database_of_another_program(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE claims (id)")
    other.commit()
    other.close()
    with pytest.raises(NotAStore, match="not a Belie store"):
        Store.open(path)


def test_a_folder(tmp_path: Path) -> None:
    with pytest.raises(NotAStore, match="folder"):
        Store.open(tmp_path)


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    (tmp_path / "s.db").touch()
    with Store.open(tmp_path / "s.db") as store:
        assert store.verify() == []


def test_a_file_in_the_way_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "blocked").write_text("")
    with pytest.raises(StoreError, match="No store can be made"):
        Store.open(tmp_path / "blocked" / "s.db")


def test_reading_only_what_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no store at"):
        Store.open(tmp_path / "s.db", read_only=True)


def test_a_damaged_store(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    store_of_version(path, len(MIGRATIONS))
    data = bytearray(path.read_bytes())
    for page in range(4096, len(data), 4096):
        data[page : page + 64] = b"\xff" * 64
    path.write_bytes(data)
    with pytest.raises(StoreCorrupt, match="damaged"), Store.open(path) as store:
        list(store.claims.all())


def test_asked_to_only_read(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    store_of_version(path, len(MIGRATIONS))
    with Store.open(path, read_only=True) as store:
        assert store.read_only
        assert store.counts().claims == 2
        with pytest.raises(StoreReadOnly, match="reading only"):
            save(store, note("c.md", "New."))
        with pytest.raises(StoreReadOnly):
            store.ledger.undo()


def as_nobody(work: Callable[[], object]) -> object:
    """Do it in a child process without the rights of root, for whom no folder is read-only."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if os.getuid() == 0:
                os.setuid(65534)
            said: object = work()
        except StoreError as error:
            said = [type(error).__name__, str(error)]
        except BaseException as error:
            said = repr(error)
        os.write(write, json.dumps(said).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as answer:
        said = json.loads(answer.read())
    os.waitpid(child, 0)
    return said


@pytest.fixture
def locked_folder() -> Iterator[Path]:
    """A folder anyone may look into and nobody may write; pytest's own are hidden from others."""
    with tempfile.TemporaryDirectory(prefix="belie-locked-") as name:
        yield Path(name)
        Path(name).chmod(0o700)


def test_a_folder_that_cannot_be_written(locked_folder: Path) -> None:
    locked_folder.chmod(0o555)
    assert as_nobody(lambda: Store.open(locked_folder / "s.db").close()) == [
        "StoreReadOnly",
        f"The folder {locked_folder} cannot be written, so no store can be made there.",
    ]


def test_a_store_that_cannot_be_written_opens_read_only_and_says_so(locked_folder: Path) -> None:
    path = locked_folder / "s.db"
    store_of_version(path, len(MIGRATIONS))
    path.chmod(0o444)
    locked_folder.chmod(0o555)

    def look() -> object:
        with Store.open(path) as store:
            return [store.read_only, store.counts().claims, store.verify()]

    assert as_nobody(look) == [True, 2, []]


def test_an_old_store_that_cannot_be_written(locked_folder: Path) -> None:
    path = locked_folder / "s.db"
    store_of_version(path, 1)
    path.chmod(0o444)
    locked_folder.chmod(0o555)
    said = as_nobody(lambda: Store.open(path).close())
    assert isinstance(said, list)
    assert said[0] == "StoreReadOnly"
    assert "earlier version" in said[1]


def test_locked_for_longer_than_the_timeout(tmp_path: Path) -> None:
    path = tmp_path / "s.db"
    with Store.open(path, busy_ms=20) as store, Store.open(path) as other, other.connection.writing():
        with pytest.raises(StoreBusy, match="another process"):
            save(store, note("a.md", "The code is 4411."))
        assert store.counts().claims == 0  # reading goes on meanwhile


def test_a_full_disk_loses_nothing_that_was_there(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db") as store:
        save(store, note("a.md", "The code is 4411."))
        pages = store.connection.raw.execute("PRAGMA page_count").fetchone()[0]
        store.connection.raw.execute(f"PRAGMA max_page_count = {pages + 1}")
        with pytest.raises(DiskFull, match="disk is full"):
            save(store, note("b.md", *(f"Line {n} says something new and long." * 9 for n in range(400))))
        assert store.counts().claims == 1
        assert store.verify() == []
        store.connection.raw.execute("PRAGMA max_page_count = 1000000")
        save(store, note("b.md", "The code is 0087."))
        assert store.verify() == []


def test_a_foreign_write_is_noticed(tmp_path: Path) -> None:
    with Store.open(tmp_path / "s.db") as mine, Store.open(tmp_path / "s.db") as theirs:
        before = mine.data_version()
        save(mine, note("a.md", "Mine."))
        assert mine.data_version() == before
        save(theirs, note("b.md", "Theirs."))
        assert mine.data_version() != before
