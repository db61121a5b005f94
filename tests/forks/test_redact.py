"""What is redacted is gone from forks as well."""

from __future__ import annotations

from pathlib import Path

from app.forks import files
from app.forks.redact import redact_forks
from app.store.store import Store
from tests.store.building import note, save, says

SECRET = "The safe opens with 7731."


def test_a_fork_loses_the_text_or_goes_altogether(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with Store.open(path) as store:
        save(store, note("a.md", "The boat is blue."))
        early = store.ledger.last_event()
        save(store, note("b.md", SECRET), at="2026-07-01T00:00:00+00:00")
        files.make(store, "knows")
        files.make(store, "too-early", early)
        id = says(store, SECRET).id
        assert redact_forks(path, id, "a mistake") == ["too-early"]
        store.claims.redact(id, "a mistake")
    assert files.names(path) == ["knows"]
    for file in tmp_path.iterdir():
        assert b"7731" not in file.read_bytes(), file.name
    with files.open_fork(path, "knows") as fork:
        assert fork.verify() == []
        assert [c.status for c in fork.claims.all(ids=[id])] == ["redacted"]


def test_a_fork_made_after_a_redaction_keeps_it_out(tmp_path: Path) -> None:
    with Store.open(tmp_path / "store.db") as store:
        save(store, note("b.md", SECRET))
        before = store.ledger.last_event()
        store.claims.redact(says(store, SECRET).id, "a mistake")
        for name, seq in (("before", before), ("after", None)):
            files.make(store, name, seq)
            with files.open_fork(tmp_path / "store.db", name) as fork:
                assert fork.verify() == []
                assert SECRET not in {c.statement.text for c in fork.claims.all()}
        with files.open_fork(tmp_path / "store.db", "after") as fork:
            assert SECRET in fork.claims.forgotten()
