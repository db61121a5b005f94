"""Conflicts in the store: how the index writes them, and the order they are read in."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from app.store.changes import ConflictChange
from app.store.store import Store
from app.words import Reason, Slot
from tests.store.building import AT, conflict, note, open_conflict, save, says


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store.open(tmp_path / "store.db", clock=lambda: AT)
    save(store, note("a.md", "Code 1.", "Code 2.", "Code 3."), note("canon.md", "Code 4.", layer="state"))
    return store


def ids(store: Store, *texts: str) -> list[str]:
    return [says(store, text).id for text in texts]


def test_a_conflict_is_read_back_as_it_was_found(store: Store) -> None:
    made = replace(
        conflict(ids(store, "Code 1.", "Code 4.")),
        kind="reversal",
        slot=Slot("cross_layer", "the code", ("cross", "home", "code"), "home"),
        tier="block",
        confidence=0.1 + 0.2,
        found_by=("detective", "guard"),
        reasons=(
            Reason("structural", "ungültig", "LOW", "a ≠ b"),
            Reason("arc", "back again", "HIGH", "x → y → x"),
        ),
    )
    store.conflicts.apply([ConflictChange("opened", made)], AT)
    assert store.conflicts.get(made.id) == replace(made, detected_at=AT)
    assert store.conflicts.open() == [replace(made, detected_at=AT)]
    assert store.verify() == []


def test_members_are_named_as_the_conflict_model_names_them(store: Store) -> None:
    open_conflict(store, "Code 1.", "Code 4.")
    rows = store.connection.raw.execute(
        "SELECT member_kind, member_layer_trust FROM conflict_members ORDER BY position"
    ).fetchall()
    assert rows == [("memory", 1), ("project_state", 3)]


def test_one_open_conflict_per_slot_is_the_databases_own_rule(store: Store) -> None:
    open_conflict(store, "Code 1.", "Code 2.")
    with pytest.raises(sqlite3.IntegrityError):
        store.connection.raw.execute(
            "INSERT INTO conflicts SELECT 'c-other', detected_at, kind, slot_kind, slot_key, slot_subject,"
            " project,"
            " status, tier, confidence, question, found_by, reasons, NULL, '', NULL, NULL FROM conflicts"
        )


def test_a_newcomer_in_an_open_slot_joins_the_conflict_there(store: Store) -> None:
    first = open_conflict(store, "Code 1.", "Code 2.")
    second = open_conflict(store, "Code 2.", "Code 3.")
    assert store.conflicts.get(second) is None
    assert store.conflicts.get(first).members == tuple(ids(store, "Code 1.", "Code 2.", "Code 3."))  # type: ignore[union-attr]
    assert store.verify() == []


def test_a_settled_slot_can_have_a_new_open_conflict(store: Store) -> None:
    store.conflicts.dismiss(open_conflict(store, "Code 1.", "Code 2."))
    second = open_conflict(store, "Code 1.", "Code 3.")
    assert [c.id for c in store.conflicts.open()] == [second]
    assert store.verify() == []


def test_conflicts_without_a_slot_key_stand_side_by_side(store: Store) -> None:
    nowhere = Slot("memory_slot", "something")
    one = open_conflict(store, "Code 1.", "Code 2.")
    made = conflict(ids(store, "Code 1.", "Code 3."))
    other = conflict(ids(store, "Code 2.", "Code 3."))
    store.conflicts.apply(
        [
            ConflictChange("opened", replace(made, slot=nowhere)),
            ConflictChange("opened", replace(other, slot=nowhere)),
        ],
        AT,
    )
    assert {c.id for c in store.conflicts.open()} == {one, made.id, other.id}


def test_two_conflicts_can_trade_slots(store: Store) -> None:
    first = open_conflict(store, "Code 1.", "Code 2.", slot="one")
    second = open_conflict(store, "Code 3.", "Code 4.", slot="two")
    a, b = store.conflicts.get(first), store.conflicts.get(second)
    assert a is not None
    assert b is not None
    store.conflicts.apply(
        [
            ConflictChange("changed", replace(a, slot=b.slot), a),
            ConflictChange("changed", replace(b, slot=a.slot), b),
        ],
        AT,
    )
    assert store.conflicts.get(first).slot == b.slot  # type: ignore[union-attr]
    assert store.conflicts.get(second).slot == a.slot  # type: ignore[union-attr]


def test_a_member_that_leaves_keeps_its_row(store: Store) -> None:
    id = open_conflict(store, "Code 1.", "Code 2.", "Code 3.")
    before = store.conflicts.get(id)
    assert before is not None
    fewer = replace(before, members=before.members[:2])
    store.conflicts.apply([ConflictChange("changed", fewer, before)], AT)
    assert store.conflicts.get(id) == fewer
    rows = dict(store.connection.raw.execute("SELECT member_id, left_at FROM conflict_members"))
    assert rows == {before.members[0]: None, before.members[1]: None, before.members[2]: AT}
    assert [c.id for c in store.conflicts.of_claim(before.members[2])] == [id]
    store.conflicts.apply([ConflictChange("changed", before, fewer)], AT)
    assert store.conflicts.get(id) == before
    assert store.verify() == []


def test_an_edited_conflict_leaves_the_queue_and_can_come_back(store: Store) -> None:
    id = open_conflict(store, "Code 1.", "Code 2.")
    before = store.conflicts.get(id)
    assert before is not None
    store.conflicts.apply([ConflictChange("edited", before, before, why="the text is gone")], "2026-07-01")
    assert store.conflicts.open() == []
    ended = store.conflicts.get(id)
    assert ended is not None
    assert (ended.status, ended.resolution, ended.resolved_at) == ("resolved", "edited", "2026-07-01")
    assert store.conflicts.settled_pairs() == set()
    store.conflicts.apply([ConflictChange("reopened", before, ended)], "2026-07-02")
    assert store.conflicts.get(id) == before
    assert [(e.action, e.why) for e in store.ledger.history(id)] == [
        ("opened", ""), ("edited", "the text is gone"), ("reopened", ""),
    ]  # fmt: skip
    assert store.verify() == []


def test_what_the_index_found_before_a_decision_does_not_overrule_it(store: Store) -> None:
    id = open_conflict(store, "Code 1.", "Code 2.")
    before = store.conflicts.get(id)
    assert before is not None
    store.conflicts.dismiss(id)
    more = replace(before, members=(*before.members, *ids(store, "Code 3.")))
    for kind in ("opened", "changed", "reopened", "edited"):
        store.conflicts.apply([ConflictChange(kind, more, before)], AT)  # type: ignore[arg-type]
    assert store.conflicts.get(id).status == "dismissed"  # type: ignore[union-attr]
    assert [e.action for e in store.ledger.history(id)] == ["opened", "dismissed"]


def test_a_claim_superseded_meanwhile_does_not_enter_a_conflict(store: Store) -> None:
    store.conflicts.keep(open_conflict(store, "Code 1.", "Code 2."), says(store, "Code 1.").id)
    late = open_conflict(store, "Code 2.", "Code 3.", slot="another")
    assert store.conflicts.get(late) is None
    three = open_conflict(store, "Code 2.", "Code 3.", "Code 4.", slot="another")
    assert store.conflicts.get(three).members == tuple(ids(store, "Code 3.", "Code 4."))  # type: ignore[union-attr]
    assert store.verify() == []


def test_the_queue_goes_by_tier_then_trust_then_age(store: Store) -> None:
    save(store, note("more.md", *(f"Code {n}." for n in range(5, 12))))
    old = open_conflict(store, "Code 5.", "Code 6.", slot="old", at="2026-01-01")
    new = open_conflict(store, "Code 7.", "Code 8.", slot="new", at="2026-02-01")
    trusted = open_conflict(store, "Code 9.", "Code 4.", slot="trusted", at="2026-03-01")
    blocked = open_conflict(store, "Code 10.", "Code 11.", slot="blocked", at="2026-04-01", tier="block")
    assert [c.id for c in store.conflicts.open()] == [blocked, trusted, old, new]


def test_snoozed_conflicts_are_open_again_on_their_day(store: Store) -> None:
    id = open_conflict(store, "Code 1.", "Code 2.")
    store.conflicts.snooze(id, "2026-07-10")
    assert (store.conflicts.open(), [c.id for c in store.conflicts.with_status("snoozed")]) == ([], [id])
    assert (store.counts().open, store.counts().snoozed) == (0, 1)
    morning = "2026-07-10T07:00:00+00:00"
    assert (
        [c.id for c in store.conflicts.open(now=morning)],
        store.conflicts.with_status("snoozed", now=morning),
    ) == ([id], [])
    assert (store.counts(now=morning).open, store.counts(now=morning).snoozed) == (1, 0)


def test_another_member_wakes_a_snoozed_one(store: Store) -> None:
    id = open_conflict(store, "Code 1.", "Code 2.")
    store.conflicts.snooze(id, "9999-12-31")
    open_conflict(store, "Code 1.", "Code 2.")
    assert [c.id for c in store.conflicts.with_status("snoozed")] == [id], (
        "the same found again changes nothing"
    )
    open_conflict(store, "Code 1.", "Code 3.")
    (woken,) = store.conflicts.open()
    assert (woken.id, woken.snoozed_until, len(woken.members)) == (id, None, 3)
    assert store.verify() == []


def test_pairs_a_person_settled(store: Store) -> None:
    kept = open_conflict(store, "Code 1.", "Code 2.", "Code 3.")
    store.conflicts.keep(kept, says(store, "Code 1.").id)
    one, two, three = ids(store, "Code 1.", "Code 2.", "Code 3.")
    assert store.conflicts.settled_pairs() == {frozenset(p) for p in ((one, two), (one, three), (two, three))}
    store.ledger.undo()
    assert store.conflicts.settled_pairs() == set()
    store.conflicts.resolve(kept, "both were right in their time")
    assert len(store.conflicts.settled_pairs()) == 3
