"""A redacted text is gone from every byte of the file, and does not come back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.claims.claim_changes import diff
from app.store.changes import ClaimChange, NoteChange
from app.store.errors import NotFound, Refused, UndoRefused
from app.store.judgements import Alarm
from app.store.store import Store
from app.words import Norm, Opinion
from tests.store.building import AT, hash_of, note, open_conflict, save, says

OPINION = Opinion(0.5, 0.2, 0.1, 0.1, 0.1)

SECRET = "The garage door code is 4411."


def everything(folder: Path) -> bytes:
    return b"\n".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = Store.open(tmp_path / "store.db", clock=lambda: AT)
    save(store, note("a.md", "Before it.", SECRET, "After it."), note("b.md", "The code is 0087."))
    return store


def test_no_byte_of_it_is_left(store: Store, tmp_path: Path) -> None:
    claim = says(store, SECRET)
    id = open_conflict(store, SECRET, "The code is 0087.", question="Is the code still 4411?")
    store.conflicts.dismiss(id, "it says 4411 on the door")
    store.caches.embeddings.put({claim.statement.content_hash: b"vector of it"}, "model")
    store.caches.embeddings.put({claim.statement.content_hash: b"vector of it"}, "another model")
    store.caches.judgements.put("judge", [Alarm(claim.id, "x", "hash of it", OPINION, 0.5)], [claim.id])
    store.caches.readings.put({claim.id: ("key", "reading of it")})
    traces = (b"garage", b"4411", claim.statement.content_hash.encode(), b"vector of it", b"hash of it")
    held = everything(tmp_path)
    for trace in (*traces, b"reading of it"):
        assert trace in held
    done = store.claims.redact(claim.id, "not for the record")
    assert done.claims == (claim.id,)
    left = everything(tmp_path)
    for trace in (*traces, b"reading of it"):
        assert trace not in left
    assert b"not for the record" in left
    tombstone = store.claims.get(claim.id)
    assert tombstone is not None
    assert (tombstone.status, tombstone.statement.text, tombstone.norms) == ("redacted", "", ())
    assert [e.action for e in store.ledger.history(claim.id)] == ["added", "redacted", "tombstone"]
    assert store.verify() == []


def test_the_salt_goes_with_the_text(store: Store) -> None:
    """Else whoever has the file could try every code there is on the hash in the ledger."""
    claim = says(store, SECRET)
    row = store.connection.raw.execute("SELECT text_id FROM claims WHERE id = ?", (claim.id,)).fetchone()
    store.claims.redact(claim.id, "r")
    assert store.connection.raw.execute("SELECT salt, body FROM texts WHERE id = ?", row).fetchone() == (
        b"",
        None,
    )


def test_neighbours_forget_it_as_their_context(store: Store) -> None:
    store.claims.redact(says(store, SECRET).id, "r")
    assert says(store, "Before it.").statement.after is None
    assert says(store, "After it.").statement.before is None


def test_reading_the_note_again_does_not_bring_it_back(store: Store, tmp_path: Path) -> None:
    store.claims.redact(says(store, SECRET).id, "r")
    events = store.ledger.last_event()
    save(store, note("a.md", "Before it.", SECRET, "After it."))
    assert store.ledger.last_event() == events
    save(store, note("c.md", SECRET, "the garage door  code is 4411", "Something else."))
    assert [c.statement.text for c in store.claims.standing_in("c.md")] == ["Something else."]
    assert b"4411" not in everything(tmp_path)
    assert store.verify() == []


def test_a_reading_from_before_the_redaction_does_not_bring_it_back(store: Store, tmp_path: Path) -> None:
    """Another process has read the note and is about to write what it made of it."""
    before = store.claims.standing_in("a.md")
    read = note("a.md", "Before it.", SECRET, "After it.", date="2026-01-01")
    store.claims.redact(says(store, SECRET).id, "r")
    changes = tuple(diff({"a.md": before}, [read], taken=store.claims.ids()))
    assert SECRET in {c.claim.statement.text for c in changes}
    store.notes.apply([NoteChange("a.md", note=read, claims=changes)], AT)
    assert b"4411" not in everything(tmp_path)
    assert store.verify() == []


def test_all_that_say_it_go_together(store: Store) -> None:
    save(store, note("c.md", SECRET, "Remember: the garage door code is 4411, says mum."))
    save(store, note("d.md", "The garage door code is 44112."))
    other = says(store, "The garage door code is 44112.")
    claims = store.claims.redactable(says_in(store, "a.md", SECRET))
    assert [(c.statement.path, c.statement.line) for c in claims] == [("a.md", 2), ("c.md", 1), ("c.md", 2)]
    store.claims.redact(claims[0].id, "r")
    assert [c.status for c in store.claims.all(ids=[c.id for c in claims])] == ["redacted"] * 3
    assert store.claims.get(other.id) == other
    assert store.verify() == []


def says_in(store: Store, path: str, text: str) -> str:
    (claim,) = [c for c in store.claims.standing_in(path) if c.statement.text == text]
    return claim.id


def test_a_short_text_goes_alone(store: Store) -> None:
    save(store, note("c.md", "Yes.", "Yes and no, and yes again."))
    assert [c.statement.line for c in store.claims.redactable(says(store, "Yes.").id)] == [1]
    store.claims.redact(says(store, "Yes.").id, "r")
    assert says(store, "Yes and no, and yes again.").status == "active"
    assert store.verify() == []


def test_a_property_goes_from_the_note_too(store: Store, tmp_path: Path) -> None:
    read = note("c.md", "code: 4411", properties=(("code", "4411"), ("kind", "garage")))
    statement = replace(read.statements[0], form="property", key="code")
    read = replace(read, statements=(statement,))
    save(store, read)
    store.claims.redact(says(store, "code: 4411").id, "r")
    save(store, replace(read, content_hash=hash_of("other")))
    (properties,) = store.connection.raw.execute(
        "SELECT properties FROM notes WHERE path = 'c.md'"
    ).fetchone()
    assert properties == '[["code",""],["kind","garage"]]'


def test_norms_go(store: Store) -> None:
    claim = says(store, SECRET)
    norms = (Norm("garage door code", value="4411"),)
    change = ClaimChange("updated", replace(claim, norms=norms), claim)
    store.notes.apply([NoteChange("a.md", claims=(change,))], AT)
    assert store.claims.get(claim.id).norms == norms  # type: ignore[union-attr]
    store.claims.redact(claim.id, "r")
    assert store.claims.get(claim.id).norms == ()  # type: ignore[union-attr]


def test_open_conflicts_end_or_lose_a_member(store: Store) -> None:
    save(store, note("c.md", "The code is 1234."))
    pair = open_conflict(store, SECRET, "The code is 0087.", slot="pair")
    three = open_conflict(store, SECRET, "The code is 0087.", "The code is 1234.", slot="three")
    store.claims.redact(says(store, SECRET).id, "r")
    ended, smaller = store.conflicts.get(pair), store.conflicts.get(three)
    assert ended is not None
    assert smaller is not None
    assert (ended.status, ended.resolution) == ("resolved", "redacted")
    assert (smaller.status, len(smaller.members)) == ("open", 2)
    assert "redacted" in smaller.question
    assert not store.progress.compared
    assert store.verify() == []


def test_undo_of_what_came_before(store: Store) -> None:
    """The decision goes, the tombstone stays."""
    id = open_conflict(store, SECRET, "The code is 0087.")
    claim = says(store, SECRET)
    kept = store.conflicts.keep(id, says(store, "The code is 0087.").id)
    redacted = store.claims.redact(claim.id, "r")
    with pytest.raises(UndoRefused, match="redaction"):
        store.ledger.undo(redacted.seq)
    store.ledger.undo(kept)
    assert store.claims.get(claim.id).status == "redacted"  # type: ignore[union-attr]
    assert store.conflicts.get(id).status == "resolved"  # type: ignore[union-attr]
    assert store.verify() == []


def test_what_cannot_be_redacted(store: Store) -> None:
    with pytest.raises(NotFound):
        store.claims.redact("nosuchid", "r")
    claim = says(store, SECRET)
    with pytest.raises(Refused, match="repeats the text"):
        store.claims.redact(claim.id, f"because {SECRET}")
    store.claims.redact(claim.id, "r")
    with pytest.raises(Refused, match="already"):
        store.claims.redact(claim.id, "r")


def test_caches_take_nothing_of_it_in_again(store: Store) -> None:
    claim, other = says(store, SECRET), says(store, "Before it.")
    store.claims.redact(claim.id, "r")
    store.caches.embeddings.put(
        {claim.statement.content_hash: b"v", other.statement.content_hash: b"w"}, "model"
    )
    assert store.caches.embeddings.get(
        [claim.statement.content_hash, other.statement.content_hash], "model"
    ) == {other.statement.content_hash: b"w"}
    store.caches.judgements.put("judge", [Alarm(claim.id, other.id, "k", OPINION, 0.5)], [claim.id, other.id])
    assert store.caches.judgements.alarms("judge") == []
    assert store.caches.judgements.judged("judge") == {other.id}


def test_a_file_that_could_not_be_rewritten_is_when_it_is_opened_next(store: Store, tmp_path: Path) -> None:
    """Another process reads older pages while a text is redacted."""
    path = tmp_path / "store.db"
    secret = says(store, SECRET).id
    with (
        Store.open(path) as reader,
        reader.connection.reading() as sql,
        Store.open(path, busy_ms=20) as hurried,
    ):
        assert sql.execute("SELECT count(*) FROM claims").fetchone()[0] > 0
        hurried.claims.redact(secret, "r")
        assert b"garage" in everything(tmp_path)
    with Store.open(path) as second:
        assert b"garage" not in everything(tmp_path)
        assert second.verify() == []


def test_verify_notices_a_text_that_is_still_there(store: Store) -> None:
    claim = says(store, SECRET)
    store.claims.redact(claim.id, "r")
    store.connection.raw.execute("UPDATE claims SET content_hash = 'x' WHERE id = ?", (claim.id,))
    assert store.verify() == [f"{claim.id} is redacted and still has its text"]
