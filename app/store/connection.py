"""Opening the SQLite file: modes and pragmas, transactions, and SQLite's errors in plain words."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import peewee

from app import in_folder
from app.private_files import make_private, make_private_file
from app.store.errors import (
    DiskFull,
    NewerStore,
    NotAStore,
    StoreBusy,
    StoreCorrupt,
    StoreError,
    StoreReadOnly,
    StoreReplaced,
)
from app.store.migrations import MIGRATIONS, Migration, migrate, version

APPLICATION_ID = 0x42454C49
"""`BELI` in the file's header, so that no other program's database is taken for ours."""

MEMORY: Literal[":memory:"] = ":memory:"


class Connection:
    """One connection behind a lock: threads may share it, a process needs no second writer."""

    def __init__(self, database: peewee.SqliteDatabase, name: str, *, read_only: bool) -> None:
        self.database = database
        self.name = name
        self.read_only = read_only
        self._lock = threading.RLock()
        self.after_decision: Callable[[bool], None] = lambda forgets: None
        """Called with each decision that is on the disk: did it take out a text that must not be kept?"""
        self._file = _identity(name)
        self.raw.create_function("fold", 1, lambda text: (text or "").casefold(), deterministic=True)

    @property
    def raw(self) -> sqlite3.Connection:
        """The sqlite3 connection, for bulk statements."""
        connection: sqlite3.Connection = self.database.connection()
        return connection

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """One consistent state, however many questions are asked of it."""
        with self._lock, in_plain_words(self.name):
            if self.raw.in_transaction:
                yield self.raw
            else:
                with transaction(self.raw, "BEGIN"):
                    yield self.raw

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction that holds the write lock from its first moment."""
        if self.read_only:
            raise StoreReadOnly(f"{self.name} is open for reading only.")
        if _identity(self.name) != self._file:
            raise StoreReplaced(
                f"{self.name} was deleted or replaced while it was open, so nothing was written. "
                "Close Belie and open the vault again; belie doctor tells what is left."
            )
        with self._lock, in_plain_words(self.name), transaction(self.raw, "BEGIN IMMEDIATE"):
            yield self.raw

    @contextmanager
    def deciding(self, *, forgets: bool = False) -> Iterator[sqlite3.Connection]:
        """As `writing`, for what a person decides: it is on the disk when the block has ended. Everything
        else can be read again from the notes, and may be lost with the power. `forgets`: it takes a text out
        for good."""
        with self._lock:
            if not self.read_only:
                self._synchronise("FULL")
            try:
                with self.writing() as connection:
                    yield connection
            finally:
                if not self.read_only:
                    self._synchronise("NORMAL")
        self.after_decision(forgets)

    def _synchronise(self, how: Literal["FULL", "NORMAL"]) -> None:
        with in_plain_words(self.name):
            self.raw.execute(f"PRAGMA synchronous = {how}")

    def rewrite(self) -> bool:
        """Write every page anew and empty the write-ahead log, so that nothing deleted is left in a corner of
        the file; False where readers of older pages kept the log from being emptied."""
        with self._lock, in_plain_words(self.name):
            self.raw.execute("VACUUM")
            (blocked, *_) = self.raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            return not blocked

    def close(self) -> None:
        with self._lock, in_plain_words(self.name):
            if not self.database.is_closed():
                self.database.close()


def _identity(name: str) -> tuple[int, int] | None:
    """Which file has this name just now; None for none, and for a store in memory."""
    if name == MEMORY:
        return None
    try:
        found = Path(name).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def connect(
    path: Path | Literal[":memory:"],
    *,
    read_only: bool,
    busy_ms: int,
    steps: Sequence[Migration] = MIGRATIONS,
) -> Connection:
    """Open the file, make it where there is none, and bring its schema up to date."""
    name = str(path)
    if isinstance(path, Path):
        exists = _exists(path)
        if not exists and read_only:
            raise StoreError(f"There is no store at {name}.")
        if not exists:
            _create(path)
        elif not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
            read_only = True
    with in_plain_words(name):
        if read_only and isinstance(path, Path):
            database = _open_to_read(path, busy_ms)
        else:
            database = _open_to_write(name, busy_ms, steps[-1].number)
        try:
            if not read_only:
                _bring_up_to_date(database, steps)
            else:
                _check_owner(database.connection(), name, steps[-1].number)
                if version(database.connection()) < steps[-1].number:
                    raise StoreReadOnly(
                        f"{name} was written by an earlier version and has to be brought up to date, "
                        "but it cannot be written."
                    )
        except BaseException:
            database.close()
            raise
    return Connection(database, name, read_only=read_only)


def _exists(path: Path) -> bool:
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            raise NotAStore(
                f"{path} is {'a folder' if stat.S_ISDIR(mode) else 'no regular file'}, not a store."
            )
        return True
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise StoreError(f"{path} cannot be opened: {error.strerror}.") from error


def _create(path: Path) -> None:
    try:
        make_private(path.parent)
        # SQLite gives its -wal and -shm files the mode of this one.
        make_private_file(path)
        _sync_folder(path.parent)
    except PermissionError as error:
        raise StoreReadOnly(
            f"The folder {path.parent} cannot be written, so no store can be made there."
        ) from error
    except OSError as error:
        if error.errno == 30:  # EROFS
            raise StoreReadOnly(f"The folder {path.parent} is on a read-only disk.") from error
        raise StoreError(f"No store can be made at {path}: {error.strerror}.") from error


