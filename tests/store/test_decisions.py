"""A person's decisions, what follows from them, and taking them back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from app.store.changes import Gone
from app.store.errors import NotFound, Refused, UndoRefused
from app.store.store import Store
from tests.store.building import AT, note, open_conflict, save, says


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store.open(tmp_path / "store.db", clock=lambda: AT)
    save(store, note("a.md", "Code 1.", "Code 2."), note("b.md", "Code 3.", "Code 4."))
    return store


def statuses(store: Store) -> dict[str, str]:
    return {c.statement.text: c.status for c in store.claims.all()}


def test_keeping_one_supersedes_the_others(store: Store) -> None:
    id = open_conflict(store, "Code 1.", "Code 2.", "Code 3.")
    winner = says(store, "Code 3.").id
    seq = store.conflicts.keep(id, winner, "I just tried it")
    settled = store.conflicts.get(id)
    assert settled is not None
    assert (settled.status, settled.resolution, settled.winner) == ("resolved", "kept", winner)
    assert statuses(store) == {
        "Code 1.": "superseded", "Code 2.": "superseded", "Code 3.": "active", "Code 4.": "active",
    }  # fmt: skip
    assert {says(store, t).superseded_by for t in ("Code 1.", "Code 2.")} == {winner}
    event = store.ledger.events(decisions=True)[0]
    assert (event.seq, event.who, event.at, event.why, event.target_id) == (
        seq,
        "person",
        AT,
        "I just tried it",
        id,
    )
    assert set(event.payload["texts"]) == set(settled.members)
    assert {e.cause for e in store.ledger.events(10) if e.action == "superseded"} == {seq}
    assert store.verify() == []


def test_a_loser_leaves_the_other_conflicts_it_is_in(store: Store) -> None:
    here = open_conflict(store, "Code 1.", "Code 2.", slot="here")
    pair = open_conflict(store, "Code 2.", "Code 3.", slot="pair")
    three = open_conflict(store, "Code 2.", "Code 3.", "Code 4.", slot="three")
    store.conflicts.keep(here, says(store, "Code 1.").id)
    ended, smaller = store.conflicts.get(pair), store.conflicts.get(three)
    assert ended is not None
    assert smaller is not None
    assert (ended.status, ended.resolution) == ("resolved", "superseded")
    assert smaller.members == (says(store, "Code 3.").id, says(store, "Code 4.").id)
    assert store.verify() == []
    store.ledger.undo()
    assert {c.id for c in store.conflicts.open()} == {here, pair, three}
    assert len(store.conflicts.get(three).members) == 3  # type: ignore[union-attr]
    assert store.verify() == []


def test_dismissing_touches_no_claim(store: Store) -> None:
    id = open_conflict(store, "Code 1.", "Code 2.")
    store.conflicts.dismiss(id, "both true: front and back door")
    assert store.conflicts.get(id).status == "dismissed"  # type: ignore[union-attr]
    assert set(statuses(store).values()) == {"active"}
    assert store.ledger.history(id)[-1].why == "both true: front and back door"
    assert store.verify() == []


def test_resolving_with_a_winner_is_keeping_it(store: Store) -> None:
    id = open_conflict(store, "Code 1.", "Code 2.")
    with pytest.raises(Refused, match="needs a winner"):
        store.conflicts.resolve(id, action="supersede_others")
    store.conflicts.resolve(id, "x", action="supersede_others", winner=says(store, "Code 1.").id)
    assert statuses(store)["Code 2."] == "superseded"


def test_reopening_what_was_kept_makes_the_losers_active_again(store: Store) -> None:
    id = open_conflict(store, "Code 1.", "Code 2.")
    store.conflicts.keep(id, says(store, "Code 1.").id)
    store.conflicts.reopen(id)
    assert store.conflicts.get(id).status == "open"  # type: ignore[union-attr]
    assert statuses(store)["Code 2."] == "active"
    assert store.verify() == []
    store.ledger.undo()
    assert store.conflicts.get(id).winner == says(store, "Code 1.").id  # type: ignore[union-attr]
    assert statuses(store)["Code 2."] == "superseded"
    assert store.verify() == []


def test_reopening_a_snoozed_one_wakes_it(store: Store) -> None:
    id = open_conflict(store, "Code 1.", "Code 2.")
    store.conflicts.snooze(id, "2030-01-01")
    store.conflicts.reopen(id)
    assert [c.id for c in store.conflicts.open()] == [id]


DECISIONS: dict[str, Callable[[Store, str], int]] = {
    "keep": lambda store, id: store.conflicts.keep(id, says(store, "Code 1.").id),
    "dismiss": lambda store, id: store.conflicts.dismiss(id),
    "resolve": lambda store, id: store.conflicts.resolve(id),
    "snooze": lambda store, id: store.conflicts.snooze(id, "2030-01-01"),
}


@pytest.mark.parametrize("name", DECISIONS)
def test_undo_restores_what_was(store: Store, name: str) -> None:
    id = open_conflict(store, "Code 1.", "Code 2.")
    before = (store.conflicts.get(id), list(store.claims.all()), store.conflicts.settled_pairs())
    seq = DECISIONS[name](store, id)
    assert (store.conflicts.get(id), list(store.claims.all()), store.conflicts.settled_pairs()) != before
    undone = store.ledger.undo()
    assert (undone.event.seq, undone.conflict_id) == (seq, id)
    assert (store.conflicts.get(id), list(store.claims.all()), store.conflicts.settled_pairs()) == before
    assert next(e for e in store.ledger.events(20) if e.seq == seq).undone
    assert store.verify() == []


def test_undo_goes_back_one_decision_at_a_time(store: Store) -> None:
    one = open_conflict(store, "Code 1.", "Code 2.", slot="one")
    two = open_conflict(store, "Code 3.", "Code 4.", slot="two")
    store.conflicts.dismiss(one)
    store.conflicts.keep(two, says(store, "Code 3.").id)
    assert [store.ledger.undo().conflict_id, store.ledger.undo().conflict_id] == [two, one]
    with pytest.raises(UndoRefused, match="no decision"):
        store.ledger.undo()


def test_an_earlier_decision_can_be_undone_by_its_number(store: Store) -> None:
    one = open_conflict(store, "Code 1.", "Code 2.", slot="one")
    two = open_conflict(store, "Code 3.", "Code 4.", slot="two")
    first = store.conflicts.dismiss(one)
    store.conflicts.dismiss(two)
    store.ledger.undo(first)
    assert [c.id for c in store.conflicts.open()] == [one]
    with pytest.raises(UndoRefused, match="already"):
        store.ledger.undo(first)


def test_undo_is_refused_when_the_winner_lost_later(store: Store) -> None:
    first = store.conflicts.keep(
        open_conflict(store, "Code 1.", "Code 2.", slot="one"), says(store, "Code 1.").id
    )
    second = store.conflicts.keep(
        open_conflict(store, "Code 1.", "Code 3.", slot="two"), says(store, "Code 3.").id
    )
    before = store.counts()
    with pytest.raises(
        UndoRefused, match=rf"Event {first} cannot be undone: .* superseded \(event {second + 1}"
    ):
        store.ledger.undo(first)
    assert store.counts() == before
    store.ledger.undo(second)
    store.ledger.undo(first)
    assert set(statuses(store).values()) == {"active"}
    assert store.verify() == []


def test_undo_is_refused_when_it_was_decided_again(store: Store) -> None:
    id = open_conflict(store, "Code 1.", "Code 2.")
    first = store.conflicts.dismiss(id)
    store.conflicts.reopen(id)
    with pytest.raises(UndoRefused, match="decided again"):
        store.ledger.undo(first)


def test_undo_is_refused_when_the_slot_was_taken(store: Store) -> None:
    seq = store.conflicts.dismiss(open_conflict(store, "Code 1.", "Code 2."))
    later = open_conflict(store, "Code 3.", "Code 4.")
    with pytest.raises(UndoRefused, match=later):
        store.ledger.undo(seq)
    with pytest.raises(Refused, match=later):
        store.conflicts.reopen(store.ledger.events(decisions=True)[0].target_id)
    assert store.verify() == []


def test_undo_after_the_loser_was_edited_away_only_takes_the_decision_back(store: Store) -> None:
    id = open_conflict(store, "Code 1.", "Code 3.")
    store.conflicts.keep(id, says(store, "Code 3.").id)
    save(store, Gone("a.md"))
    store.ledger.undo()
    gone = says(store, "Code 1.")
    assert (gone.status, gone.superseded_by) == ("retracted", None)
    assert store.conflicts.get(id).resolution == "edited"  # type: ignore[union-attr]
    assert store.verify() == []
    save(store, note("a.md", "Code 1.", "Code 2."))
    assert says(store, "Code 1.").status == "active"
    assert store.verify() == []


def test_promotion_and_its_undo(store: Store) -> None:
    save(store, note("draft.md", "Code 5.", "Code 6.", draft=True))
    seq = store.claims.promote([says(store, "Code 5.").id, says(store, "Code 6.").id])
    assert store.claims.promoted() == {says(store, "Code 5.").id, says(store, "Code 6.").id}
    assert store.ledger.undo().claim_ids == tuple(
        sorted((says(store, "Code 5.").id, says(store, "Code 6.").id))
    )
    assert (statuses(store)["Code 5."], store.claims.promoted()) == ("candidate", set())
    with pytest.raises(UndoRefused):
        store.ledger.undo(seq)
    assert store.verify() == []


def test_only_decisions_can_be_undone(store: Store) -> None:
    with pytest.raises(UndoRefused, match="not a decision"):
        store.ledger.undo(1)
    with pytest.raises(NotFound):
        store.ledger.undo(999)


def test_the_default_undo_leaves_what_a_strategy_decided(store: Store) -> None:
    id = open_conflict(store, "Code 1.", "Code 2.")
    seq = store.conflicts.keep(id, says(store, "Code 1.").id, who="strategy")
    with pytest.raises(UndoRefused, match="no decision"):
        store.ledger.undo()
    assert store.ledger.undo(seq).event.who == "strategy"


def test_decisions_that_make_no_sense_change_nothing(store: Store) -> None:
    id = open_conflict(store, "Code 1.", "Code 2.")
    before = store.counts()
    with pytest.raises(NotFound, match="no conflict c-00000000"):
        store.conflicts.keep("c-00000000", says(store, "Code 1.").id)
    with pytest.raises(Refused, match="not a member"):
        store.conflicts.keep(id, says(store, "Code 3.").id)
    with pytest.raises(Refused, match="not a member"):
        store.conflicts.resolve(id, winner=says(store, "Code 3.").id)
    with pytest.raises(Refused, match="open already"):
        store.conflicts.reopen(id)
    with pytest.raises(Refused, match="not a candidate"):
        store.claims.promote([says(store, "Code 1.").id])
    with pytest.raises(Refused, match="No claim"):
        store.claims.promote([])
    with pytest.raises(NotFound, match="no claim"):
        store.claims.promote(["aaaaaaaa"])
    assert store.counts() == before
    store.conflicts.dismiss(id)
    with pytest.raises(Refused, match="dismissed already"):
        store.conflicts.keep(id, says(store, "Code 1.").id)


def test_what_no_longer_stands_can_be_neither_kept_nor_reopened(store: Store) -> None:
    id = open_conflict(store, "Code 1.", "Code 3.")
    save(store, Gone("a.md"))
    with pytest.raises(Refused, match="no longer stands"):
        store.conflicts.keep(id, says(store, "Code 1.").id)
    store.conflicts.dismiss(id)
    with pytest.raises(Refused, match="fewer than two"):
        store.conflicts.reopen(id)
