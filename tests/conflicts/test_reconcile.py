"""What became of conflicts: found against stored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.conflicts.reconcile import reconcile
from app.store.changes import ConflictChange
from app.store.errors import UndoRefused
from app.store.store import Store
from app.words import Conflict, Kind, Reason, Slot
from tests.store.building import AT, note, save


def found(
    members: str, slot: str = "", kind: Kind = "disagreement", confidence: float = 0.9, reason: str = ""
) -> Conflict:
    """A conflict between claims named by single letters, as the guard hands it over."""
    return Conflict(
        id=f"c-{members}",
        kind=kind,
        members=tuple(members),
        slot=Slot("memory_slot", slot or members, ("memory", slot) if slot else ()),
        tier="warn",
        confidence=confidence,
        question=f"Is {members} so?",
        found_by=("guard",),
        reasons=(Reason("structural", "value", "HIGH", reason or members),),
    )


class Queue:
    """Stored conflicts, kept by applying what reconcile says."""

    def __init__(self) -> None:
        self.stored: dict[str, Conflict] = {}

    def see(self, *seen: Conflict, gone: str = "") -> list[ConflictChange]:
        changes = reconcile(seen, self.stored.values(), lambda id: id not in gone)
        for change in changes:
            self.stored[change.conflict.id] = replace(
                change.conflict, detected_at=change.conflict.detected_at or AT
            )
        return changes

    def settle(self, id: str, status: str = "dismissed", resolution: str = "dismissed") -> None:
        self.stored[id] = replace(self.stored[id], status=status, resolution=resolution)  # type: ignore[arg-type]

    def open(self) -> dict[str, str]:
        return {c.id: "".join(c.members) for c in self.stored.values() if c.status == "open"}


@pytest.fixture
def queue() -> Queue:
    return Queue()


def kinds(changes: Sequence[ConflictChange]) -> list[str]:
    return sorted(change.kind for change in changes)


def test_a_new_conflict_is_opened(queue: Queue) -> None:
    [change] = queue.see(found("ab", "code"))
    assert (change.kind, change.conflict.members, change.conflict.status) == ("opened", ("a", "b"), "open")


def test_the_same_conflict_again_is_no_change(queue: Queue) -> None:
    queue.see(found("ab", "code"))
    assert queue.see(found("ab", "code")) == []


def test_a_newcomer_joins_and_a_member_leaves(queue: Queue) -> None:
    [opened] = queue.see(found("ab", "code"))
    [change] = queue.see(found("bc", "code"))
    assert (change.kind, change.conflict.id) == ("changed", opened.conflict.id)
    assert change.before is not None and change.before.members == ("a", "b")
    assert change.conflict.members == ("b", "c")


def test_the_same_slot_is_the_same_conflict_even_when_every_text_was_reworded(queue: Queue) -> None:
    [opened] = queue.see(found("ab", "code"))
    [change] = queue.see(found("xy", "code"))
    assert change.conflict.id == opened.conflict.id


def test_two_shared_members_are_enough_in_another_slot(queue: Queue) -> None:
    [opened] = queue.see(found("ab", "code"))
    [change] = queue.see(found("abc", "door code"))
    assert (change.kind, change.conflict.id) == ("changed", opened.conflict.id)
    assert change.conflict.slot.key == ("memory", "door code")


def test_one_shared_member_in_another_slot_is_another_conflict(queue: Queue) -> None:
    queue.see(found("ab", "code"))
    assert kinds(queue.see(found("ab", "code"), found("bc", "bell"))) == ["opened"]


@pytest.mark.parametrize("better", [{"kind": "reversal"}, {"confidence": 0.5}, {"reason": "a ≠ b, twice"}])
def test_other_findings_about_the_same_are_a_change(queue: Queue, better: dict[str, object]) -> None:
    queue.see(found("ab", "code"))
    assert kinds(queue.see(found("ab", "code", **better))) == ["changed"]  # type: ignore[arg-type]


def test_what_is_no_longer_found_was_edited(queue: Queue) -> None:
    [opened] = queue.see(found("ab", "code"))
    [change] = queue.see(gone="b")
    assert (change.kind, change.conflict.id) == ("edited", opened.conflict.id)
    assert (change.conflict.status, change.conflict.resolution) == ("resolved", "edited")
    assert change.why == "no longer in the notes: b"
    assert change.conflict.members == ("a", "b")


def test_edited_without_any_text_gone(queue: Queue) -> None:
    queue.see(found("ab", "code"))
    [change] = queue.see()
    assert change.why == "no longer held to be a disagreement"  # which is all that is known


def test_a_snoozed_conflict_can_be_edited_away_too(queue: Queue) -> None:
    [opened] = queue.see(found("ab", "code"))
    id = opened.conflict.id
    queue.stored[id] = replace(queue.stored[id], snoozed_until="2030-01-01")
    [change] = queue.see()
    assert (change.kind, change.conflict.snoozed_until) == ("edited", None)


def test_text_that_returns_reopens_the_same_conflict(queue: Queue) -> None:
    [opened] = queue.see(found("ab", "code"))
    queue.see()
    [change] = queue.see(found("ab", "code"))
    assert (change.kind, change.conflict.id, change.conflict.status) == (
        "reopened",
        opened.conflict.id,
        "open",
    )
    assert change.conflict.resolution == ""


def test_an_ended_conflict_is_not_reopened_by_its_slot_alone(queue: Queue) -> None:
    [opened] = queue.see(found("ab", "code"))
    queue.see()
    [change] = queue.see(found("xy", "code"))
    assert change.kind == "opened"
    assert change.conflict.id != opened.conflict.id


def test_what_a_person_settled_is_left_alone(queue: Queue) -> None:
    [opened] = queue.see(found("ab", "code"))
    queue.settle(opened.conflict.id)
    assert queue.see() == []
    assert queue.see(found("ab", "code")) == []
    [change] = queue.see(found("ac", "code"))
    assert change.kind == "opened"
    queue.settle(change.conflict.id, "resolved", "kept")
    assert queue.see() == []


def test_findings_in_one_slot_are_one_conflict(queue: Queue) -> None:
    [change] = queue.see(
        found("ab", "code", confidence=0.6),
        found("cd", "code", kind="reversal", confidence=0.7),
        found("bc", "code"),
    )
    merged = change.conflict
    assert (merged.kind, merged.question, merged.confidence) == ("reversal", "Is cd so?", 0.9)
    assert merged.members == ("c", "d", "b", "a")  # the reversal's first, then by weight
    assert {reason.detail for reason in merged.reasons} == {"ab", "cd", "bc"}


def test_two_in_one_slot_that_share_no_member_have_a_key_each(queue: Queue) -> None:
    queue.see(found("ab", "code"))
    [second] = queue.see(found("ab", "code"), found("cd", "code"))
    assert (second.kind, second.conflict.members) == ("opened", ("c", "d"))
    assert second.conflict.slot.key == ("memory", "code", second.conflict.id)
    assert queue.see(found("cd", "code"), found("ab", "code")) == []


def test_the_second_keeps_its_key_when_the_first_ends(queue: Queue) -> None:
    """So the first can be reopened in its own slot."""
    queue.see(found("ab", "code"))
    [second] = queue.see(found("ab", "code"), found("cd", "code"))
    assert kinds(queue.see(found("cd", "code"))) == ["edited"]
    assert queue.open() == {second.conflict.id: "cd"}
    [back] = queue.see(found("ab", "code"), found("cd", "code"))
    assert (back.kind, back.conflict.slot.key) == ("reopened", ("memory", "code"))


def test_the_first_comes_back_beside_who_took_its_key(queue: Queue) -> None:
    [first] = queue.see(found("ab", "code"))
    queue.see()
    queue.see(found("cd", "code"))
    [back] = queue.see(found("ab", "code"), found("cd", "code"))
    id = first.conflict.id
    assert (back.kind, back.conflict.id, back.conflict.slot.key) == ("reopened", id, ("memory", "code", id))
    assert queue.see(found("ab", "code"), found("cd", "code")) == []


def test_a_reworded_member_leaves_each_in_its_place(queue: Queue) -> None:
    queue.see(found("ab", "code"))
    queue.see(found("ab", "code"), found("cd", "code"))
    were = queue.open()
    assert kinds(queue.see(found("ax", "code"), found("yd", "code"))) == ["changed", "changed"]
    assert queue.open() == {id: {"ab": "ax", "cd": "yd"}[members] for id, members in were.items()}


def test_a_shared_member_counts_for_more_than_the_slot(queue: Queue) -> None:
    queue.see(found("ab", "code"))
    [second] = queue.see(found("ab", "code"), found("cd", "code"))
    changes = queue.see(found("cx", "code"))
    assert kinds(changes) == ["changed", "edited"]
    assert queue.open() == {second.conflict.id: "cx"}


def test_two_that_become_one_keep_the_first_key(queue: Queue) -> None:
    queue.see(found("ab", "code"))
    queue.see(found("ab", "code"), found("cd", "code"))
    queue.see(found("ab", "code"), found("cd", "code"), found("bc", "code"))
    [whole] = [c for c in queue.stored.values() if c.status == "open"]
    assert sorted(whole.members) == list("abcd")


def test_conflicts_without_a_slot_are_not_merged(queue: Queue) -> None:
    assert kinds(queue.see(found("ab"), found("cd"))) == ["opened", "opened"]


def test_one_that_falls_apart_keeps_its_id_in_the_closer_part(queue: Queue) -> None:
    [opened] = queue.see(found("abcd", "code"))
    queue.see(found("abc", "front"), found("cd", "back"))
    assert queue.open()[opened.conflict.id] == "abc"
    assert sorted(queue.open().values()) == ["abc", "cd"]


def test_an_id_taken_by_a_settled_conflict_is_not_given_again(queue: Queue) -> None:
    [opened] = queue.see(found("ab", "code"))
    id = opened.conflict.id
    queue.stored[id] = replace(queue.stored[id], members=("a", "b", "x"))
    queue.settle(id)
    [change] = queue.see(found("ab", "code"))
    assert change.kind == "opened"
    assert change.conflict.id != id


# Properties


@st.composite
def sights(draw: st.DrawFn) -> list[Conflict]:
    """What one look at the vault may find."""
    return draw(
        st.lists(
            st.builds(
                found,
                st.sets(st.sampled_from("abcdefg"), min_size=2, max_size=4).map(lambda s: "".join(sorted(s))),
                st.sampled_from(["", "code", "bell", "door"]),
                st.sampled_from(["disagreement", "reversal", "stale"]),
                st.sampled_from([0.5, 0.9]),
            ),
            max_size=4,
        )
    )


@given(st.lists(sights(), max_size=5), st.randoms(use_true_random=False))
def test_looking_twice_changes_nothing_and_order_does_not_matter(
    looks: list[list[Conflict]], chance: Random
) -> None:
    queue = Queue()
    for look in looks:
        shuffled, stored = list(look), list(queue.stored.values())
        chance.shuffle(shuffled)
        chance.shuffle(stored)
        other = reconcile(shuffled, stored, lambda id: True)
        changes = queue.see(*look)
        assert other == changes
        assert queue.see(*look) == []
        slots = [c.slot.key for c in queue.stored.values() if c.status == "open" and c.slot.key]
        assert len(slots) == len(set(slots))
        members = {frozenset(c) for c in queue.open().values()}
        assert len(members) == len(queue.open())
        assert all(any(set(f.members) <= m for m in members) for f in look)


@given(sights(), sights())
def test_away_and_back_gives_the_same_open_conflicts(before: list[Conflict], between: list[Conflict]) -> None:
    queue = Queue()
    queue.see(*before)
    were = queue.open()
    queue.see()
    queue.see(*before)
    assert queue.open() == were
    queue.see(*between)
    queue.see(*before)
    assert sorted(queue.open().values()) == sorted(were.values())


def of_store(store: Store, seen: Iterable[Conflict]) -> list[ConflictChange]:
    active = {claim.id for claim in store.claims.active()}
    return reconcile(seen, store.conflicts.all(), active.__contains__)


@given(st.lists(st.one_of(sights(), st.sampled_from(["dismiss", "keep", "undo", "snooze"])), max_size=8))
def test_whatever_is_found_and_decided_the_store_stays_sound(steps: list[list[Conflict] | str]) -> None:
    with Store.open(":memory:", clock=lambda: AT) as store:
        save(store, note("n.md", *"abcdefg"))
        ids = {c.statement.text: c.id for c in store.claims.active()}
        for step in steps:
            waiting = store.conflicts.open()
            if isinstance(step, list):
                settled, active = (
                    store.conflicts.settled_pairs(),
                    {claim.id for claim in store.claims.active()},
                )
                seen = [replace(c, members=tuple(ids[m] for m in c.members)) for c in step]
                seen = [
                    c
                    for c in seen
                    if set(c.members) <= active and not any(pair <= set(c.members) for pair in settled)
                ]
                store.conflicts.apply(of_store(store, seen), AT)
                assert of_store(store, seen) == []
            elif step == "undo":
                if any(not e.undone and e.action != "undo" for e in store.ledger.events(decisions=True)):
                    try_undo(store)
            elif waiting:
                first = waiting[0]
                match step:
                    case "dismiss":
                        store.conflicts.dismiss(first.id)
                    case "keep":
                        store.conflicts.keep(first.id, first.members[-1])
                    case _:
                        store.conflicts.snooze(first.id, "2030-01-01")
            assert store.verify() == []


def try_undo(store: Store) -> None:
    before = store.counts()
    try:
        store.ledger.undo()
    except UndoRefused:
        assert store.counts() == before


def test_edit_one_side_away_in_the_store_and_put_it_back(tmp_path: Path) -> None:
    with Store.open(tmp_path / "store.db") as store:
        a, b = note("a.md", "The code is 4411."), note("b.md", "The code is 0087.")
        save(store, a, b)
        pair = replace(found("ab", "code"), members=tuple(c.id for c in store.claims.active()))
        store.conflicts.apply(of_store(store, [pair]), AT)
        [shown] = store.conflicts.open()
        save(store, note("b.md", "The code is 4411."))
        store.conflicts.apply(of_store(store, []), AT)
        assert store.conflicts.open() == []
        assert store.conflicts.with_status("resolved")[0].resolution == "edited"
        save(store, b)
        store.conflicts.apply(of_store(store, [pair]), AT)
        assert store.conflicts.open() == [shown]
        assert store.verify() == []


def test_one_of_two_in_a_slot_is_settled_and_taken_back(tmp_path: Path) -> None:
    with Store.open(tmp_path / "store.db") as store:
        save(store, note("n.md", *"abcd"))
        ids = {c.statement.text: c.id for c in store.claims.active()}
        pairs = [replace(found(two, "code"), members=tuple(ids[one] for one in two)) for two in ("ab", "cd")]
        store.conflicts.apply(of_store(store, pairs), AT)
        were = {frozenset(c.members): c for c in store.conflicts.open()}
        assert len(were) == 2
        store.conflicts.keep(were[frozenset(pairs[0].members)].id, ids["a"])
        assert of_store(store, pairs[1:]) == []
        assert [frozenset(c.members) for c in store.conflicts.open()] == [frozenset(pairs[1].members)]
        store.ledger.undo()
        assert {frozenset(c.members): c for c in store.conflicts.open()} == were
        assert store.verify() == []
