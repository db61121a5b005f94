"""The ledger: events are final, the chain holds, and tampering of any kind is noticed."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from app.store.errors import StoreError
from app.store.replay import kept, replay
from app.store.store import Store
from tests.store.building import AT, note, open_conflict, save, says


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with some life in it."""
    path = tmp_path / "store.db"
    with Store.open(path, clock=lambda: AT) as store:
        save(store, note("a.md", "Code 1.", "Old news."), note("b.md", "Code 2.", "Code 3."))
        first = open_conflict(store, "Code 1.", "Code 2.", "Code 3.")
        store.conflicts.keep(first, says(store, "Code 2.").id, "tried it")
        store.ledger.undo()
        store.conflicts.keep(first, says(store, "Code 1.").id, "on second thoughts")
        save(store, note("a.md", "New.", "Code 1."))
        save(store, note("c.md", "New.", "Code 1."), moved={"c.md": "a.md"})
        assert store.verify() == []
    return path


def test_events_cannot_be_changed_even_by_our_own_code(path: Path) -> None:
    with (
        Store.open(path) as store,
        pytest.raises(StoreError, match="never changed"),
        store.connection.writing() as connection,
    ):
        connection.execute("UPDATE events SET who = 'nobody'")


def test_the_ledger_alone_tells_the_tables(path: Path) -> None:
    with Store.open(path) as store, store.connection.reading() as connection:
        assert replay(connection) == kept(connection)
        assert len(replay(connection).claims) == 5


def test_the_ledger_tells_any_earlier_moment(path: Path) -> None:
    with Store.open(path) as store:
        decision = store.ledger.events(decisions=True)[-1]
        id = says(store, "Code 1.").id
        with store.connection.reading() as connection:
            assert replay(connection, decision.seq - 1).claims[id]["status"] == "active"
            assert replay(connection, decision.seq + 2).claims[id]["status"] == "superseded"
            assert replay(connection).claims[id]["status"] == "active"


TAMPERING = {
    "an event's word": ("UPDATE events SET who = 'someone' WHERE seq = 3", "event 3 was altered"),
    "an event's payload": ("UPDATE events SET payload = '{}' WHERE seq = 3", "event 3 was altered"),
    "a reason": (
        "UPDATE texts SET body = 'no' WHERE id = (SELECT min(why_id) FROM events)",
        "was altered",
    ),
    "an event taken out": ("DELETE FROM events WHERE seq = 2", "event 2 is missing"),
    "a claim's status": ("UPDATE claims SET status = 'retracted'", "the ledger says"),
    "a claim's place": ("UPDATE claims SET line = line + 1", "the ledger says"),
    "a text": ("UPDATE texts SET body = 'Code 9.' WHERE body = 'Code 1.'", "was altered"),
    "a conflict's winner": ("UPDATE conflicts SET winner = NULL", "the ledger says"),
    "a member": ("UPDATE conflict_members SET left_at = 'now' WHERE position = 0", "the ledger says"),
    "a claim slipped in": (
        "INSERT INTO claims SELECT 'zzzzzzzz', path, line, end_line, text_id, quote_id, parent_id, before_id,"
        " after_id, form, heading, date, dated_by, time, ordinal, quoted, struck, task, listed, key, cells,"
        " tags,"
        " content_hash, layer, entity, project, status, silent, first_seen, superseded_by, previous,"
        " extractor,"
        " promoted, in_line FROM claims LIMIT 1",
        "zzzzzzzz was never added",
    ),
    "a broken reference": (
        "UPDATE conflict_members SET member_id = 'nothing1' WHERE position = 0",
        "points to nothing",
    ),
}


@pytest.mark.parametrize("what", TAMPERING)
def test_tampering_is_noticed(path: Path, what: str) -> None:
    sql, said = TAMPERING[what]
    outside = sqlite3.connect(path)
    for (trigger,) in outside.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        outside.execute(f"DROP TRIGGER {trigger}")
    assert outside.execute(sql).rowcount > 0
    outside.commit()
    outside.close()
    with Store.open(path) as store:
        problems = store.verify()
    assert any(said in problem for problem in problems), problems


def test_no_event_holds_a_notes_words(path: Path) -> None:
    """Texts stand in one table, so that they can be taken out without breaking the chain."""
    with Store.open(path) as store:
        for (payload,) in store.connection.raw.execute("SELECT payload FROM events"):
            for word in ("Code", "Old news", "tried", "4411", "door"):
                assert word not in payload


def test_the_chain_holds_after_a_text_is_taken_out(path: Path) -> None:
    with Store.open(path) as store:
        with store.connection.writing() as connection:
            connection.execute(
                "UPDATE texts SET body = NULL WHERE body LIKE '%Code 1.%' OR body LIKE 'tried%'"
            )
        assert store.verify() == []
        assert "Code 1." not in [row.text for row in store.story.rows(0, 10)]


def test_the_ledger_is_paged_newest_first(path: Path) -> None:
    with Store.open(path) as store:
        whole = store.ledger.events(1000)
        assert [e.seq for e in whole] == list(range(len(whole), 0, -1))
        assert store.ledger.events(3, before=whole[4].seq) == whole[5:8]
        assert [e.action for e in store.ledger.events(decisions=True)] == ["kept", "undo", "kept"]


@pytest.mark.parametrize(
    ("column", "value", "told"),
    [
        ("question", "'Is it so?'", "question, slot or reasons"),
        ("reasons", "'[]'", "question, slot or reasons"),
        ("slot_subject", "'other'", "question, slot or reasons"),
        ("resolved_at", "'2020-01-01'", "resolved_at"),
    ],
)
def test_a_conflict_altered_behind_the_ledgers_back_is_noticed(
    tmp_path: Path, column: str, value: str, told: str
) -> None:
    with Store.open(tmp_path / "store.db") as store:
        save(store, note("a.md", "Code 1.", "Code 2."))
        id = open_conflict(store, "Code 1.", "Code 2.")
        store.conflicts.dismiss(id)
        assert store.verify() == []
        store.connection.raw.execute(f"UPDATE conflicts SET {column} = {value}")
        (problem,) = store.verify()
        assert told in problem
