"""Notes and claims in the store: what is written, what is read back, and what the ledger says of it."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.claims.claim_changes import by_note, diff
from app.store.changes import FileStat, Gone, NoteChange
from app.store.errors import StoreError
from app.store.store import Store
from app.words import Change, Claim, Norm, Note, Statement
from tests.store.building import AT, note, open_conflict, save, says

FULL = Statement(
    path="Projekte/Küche.md", line=3, end_line=5, quote="- **Die** Küche\n  kostet 4.800 €",
    text="Die Küche kostet",
    form="row", heading=("Haus", "Küche"), parent="Kosten:", before="Davor.", after="Danach.",
    date="2026-03-04",
    dated_by="inline", time="14:30", ordinal=2, quoted=True, struck=True, task="done", listed=True,
    key="Posten",
    cells=(("Posten", "Küche"), ("Preis", "4.800 €")), tags=("haus", "geld"), content_hash="abc",
    in_line=1,
)  # fmt: skip
NORM = Norm(
    subject="küche", subject_kind="FUZZY", standing="planned", modality="must_not", object="costs",
    value="4800 eur",
    scope=(("env", "prod"), ("person", "Ann")), valid_from="2026-01-01", valid_until="2026-12-31",
    change=Change(None, "4800"), by="llama", sure=False, single=True,
)  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "store.db", clock=lambda: AT)


def add(store: Store, claim: Claim, of: Note) -> None:
    [change] = diff({}, [of], taken=store.claims.ids(), at=AT)
    change = replace(change, claim=replace(change.claim, norms=claim.norms))
    store.notes.apply([NoteChange(of.path, note=of, stat=FileStat(10, 20, 30, 40), claims=(change,))], AT)


def test_every_field_of_a_claim_survives(store: Store) -> None:
    of = Note(
        FULL.path, "hash", "Küche", ("Kitchen",), ("haus",), (("status", "live"), ("owner", "Ann")),
        "2026-03-01",
        "haus", "entity", "decision", False, "archive folder", (FULL,), ("broken frontmatter, line 3",),
    )  # fmt: skip
    at_default = [
        f.name for value in (FULL, NORM) for f in fields(value) if getattr(value, f.name) == f.default
    ]
    assert at_default == [], "a field left at its default would prove nothing"
    [change] = diff({}, [of], at=AT)
    claim = replace(change.claim, norms=(NORM, Norm("plain")))
    store.notes.apply([NoteChange(of.path, note=of, claims=(replace(change, claim=claim),))], AT)
    assert store.claims.get(claim.id) == claim
    assert list(store.claims.active()) == [claim]
    assert store.notes.problems() == [(FULL.path, "broken frontmatter, line 3")]


anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@given(text=anything, quote=anything, title=anything, subject=anything, key=anything)
def test_any_text_survives(text: str, quote: str, title: str, subject: str, key: str) -> None:
    with Store.open(":memory:", clock=lambda: AT) as store:
        statement = Statement("a.md", 1, 1, quote, text, "field", (title,), key=key, cells=((key, text),))
        of = Note("a.md", "h", title, statements=(statement,), properties=((key, text),))
        [change] = diff({}, [of], at=AT)
        claim = replace(change.claim, norms=(Norm(subject, value=text),))
        store.notes.apply([NoteChange("a.md", note=of, claims=(replace(change, claim=claim),))], AT)
        assert store.claims.get(claim.id) == claim
        assert store.verify() == []


def test_known_notes_are_what_the_planner_needs(store: Store) -> None:
    of = note("a.md", "One.")
    [change] = diff({}, [of], at=AT)
    store.notes.apply([NoteChange("a.md", note=of, stat=FileStat(10, 20, 30, 40), claims=(change,))], AT)
    known = store.notes.known()["a.md"]
    assert (known.size, known.mtime_ns, known.inode, known.indexed_ns) == (10, 20, 30, 40)
    assert known.content_hash == of.content_hash
    store.notes.apply([NoteChange("a.md", stat=FileStat(10, 21, 30, 41))], AT)
    assert store.notes.known()["a.md"].mtime_ns == 21
    assert says(store, "One.").note == "a"


def test_an_unreadable_note_keeps_its_claims_and_is_a_problem(store: Store) -> None:
    save(store, note("a.md", "One."))
    store.notes.apply(
        [NoteChange("a.md", "unreadable", problem="permission denied"), NoteChange("new.md", "unreadable")],
        AT,
    )
    assert says(store, "One.").status == "active"
    assert set(store.notes.known()) == {"a.md"}
    assert store.notes.problems() == [("a.md", "permission denied"), ("new.md", "cannot be read")]
    assert store.counts().unreadable == 2
    store.notes.apply([NoteChange("a.md", stat=FileStat(1, 1, 1))], AT)
    assert store.counts().unreadable == 1


def test_a_note_that_is_gone_retracts_and_returns_with_the_same_ids(store: Store) -> None:
    save(store, note("a.md", "One.", "Two."))
    ids = {c.id for c in store.claims.active()}
    save(store, Gone("a.md"))
    assert list(store.claims.active()) == []
    assert store.notes.known() == {}
    assert {c.id for c in store.claims.with_status("retracted")} == ids
    assert says(store, "One.").statement.quote == "- One."  # the text is kept
    save(store, note("a.md", "One.", "Two."))
    assert {c.id for c in store.claims.active()} == ids
    assert [e.action for e in store.ledger.history(says(store, "One.").id)] == ["added", "edit", "returned"]
    assert store.verify() == []


def test_a_rewording_is_a_new_claim_that_knows_the_old_one(store: Store) -> None:
    save(store, note("a.md", "The garage door code is 4411."))
    save(store, note("a.md", "The garage door code is 0087."))
    new = says(store, "The garage door code is 0087.")
    old = says(store, "The garage door code is 4411.")
    assert (new.previous, old.status) == (old.id, "retracted")
    save(store, note("a.md", "The garage door code is 4411."))
    assert says(store, "The garage door code is 4411.").status == "active"
    assert store.verify() == []


def test_a_line_added_above_is_one_event_for_the_note(store: Store) -> None:
    save(store, note("a.md", *(f"Line {n} stays as it is." for n in range(20))))
    before = store.counts().events
    save(store, note("a.md", "Entirely new.", *(f"Line {n} stays as it is." for n in range(20))))
    new = store.ledger.events(store.counts().events - before)
    # the new claim, its neighbour's context, and one for everything that only shifted
    assert sorted(e.action for e in new) == ["added", "shifted", "updated"]
    assert says(store, "Line 19 stays as it is.").statement.line == 21
    assert store.verify() == []


def test_a_moved_note_keeps_its_claims_and_what_was_retracted_from_it(store: Store) -> None:
    save(store, note("a.md", "One.", "A passing thought about tea."))
    save(store, note("a.md", "One."))
    one, thought = says(store, "One.").id, says(store, "A passing thought about tea.").id
    save(store, note("sub/b.md", "One."), moved={"sub/b.md": "a.md"})
    assert says(store, "One.").id == one
    assert says(store, "One.").statement.path == "sub/b.md"
    assert says(store, "One.").note == "b"
    assert set(store.notes.known()) == {"sub/b.md"}
    save(store, note("sub/b.md", "One.", "A passing thought about tea."))
    assert says(store, "A passing thought about tea.").id == thought
    assert store.verify() == []


def test_notes_that_trade_names_trade_their_claims(store: Store) -> None:
    save(store, note("a.md", "Apples.", "Gone from a."), note("b.md", "Bread.", "Gone from b."))
    save(store, note("a.md", "Apples."), note("b.md", "Bread."))
    ids = {c.statement.text: c.id for c in store.claims.all()}
    save(store, note("b.md", "Apples."), note("a.md", "Bread."), moved={"b.md": "a.md", "a.md": "b.md"})
    assert {c.statement.text: c.id for c in store.claims.all()} == ids
    assert {c.statement.text: c.statement.path for c in store.claims.all()} == {
        "Apples.": "b.md", "Gone from a.": "b.md", "Bread.": "a.md", "Gone from b.": "a.md",
    }  # fmt: skip
    assert store.verify() == []


def test_superseded_text_that_returns_is_still_superseded(store: Store) -> None:
    save(store, note("a.md", "The code is 4411."), note("b.md", "The code is 0087."))
    winner = says(store, "The code is 0087.").id
    store.conflicts.keep(open_conflict(store, "The code is 4411.", "The code is 0087."), winner)
    save(store, Gone("a.md"))
    assert says(store, "The code is 4411.").status == "retracted"
    save(store, note("a.md", "The code is 4411."))
    assert says(store, "The code is 4411.").status == "superseded"
    assert store.verify() == []


def test_drafts_are_candidates_until_promoted_or_published(store: Store) -> None:
    save(store, note("a.md", "One.", "Two.", draft=True))
    assert says(store, "One.").status == "candidate"
    store.claims.promote([says(store, "One.").id])
    save(store, note("a.md", "One.", "Two.", "Three.", draft=True))
    assert [says(store, t).status for t in ("One.", "Two.", "Three.")] == ["active", "candidate", "candidate"]
    save(store, note("a.md", "One.", "Two.", "Three."))
    assert [says(store, t).status for t in ("One.", "Two.", "Three.")] == ["active"] * 3
    save(store, note("a.md", "One.", "Two.", "Three.", draft=True))
    assert [says(store, t).status for t in ("One.", "Two.", "Three.")] == ["active", "candidate", "candidate"]
    assert store.verify() == []


def test_a_decision_between_reading_and_writing_a_note_is_not_lost(store: Store) -> None:
    save(store, note("a.md", "The code is 4411."), note("b.md", "The code is 0087."))
    id = open_conflict(store, "The code is 4411.", "The code is 0087.")
    late = note("a.md", "Something above.", "The code is 4411.")
    changes = diff(
        store.claims.by_path(["a.md"], status=("active",)), [late], taken=store.claims.ids(), at=AT
    )
    store.conflicts.keep(id, says(store, "The code is 0087.").id)
    store.notes.apply([NoteChange("a.md", note=late, claims=by_note(changes)["a.md"])], AT)
    claim = says(store, "The code is 4411.")
    assert (claim.status, claim.statement.line) == ("superseded", 2)
    assert store.verify() == []


def test_the_same_note_indexed_twice_at_once_is_there_once(store: Store) -> None:
    of = note("a.md", "One.", "Two.")
    changes = tuple(diff({}, [of], at=AT))
    store.notes.apply([NoteChange("a.md", note=of, claims=changes)], AT)
    store.notes.apply([NoteChange("a.md", note=of, claims=changes)], AT)
    assert store.counts().claims == 2
    assert store.verify() == []


def test_new_norms_replace_old_ones(store: Store) -> None:
    save(store, note("a.md", "One."))
    claim = says(store, "One.")
    for norms in ((Norm("one"), Norm("uno")), (Norm("eins"),)):
        [change] = diff({"a.md": [says(store, "One.")]}, [note("a.md", "One.")], taken=store.claims.ids())
        assert change.kind == "kept"
        changed = replace(change, claim=replace(change.claim, norms=norms))
        store.notes.apply([NoteChange("a.md", claims=(changed,))], AT, extractor="2")
        assert says(store, "One.").norms == norms
    assert store.ledger.history(claim.id)[-1].payload["fields"] == ["norms"]
    assert store.verify() == []


def test_a_note_that_becomes_canon_raises_its_members_trust(store: Store) -> None:
    save(store, note("a.md", "The code is 4411."), note("b.md", "The code is 0087."))
    open_conflict(store, "The code is 4411.", "The code is 0087.")
    save(store, note("a.md", "The code is 4411.", layer="state"))
    kinds = store.connection.raw.execute(
        "SELECT member_kind, member_layer_trust FROM conflict_members WHERE member_id = ?",
        (says(store, "The code is 4411.").id,),
    ).fetchall()
    assert kinds == [("project_state", 3)]
    assert store.verify() == []


@pytest.mark.parametrize("table", ["texts", "notes", "claims", "conflicts", "conflict_members", "events"])
def test_nothing_is_ever_deleted(store: Store, table: str) -> None:
    save(store, note("a.md", "The code is 4411."), note("b.md", "The code is 0087."))
    open_conflict(store, "The code is 4411.", "The code is 0087.")
    with pytest.raises(StoreError, match="never deleted"), store.connection.writing() as connection:
        connection.execute(f"DELETE FROM {table}")


def test_a_batch_that_fails_is_not_there_at_all(store: Store) -> None:
    save(store, note("a.md", "One."))
    bad = replace(note("c.md", "Three."), layer="nonsense")  # type: ignore[arg-type]
    with pytest.raises(StoreError):
        save(store, note("b.md", "Two."), bad)
    assert set(store.notes.known()) == {"a.md"}
    assert store.verify() == []
