"""One claim put in another's place, how claims came in, and what was known at a moment."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.store.changes import Gone
from app.store.errors import NotFound, Refused, UndoRefused
from app.store.store import Store
from tests.store.building import note, open_conflict, save, says

MORNING, NOON, NIGHT = (f"2026-06-30T{hour}:00:00.000000+00:00" for hour in ("08", "12", "23"))


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store.open(tmp_path / "store.db", clock=lambda: NOON)
    save(store, note("a.md", "Code 1.", "Code 2."), note("b.md", "Code 3."), at=MORNING)
    return store


def test_one_claim_supersedes_another_and_gives_way_again(store: Store) -> None:
    pair = open_conflict(store, "Code 1.", "Code 2.", slot="pair")
    three = open_conflict(store, "Code 1.", "Code 2.", "Code 3.", slot="three")
    old, new = says(store, "Code 1.").id, says(store, "Code 3.").id
    seq = store.claims.supersede(old, new, "the lock was changed")
    assert (says(store, "Code 1.").status, says(store, "Code 1.").superseded_by) == ("superseded", new)
    assert (store.conflicts.get(pair).status, store.conflicts.get(pair).resolution) == (
        "resolved",
        "superseded",
    )  # type: ignore[union-attr]
    assert old not in store.conflicts.get(three).members  # type: ignore[union-attr]
    event = store.ledger.events(decisions=True)[0]
    assert (event.seq, event.action, event.who, event.why) == (
        seq,
        "replaced",
        "person",
        "the lock was changed",
    )
    assert store.verify() == []
    undone = store.ledger.undo()
    assert (undone.event.seq, undone.claim_ids) == (seq, (old,))
    assert says(store, "Code 1.").status == "active"
    assert {c.id for c in store.conflicts.open()} == {pair, three}
    assert store.verify() == []


def test_what_cannot_supersede(store: Store) -> None:
    old, new = says(store, "Code 1.").id, says(store, "Code 3.").id
    with pytest.raises(Refused, match="itself"):
        store.claims.supersede(old, old)
    with pytest.raises(NotFound):
        store.claims.supersede(old, "nobody")
    store.claims.supersede(old, new)
    with pytest.raises(Refused, match="is superseded"):
        store.claims.supersede(old, new)
    with pytest.raises(Refused, match="put in its place"):
        store.claims.supersede(new, old)
    assert store.verify() == []


def test_undoing_is_refused_when_the_winner_was_superseded_since(store: Store) -> None:
    one, two, three = (says(store, f"Code {n}.").id for n in (1, 2, 3))
    first = store.claims.supersede(one, two)
    store.claims.supersede(two, three)
    with pytest.raises(UndoRefused, match="superseded"):
        store.ledger.undo(first)
    store.ledger.undo()
    store.ledger.undo(first)
    assert {c.status for c in store.claims.all()} == {"active"}


@pytest.mark.parametrize("how", ["promote", "supersede", "undo", "look_again"])
def test_claims_that_become_active_are_to_be_compared(store: Store, how: str) -> None:
    save(store, note("draft.md", "Code 4.", draft=True))
    store.claims.supersede(says(store, "Code 1.").id, says(store, "Code 2.").id)
    store.progress.mark_compared()
    assert store.progress.compared
    match how:
        case "promote":
            store.claims.promote([says(store, "Code 4.").id])
        case "supersede":
            store.claims.supersede(says(store, "Code 2.").id, says(store, "Code 3.").id)
        case "undo":
            store.ledger.undo()
        case _:
            store.progress.compare_again()
    assert not store.progress.compared


def test_a_capture_is_on_record_with_its_source_as_a_text(store: Store) -> None:
    ids = [says(store, "Code 1.").id, says(store, "Code 2.").id]
    seq = store.ledger.record_capture(
        "learned", ids, "only at night", source="the landlord", against=["x"], exception=True
    )
    event = store.ledger.history(ids[0])[-1]
    assert (event.seq, event.action, event.who, event.why) == (seq, "learned", "person", "only at night")
    assert (event.payload["claims"], event.payload["against"], event.payload["exception"]) == (
        ids,
        ["x"],
        True,
    )
    assert "landlord" not in str(event.payload)
    assert store.verify() == []
    with pytest.raises(UndoRefused, match="not a decision"):
        store.ledger.undo(seq)
    with pytest.raises(NotFound):
        store.ledger.record_capture("remembered", ["nobody"])


def test_what_was_known_at_a_moment(store: Store) -> None:
    id = open_conflict(store, "Code 1.", "Code 3.", at=MORNING)
    store.conflicts.keep(id, says(store, "Code 3.").id)
    save(store, note("a.md", "Code 2.", "Code 9."), Gone("b.md"), at=NIGHT)

    def known(at: str) -> list[tuple[str, str, bool]]:
        return [(r.text, r.status, r.disputed == id) for r in store.story.known_at(at)]

    assert known("2026-06-29T00:00:00.000000+00:00") == []
    assert known(MORNING) == [
        ("Code 1.", "active", True), ("Code 2.", "active", False), ("Code 3.", "active", True),
    ]  # fmt: skip
    assert known(NOON) == [
        ("Code 1.", "superseded", False), ("Code 2.", "active", False), ("Code 3.", "active", False),
    ]  # fmt: skip
    assert {text for text, *_ in known(NIGHT)} == {"Code 2.", "Code 9."}


def test_what_is_known_now_is_the_story(store: Store) -> None:
    save(store, note("c.md", "Dated.", date="2020-01-01"), note("draft.md", "Code 4.", draft=True))
    open_conflict(store, "Code 1.", "Code 3.")
    store.claims.supersede(says(store, "Code 2.").id, says(store, "Code 3.").id)
    assert store.story.known_at(NIGHT) == store.story.rows(0, -1)
