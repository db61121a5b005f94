"""A pass over the open conflicts: applied only where switched on, on record, undoable, never twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.store.rows import Event
from app.store.store import Store
from app.strategies.learned import learned
from app.strategies.rules import Rule
from app.strategies.settle import Where, settle
from app.strategies.suggest import suggest
from app.words import Note
from tests.store.building import note, open_conflict, save, says

LAST = Rule("last_write_wins", apply=True)


def dated(made: Note, date: str) -> Note:
    return replace(made, statements=tuple(replace(s, date=date) for s in made.statements), date=date)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store.db") as store:
        save(
            store,
            dated(note("Farm/a.md", "Code 1.", "Code 3."), "2026-01-01"),
            dated(note("Farm/b.md", "Code 2.", "Code 4."), "2026-05-01"),
        )
        yield store


@pytest.fixture
def where(tmp_path: Path) -> Where:
    (tmp_path / "config").mkdir()
    return Where(tmp_path / "vault", tmp_path / "config")


def resolver(where: Where, code: str) -> None:
    text = "from app.strategies import Resolution\n" + code
    (where.config / "mine.py").write_text(text, encoding="utf-8")


def last(store: Store) -> Event:
    return store.ledger.events(1, decisions=True)[0]


def test_nothing_happens_without_a_rule_that_is_switched_on(store: Store, where: Where) -> None:
    id = open_conflict(store, "Code 1.", "Code 2.")
    before = store.ledger.last_event()
    for rules in ((), (Rule("last_write_wins"),), (replace(LAST, folder="Journal"),)):
        assert settle(store, rules, where).applied == {}
    assert store.ledger.last_event() == before
    conflict = store.conflicts.get(id)
    assert conflict is not None
    found = suggest(store, conflict, [Rule("last_write_wins")])
    assert found is not None and found.claim == says(store, "Code 2.").id


def test_what_a_strategy_decides_is_on_record_and_can_be_taken_back(store: Store, where: Where) -> None:
    id = open_conflict(store, "Code 1.", "Code 2.")
    event = settle(store, [LAST], where).applied[id]
    told = last(store)
    assert (told.seq, told.who, told.action, told.why) == (
        event, "strategy last_write_wins", "kept", "newest, 2026-05-01",
    )  # fmt: skip
    assert told.payload["how"] == "last_write_wins"
    assert says(store, "Code 1.").status == "superseded"
    store.ledger.undo(event)
    assert says(store, "Code 1.").status == "active"
    assert store.verify() == []
    # It was taken back: it is not done again.
    assert settle(store, [LAST], where).applied == {}


def test_what_the_person_reopened_is_theirs(store: Store, where: Where) -> None:
    id = open_conflict(store, "Code 1.", "Code 2.")
    store.conflicts.dismiss(id)
    store.conflicts.reopen(id)
    assert settle(store, [LAST], where).applied == {}
    assert settle(store, [LAST], where, only=[id]).applied.keys() == {id}


def test_the_person_s_undo_is_not_the_strategy_s(store: Store, where: Where) -> None:
    mine = open_conflict(store, "Code 1.", "Code 2.")
    seq = store.conflicts.keep(mine, says(store, "Code 1.").id)
    open_conflict(store, "Code 3.", "Code 4.", slot="other")
    assert len(settle(store, [LAST], where).applied) == 1
    assert store.ledger.undo().event.seq == seq


def test_a_member_that_lost_elsewhere_is_no_word_about_the_other_conflict(store: Store, where: Where) -> None:
    save(store, dated(note("Farm/c.md", "Code 5.", "Code 6."), "2026-06-01"))
    one = open_conflict(store, "Code 1.", "Code 2.")
    other = open_conflict(store, "Code 1.", "Code 3.", "Code 5.", slot="other")
    assert settle(store, [LAST], where).applied.keys() == {one, other}
    assert store.verify() == []


def test_a_strategy_teaches_nothing(store: Store, where: Where) -> None:
    open_conflict(store, "Code 1.", "Code 2.")
    settle(store, [LAST], where)
    assert learned(store).sources == {}


CUSTOM = Rule("custom", "Farm", True, "mine.py:f", 30.0)


def test_a_resolver_decides_where_switched_on(store: Store, where: Where) -> None:
    id = open_conflict(store, "Code 1.", "Code 2.")
    resolver(where, "def f(c, ctx): return Resolution.keep_existing(c, 'the first was measured')")
    assert settle(store, [CUSTOM], where).applied.keys() == {id}
    assert (last(store).who, last(store).why) == ("strategy custom", "the first was measured")
    assert says(store, "Code 2.").status == "superseded"


def test_a_resolver_proposes_where_not_and_is_asked_once(store: Store, where: Where) -> None:
    id = open_conflict(store, "Code 1.", "Code 2.")
    resolver(
        where,
        "import pathlib\ndef f(c, ctx):\n    pathlib.Path('asked').open('a').write('x')\n"
        "    return Resolution.keep_existing(c, 'measured')",
    )
    rule = replace(CUSTOM, apply=False)
    for _ in range(3):
        assert settle(store, [rule], where).applied == {}
    assert (where.config / "asked").read_text() == "x"
    conflict = store.conflicts.get(id)
    assert conflict is not None and conflict.status == "open"
    found = suggest(store, conflict, [rule])
    assert found is not None
    assert (found.claim, found.why, found.strategy) == (says(store, "Code 1.").id, "measured", "custom")
    assert store.verify() == []


def test_a_resolver_that_fails_leaves_the_choice_and_says_so(store: Store, where: Where) -> None:
    id = open_conflict(store, "Code 1.", "Code 2.")
    resolver(where, "def f(c, ctx): return 1 / 0")
    done = settle(store, [CUSTOM], where)
    assert done.applied == {} and "ZeroDivisionError" in done.failed[id]
    event = store.ledger.history(id)[-1]
    assert (event.action, event.who) == ("strategy_failed", "strategy custom")
    assert "ZeroDivisionError" in event.why
    assert settle(store, [CUSTOM], where).failed == {}  # told once
    resolver(where, "def f(c, ctx): return 'accept_new'")
    assert settle(store, [CUSTOM], where, only=[id]).applied.keys() == {id}
    assert store.verify() == []


def test_escalating_leaves_it_open(store: Store, where: Where) -> None:
    id = open_conflict(store, "Code 1.", "Code 2.")
    resolver(where, "def f(c, ctx): return Resolution.escalate(c, 'these two never')")
    assert settle(store, [CUSTOM], where).escalated == [id]
    assert (store.ledger.history(id)[-1].action, store.ledger.history(id)[-1].why) == (
        "escalated",
        "these two never",
    )


def test_a_callback_that_is_late_makes_the_newest_a_proposal_even_where_switched_on(
    store: Store, where: Where
) -> None:
    id = open_conflict(store, "Code 1.", "Code 2.")
    resolver(where, "import threading\ndef f(event): threading.Event().wait()")
    rule = Rule("manual", None, True, "mine.py:f", 1.0)
    done = settle(store, [rule], where)
    assert done.applied == {} and done.proposed == [id] and "no answer" in done.failed[id]
    conflict = store.conflicts.get(id)
    assert conflict is not None and conflict.status == "open"
    found = suggest(store, conflict, [rule])
    assert found is not None and found.claim == says(store, "Code 2.").id


def test_trust_is_learned_from_the_ledger_and_only_from_what_stands(store: Store) -> None:
    id = open_conflict(store, "Code 1.", "Code 2.")
    seq = store.conflicts.keep(id, says(store, "Code 1.").id)
    trust = learned(store)
    assert trust.score("note:Farm/a.md", "door code") > 0.5 > trust.score("note:Farm/b.md", "door code")
    assert trust.score("folder:Farm") == trust.score("layer:memory") == 0.5
    store.ledger.record("trust_reset", "note:Farm/a.md", {}, kind="event")
    assert "note:Farm/a.md" not in learned(store).sources
    store.ledger.undo(seq)
    assert learned(store).sources == {}
    store.conflicts.keep(id, says(store, "Code 2.").id)
    store.conflicts.reopen(id)
    assert learned(store).sources == {}
    assert store.verify() == []
