"""A store that an earlier version filled from a real vault: today's commands simply go on with it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from app import places
from app.store.connection import connect
from app.store.migrations import MIGRATIONS
from app.store.store import Store, now_utc
from tests.cli.running import Run, runner
from tests.robust.building import pipeline
from tests.robust.settling import ROOMS, SETTINGS, generate


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(monkeypatch, capsys)


def filled(path: Path, root: Path) -> dict[str, str]:
    """A store of today with decisions of every kind; the conflict of each room."""
    with Store.open(path) as store:
        pipeline(root, store, SETTINGS).run()
        rooms = {}
        for conflict in store.conflicts.open():
            (claim, *_) = store.claims.all(ids=conflict.members)
            rooms[Path(claim.statement.path).stem] = conflict.id
            match ROOMS.index(Path(claim.statement.path).stem):
                case 0:
                    store.conflicts.dismiss(conflict.id, "two doors")
                case 1:
                    store.conflicts.keep(conflict.id, conflict.members[0], "seen")
                case 2:
                    store.conflicts.snooze(conflict.id, "2030-01-01")
    return rooms


def as_of_schema(path: Path, number: int, target: Path) -> None:
    """The same rows in the tables that a version knew."""
    connect(target, read_only=False, busy_ms=1000, steps=MIGRATIONS[:number]).close()
    raw = sqlite3.connect(target)
    raw.execute("ATTACH ? AS filled", (str(path),))
    raw.execute("PRAGMA foreign_keys = 0")
    tables = [name for (name,) in raw.execute("SELECT name FROM main.sqlite_master WHERE type = 'table'")]
    for table in tables:
        columns = [row[1] for row in raw.execute(f"PRAGMA main.table_info({table})")]
        there = {row[1] for row in raw.execute(f"PRAGMA filled.table_info({table})")}
        named = ", ".join(f'"{column}"' for column in columns if column in there)
        if named:
            raw.execute(f"INSERT OR REPLACE INTO main.{table} ({named}) SELECT {named} FROM filled.{table}")
    raw.commit()
    assert raw.execute("PRAGMA main.user_version").fetchone() == (number,)
    raw.close()


@pytest.mark.parametrize("number", range(1, len(MIGRATIONS)))
def test_it_is_brought_up_to_date_and_everything_goes_on(number: int, run: Run, tmp_path: Path) -> None:
    root = generate(tmp_path / "vault")
    rooms = filled(tmp_path / "today.db", root)
    path = places.store_path(root)
    path.parent.mkdir(parents=True)
    as_of_schema(tmp_path / "today.db", number, path)

    checked = run("check", root, "--json")
    assert checked.code == 1
    left = {conflict["id"] for conflict in checked.json["conflicts"]}
    assert left == {rooms[room] for room in ROOMS[3:]}
    where = ("--vault", root)
    assert "two doors" in run("conflicts", "show", rooms[ROOMS[0]], *where).out
    assert run("conflicts", "dismiss", rooms[ROOMS[3]], "--reason", "also two", *where).code == 0
    assert run("undo", *where).code == 0
    assert run("conflicts", "reopen", rooms[ROOMS[1]], *where).code == 0
    with Store.open(path) as store:
        assert store.verify() == []
        assert store.connection.raw.execute("PRAGMA user_version").fetchone()[0] == len(MIGRATIONS)
        assert store.ledger.last_until(now_utc()) == store.ledger.last_event()
