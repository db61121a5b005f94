"""What each way of settling puts on record, and how a conflict put off comes back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from app.store.changes import UNTIL_CHANGE, ConflictChange
from app.store.store import Store
from app.store.winner import most_trusted, newest
from app.words import Claim
from tests.store.building import AT, note, open_conflict, save, says

LATER = "2999-01-01T00:00:00+00:00"


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store.open(tmp_path / "store.db", clock=lambda: AT)
    save(store, note("a.md", "Code 1.", "Code 2."), note("b.md", "Code 3.", "Code 4."))
    return store


WAYS: dict[str, Callable[[Store, str], int]] = {
    "kept": lambda store, id: store.conflicts.keep(id, says(store, "Code 1.").id, "tried it"),
    "dismissed": lambda store, id: store.conflicts.dismiss(id, "tried it"),
    "resolved": lambda store, id: store.conflicts.resolve(id, "tried it"),
    "snoozed": lambda store, id: store.conflicts.snooze(id, "2030-01-01", "tried it"),
    "reopened": lambda store, id: (store.conflicts.dismiss(id), store.conflicts.reopen(id, "tried it"))[1],
}


@pytest.mark.parametrize("action", WAYS)
def test_every_decision_says_who_when_why_and_what_the_members_said(store: Store, action: str) -> None:
    id = open_conflict(store, "Code 1.", "Code 2.")
    seq = WAYS[action](store, id)
    event = next(e for e in store.ledger.events(50) if e.seq == seq)
    assert (event.action, event.who, event.at, event.why) == (action, "person", AT, "tried it")
    texts = event.payload["texts"]
    assert set(texts) == {says(store, "Code 1.").id, says(store, "Code 2.").id}
    assert all(len(bytes.fromhex(hash)) == 16 for _, hash in texts.values())
    assert "Code" not in str(event.payload)


def test_promoting_says_what_was_promoted(store: Store) -> None:
    save(store, note("draft.md", "Code 9.", draft=True))
    id = says(store, "Code 9.").id
    store.claims.promote([id])
    assert set(store.ledger.events(5, decisions=True)[0].payload["texts"]) == {id}


def test_the_rule_that_chose_the_winner_is_on_record(store: Store) -> None:
    id = open_conflict(store, "Code 1.", "Code 2.")
    store.conflicts.keep(id, says(store, "Code 2.").id, how="newest")
    assert store.ledger.events(1, decisions=True)[0].payload["how"] == "newest"
    assert store.verify() == []


def test_put_off_until_a_member_changes(store: Store) -> None:
    id = open_conflict(store, "Code 1.", "Code 2.")
    store.conflicts.snooze(id, UNTIL_CHANGE)
    assert store.conflicts.open(now=LATER) == []
    before = store.conflicts.get(id)
    assert before is not None
    after = replace(before, members=(says(store, "Code 1.").id, says(store, "Code 3.").id))
    store.conflicts.apply([ConflictChange("changed", after, before)], AT)
    assert [c.id for c in store.conflicts.open(now=LATER)] == [id]
    assert store.verify() == []


def test_put_off_until_a_member_loses_elsewhere(store: Store) -> None:
    id = open_conflict(store, "Code 1.", "Code 2.", "Code 3.")
    other = open_conflict(store, "Code 3.", "Code 4.", slot="other")
    store.conflicts.snooze(id, UNTIL_CHANGE)
    seq = store.conflicts.keep(other, says(store, "Code 4.").id)
    assert [c.id for c in store.conflicts.open(now=LATER)] == [id]
    assert store.verify() == []
    store.ledger.undo(seq)
    assert store.verify() == []


def claim(id: str, date: str | None, layer: str, store: Store) -> Claim:
    made = says(store, "Code 1.")
    return replace(made, id=id, layer=layer, statement=replace(made.statement, date=date))


@pytest.mark.parametrize(
    ("dates", "chosen"),
    [
        (("2026-01-01", "2026-02-01"), 1),
        (("2026-02-01", None), 0),
        (("2026-02-01", "2026-02-01"), None),
        ((None, None), None),
    ],
)
def test_the_newest(store: Store, dates: tuple[str | None, ...], chosen: int | None) -> None:
    claims = [claim(str(n), date, "memory", store) for n, date in enumerate(dates)]
    assert newest(claims) is (None if chosen is None else claims[chosen])


def test_the_most_trusted(store: Store) -> None:
    claims = [claim("a", None, "memory", store), claim("b", None, "state", store)]
    assert most_trusted(claims) is claims[1]
    assert most_trusted([*claims, claims[1]]) is None


def test_a_reopened_conflict_is_compared_again(store: Store) -> None:
    """One of its members may have left its note while it was settled."""
    id = open_conflict(store, "Code 1.", "Code 2.", "Code 3.")
    store.conflicts.dismiss(id)
    save(store, note("a.md", "Code 1."))
    store.progress.mark_compared()
    store.conflicts.reopen(id)
    assert not store.progress.compared
