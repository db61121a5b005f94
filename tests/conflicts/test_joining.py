"""Who joins an open conflict, on real folders: another value of the same thing, but not of another time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.store.store import Store
from tests.robust.building import found_afresh, open_sets, pipeline, write

CODES = {f"N{n}.md": f"The garage door code is {n}{n}{n}{n}.\n" for n in range(1, 5)}
CANON = {**CODES, "N1.md": f"---\ntrust: canon\n---\n\n{CODES['N1.md']}"}
SLOT = "type: decision\nproject: p05\ndecision_target: Lateral support\ndecision_field: Material"
DECISIONS = {
    f"D{n}.md": f"---\n{SLOT}\n---\n\nThe lateral support material is {material}.\n"
    for n, material in enumerate(("PEEK", "brass", "steel", "titanium"), 1)
}
TURN = "Until 31 March 2026 the door code is {}.\n\nFrom 1 April 2026 the door code is {}.\n"
WINDOWS = {"A.md": TURN.format(1111, 3333), "B.md": TURN.format(2222, 4444)}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "store.db") as store:
        yield store
        assert store.verify() == []


@pytest.mark.parametrize("notes", [CODES, CANON, DECISIONS], ids=["codes", "canon", "decisions"])
def test_a_fourth_note_joins_the_open_conflict(tmp_path: Path, store: Store, notes: dict[str, str]) -> None:
    *first, last = notes
    root = write(tmp_path / "vault", {name: notes[name] for name in first})
    line = pipeline(root, store)
    line.run()
    (three,) = store.conflicts.open()
    write(root, {last: notes[last]})
    line.run()
    (four,) = store.conflicts.open()
    assert (four.id, len(three.members), len(four.members)) == (three.id, 3, 4)
    assert open_sets(store) == found_afresh(root)


def test_settling_what_held_before_leaves_what_holds_after(tmp_path: Path, store: Store) -> None:
    root = write(tmp_path / "vault", WINDOWS)
    line = pipeline(root, store)
    line.run()
    ids = {c.statement.text.split()[-1].rstrip("."): c.id for c in store.claims.active()}
    before, after = {ids["1111"], ids["2222"]}, {ids["3333"], ids["4444"]}
    conflicts = {frozenset(c.members): c.id for c in store.conflicts.open()}
    assert conflicts.keys() == {frozenset(before), frozenset(after)}
    store.conflicts.keep(conflicts[frozenset(before)], ids["1111"])
    line.run()
    assert {c.id for c in store.claims.active()} == after | {ids["1111"]}
    (left,) = store.conflicts.open()
    assert set(left.members) == after
    store.ledger.undo()
    line.run()
    assert {frozenset(c.members): c.id for c in store.conflicts.open()} == conflicts