def _sync_folder(folder: Path) -> None:
    """Have the disk know the names in a folder, where the file system can."""
    opened = in_folder.open_folder(folder)
    in_folder.sync(opened)
    in_folder.close(opened)


def _pragmas(busy_ms: int) -> dict[str, object]:
    return {
        "busy_timeout": busy_ms,
        "foreign_keys": 1,
        "secure_delete": 1,
        "trusted_schema": 0,
        "cache_size": -64_000,
        # A first index commits megabytes at a time; with the usual 1000 pages each would be copied at once.
        "wal_autocheckpoint": 8000,
        "temp_store": 2,
    }


def _open_to_write(name: str, busy_ms: int, newest: int) -> peewee.SqliteDatabase:
    database = peewee.SqliteDatabase(
        name, pragmas=_pragmas(busy_ms), thread_safe=False, check_same_thread=False
    )
    deadline = time.monotonic() + busy_ms / 1000
    database.connect()
    try:
        # First of all, for what is not ours must stay as it is, mode and journal included.
        _check_owner(database.connection(), name, newest)
        if name != MEMORY and Path(name).stat().st_mode & 0o077:
            Path(name).chmod(0o600)
    except BaseException:
        database.close()
        raise
    while True:
        try:
            # Switching to WAL asks for the file alone and does not wait for it by itself.
            database.connection().execute("PRAGMA journal_mode = WAL").fetchone()
            database.connection().execute("PRAGMA synchronous = NORMAL")
            return database
        except sqlite3.OperationalError as error:
            if _code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                database.close()
                raise
            time.sleep(0.01)
        except sqlite3.DatabaseError:
            database.close()
            raise


def _open_to_read(path: Path, busy_ms: int) -> peewee.SqliteDatabase:
    """Read-only; where not even SQLite's side files may be made, as a file nobody else changes."""
    uri = path.absolute().as_uri()
    wal = path.with_name(path.name + "-wal")
    tries = ["?mode=ro"]
    if not (wal.exists() and wal.stat().st_size):
        tries.append("?mode=ro&immutable=1")
    for last, options in enumerate(tries, start=1):
        database = peewee.SqliteDatabase(
            uri + options,
            pragmas={**_pragmas(busy_ms), "query_only": 1},
            thread_safe=False,
            check_same_thread=False,
            uri=True,
        )
        try:
            database.connect()
            version(database.connection())
            return database
        except (sqlite3.Error, peewee.PeeweeException):
            database.close()
            if last == len(tries):
                raise
    raise AssertionError("unreachable")


def _check_owner(connection: sqlite3.Connection, name: str, newest: int) -> None:
    owner = connection.execute("PRAGMA application_id").fetchone()[0]
    have = version(connection)
    holds_something = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] > 0
    if owner != APPLICATION_ID and (have or owner or holds_something):
        raise NotAStore(f"{name} is a database, but not a Belie store.")
    if have > newest:
        raise NewerStore(
            f"{name} was written by a newer version of Belie (schema {have}, this one knows {newest}). "
            "Please update Belie."
        )


def _bring_up_to_date(database: peewee.SqliteDatabase, steps: Sequence[Migration]) -> None:
    if version(database.connection()) == steps[-1].number:
        return
    connection: sqlite3.Connection = database.connection()
    with transaction(connection, "BEGIN IMMEDIATE"):
        # Asked again inside: another process may have done it in between.
        have = version(connection)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        migrate(connection, steps, fresh=have == 0)


@contextmanager
def transaction(connection: sqlite3.Connection, begin: str) -> Iterator[None]:
    """All or nothing. Not peewee's own: SQLite ends a transaction by itself when the disk is full, and
    the rollback that then fails would hide why."""
    connection.execute(begin)
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _code(error: BaseException | None) -> int:
    """SQLite's primary result code, through peewee's wrapping."""
    while error is not None:
        code = getattr(error, "sqlite_errorcode", None)
        if code is not None:
            return int(code) & 0xFF
        error = error.__cause__ or error.__context__
    return 0


def _no_room(name: str) -> bool:
    """Is the store's disk full? SQLite calls it an input/output error where it could not grow a side file."""
    with contextlib.suppress(OSError):
        return os.statvfs(Path(name).parent).f_bavail == 0
    return False


@contextmanager
def in_plain_words(name: str) -> Iterator[None]:
    """Turn SQLite's and peewee's errors into StoreErrors."""
    try:
        yield
    except (sqlite3.Error, peewee.PeeweeException) as error:
        code = _code(error)
        if code == sqlite3.SQLITE_NOTADB:
            raise NotAStore(f"{name} is not a database.") from error
        if code == sqlite3.SQLITE_CORRUPT:
            raise StoreCorrupt(f"{name} is damaged: {error}.") from error
        if code == sqlite3.SQLITE_FULL or (code == sqlite3.SQLITE_IOERR and _no_room(name)):
            raise DiskFull(f"The disk is full; nothing was written to {name}.") from error
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise StoreBusy(f"{name} is being written by another process; try again in a moment.") from error
        if code == sqlite3.SQLITE_READONLY:
            raise StoreReadOnly(f"{name} cannot be written.") from error
        if code == sqlite3.SQLITE_CANTOPEN:
            raise StoreError(f"{name} cannot be opened.") from error
        raise StoreError(f"{name}: {error}.") from error
