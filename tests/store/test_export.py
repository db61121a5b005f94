"""What is exported and taken in again is the same store, row for row."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.store.errors import Refused
from app.store.migrations import MIGRATIONS
from app.store.store import Store
from tests.store.building import AT, note, open_conflict, save, says

CACHES = {"embeddings", "embedding_models", "alarms", "judged"}


def tables(store: Store) -> dict[str, list[Any]]:
    """Every row of every table that is not a cache."""
    raw = store.connection.raw
    names = [name for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return {
        name: sorted(raw.execute(f"SELECT * FROM {name}").fetchall(), key=repr)
        for name in names
        if name not in CACHES and not name.startswith("sqlite_")
    }


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A bit of everything: settled and undone, retracted, redacted, odd letters, caches."""
    with Store.open(tmp_path / "store.db", clock=lambda: AT) as store:
        save(store, note("a.md", "Code 1.", "Code 2.", "The secret word is swordfish."))
        save(store, note("b.md", "Code 3.", "Zwölf\u2028Boxkämpfer."))
        one = open_conflict(store, "Code 1.", "Code 2.", slot="one")
        two = open_conflict(store, "Code 2.", "Code 3.", slot="two")
        store.conflicts.keep(one, says(store, "Code 1.").id, "tried it")
        store.ledger.undo()
        store.conflicts.dismiss(two, "both true")
        store.caches.embeddings.put({says(store, "Code 3.").statement.content_hash: b"v"}, "model")
        store.claims.redact(says(store, "The secret word is swordfish.").id, "r")
        save(store, note("a.md", "Code 1."))
        store.progress.mark_indexed("rules-1")
        yield store


def test_import_gives_the_same_store(store: Store, tmp_path: Path) -> None:
    lines = list(store.export())
    with Store.open(tmp_path / "other.db") as other:
        assert other.load(lines) == len(lines) - 2
        expected = tables(store)
        expected["meta"] = [row for row in expected["meta"] if row[0] != "scrub"]
        assert tables(other) == expected
        assert other.verify() == []
        assert list(other.export()) == lines
        # It goes on from there.
        other.ledger.undo()
        assert other.verify() == []


def test_lines_can_be_read_as_they_are(store: Store) -> None:
    rows = [json.loads(line) for line in store.export()]
    claims = {row["row"]["id"]: row["text"] for row in rows if row.get("table") == "claims"}
    assert set(claims.values()) >= {"Code 1.", "Zwölf\u2028Boxkämpfer.", None}
    (dismissed,) = [r for r in rows if r.get("table") == "conflicts" and r["row"]["status"] == "dismissed"]
    assert [claims[member] for member in dismissed["members"]] == ["Code 2.", "Code 3."]
    assert "both true" in [row["why"] for row in rows if row.get("table") == "events"]
    assert "swordfish" not in "".join(store.export())


def test_an_export_of_an_earlier_version_is_brought_up_to_date(tmp_path: Path) -> None:
    with Store.open(tmp_path / "old.db", clock=lambda: AT) as today:
        save(today, note("a.md", "Code 1."))
        rows = [json.loads(line) for line in today.export()]
    rows[0]["schema"] = 2
    for row in rows:
        if row.get("table") == "claims":
            del row["row"]["in_line"]  # came later
    lines = [json.dumps(row) for row in rows]
    with Store.open(tmp_path / "new.db") as new:
        new.load(lines)
        assert says(new, "Code 1.").status == "active"
        assert new.connection.raw.execute("PRAGMA user_version").fetchone()[0] == len(MIGRATIONS)
        assert new.verify() == []
        new.claims.redact(says(new, "Code 1.").id, "r")
        assert new.verify() == []


def test_only_an_empty_store_takes_it_in(store: Store) -> None:
    before = tables(store)
    with pytest.raises(Refused, match="not empty"):
        store.load(list(store.export()))
    assert tables(store) == before


def changed(lines: list[str], table: str, column: str, value: object) -> list[str]:
    """The last row of a table with another value."""
    place = max(n for n, line in enumerate(lines) if json.loads(line).get("table") == table)
    row = json.loads(lines[place])
    row["row"][column] = value
    return [*lines[:place], json.dumps(row), *lines[place + 1 :]]


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (lambda lines: [], "not JSON"),
        (lambda lines: ["[]"], "not an object"),
        (lambda lines: ['{"belie": 99}'], "not an export"),
        (lambda lines: ['{"belie": 1, "schema": 999}'], "newer version"),
        (lambda lines: lines[:-1], "cut short"),
        (lambda lines: [*lines[:5], *lines[6:]], "not whole"),
        (lambda lines: [lines[0], '{"table": "sqlite_master", "row": {"name": "x"}}'], "no row"),
        (lambda lines: [lines[0], '{"table": "notes", "row": {"x) --": 1}}'], "columns"),
        (lambda lines: [lines[0], '{"table": "notes", "row": {"path": ["x"]}}'], "none"),
        (lambda lines: changed(lines, "claims", "status", "superb"), "does not fit"),
        (lambda lines: changed(lines, "claims", "line", 77), "the ledger says"),
        (lambda lines: changed(lines, "events", "who", "nobody"), "altered"),
        (lambda lines: changed(lines, "events", "payload", "[1"), "altered"),
        (lambda lines: changed(lines, "texts", "body", "Other words."), "altered"),
    ],
)
def test_what_is_not_a_whole_export_is_refused(store: Store, spoil: Any, told: str) -> None:
    with Store.open(":memory:") as other:
        with pytest.raises(Refused, match=told):
            other.load(spoil(list(store.export())))
        assert other.counts().events == 0
        assert other.verify() == []
        assert other.load(list(store.export())) > 0
