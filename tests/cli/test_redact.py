"""`belie redact`: the text gone from everything Belie keeps, and on request from the note."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from app import places
from app.store.store import Store
from tests.cli.running import Run
from tests.robust.building import DISPUTED, write

SECRET = "The garage door code is 4411."


@pytest.fixture
def secret(run: Run, vault: Path) -> str:
    """The claim's id, after everything was done that leaves a trace of its text."""
    (conflict,) = run("conflicts", "--vault", vault, "--json").json["conflicts"]
    claims = {m["path"]: m["claim"] for m in conflict["members"]}
    run("mirror", "--vault", vault)
    run("conflicts", "resolve", conflict["id"], "--winner", claims["House.md"], "--vault", vault)
    run("writeback", conflict["id"], "--style", "strike", "--yes", "--vault", vault)
    with Store.open(places.store_path(vault)) as store:
        seq = next(event.seq for event in store.ledger.events() if event.action == "written")
        (claim,) = store.claims.all(ids=[claims["Garage.md"]])
        store.caches.embeddings.put({claim.statement.content_hash: random.Random(1).randbytes(64)}, "model")
    run("undo", str(seq), "--vault", vault)
    assert traces() > {"store", "backups", "mirror"}
    return claim.id


def traces() -> set[str]:
    """Where under Belie's own folders bytes of the text are found."""
    found = set()
    for folder in (places.state_dir(), places.cache_dir(), places.log_dir()):
        for path in folder.rglob("*") if folder.is_dir() else ():
            if path.is_file() and (
                b"4411" in path.read_bytes() or b"garage door code is 44" in path.read_bytes()
            ):
                found |= {str(path.relative_to(folder)), path.parent.name}
                if path.suffix == ".db" or "-wal" in path.name:
                    found.add("store")
                if "mirror" in path.parts:
                    found.add("mirror")
    return found


def test_no_file_under_the_state_folder_has_it(run: Run, vault: Path, secret: str) -> None:
    answer = run("redact", secret, "--reason", "a code is no note", "--vault", vault)
    assert answer.code == 0
    assert "cannot be undone" in answer.out
    assert "It still stands in Garage.md:1." in answer.out
    assert traces() == set()
    again = run("conflicts", "--status", "all", "--vault", vault)
    assert "4411" not in again.out
    assert "(redacted)" in again.out
    assert traces() == set(), "reading the note again brought it back"
    assert "4411" not in run("claim", secret, "--vault", vault).out
    assert "0087" in "".join(p.read_text() for p in (places.state_dir() / "mirror").rglob("*.md"))
    assert run("doctor", vault).code == 0


def test_the_note_is_edited_on_request(run: Run, vault: Path, secret: str) -> None:
    (vault / "Garage.md").write_text(f"# Doors\n\n- {SECRET}\n- The door is green.\n")
    with Store.open(places.store_path(vault)) as store:
        before = store.ledger.last_event()
    answer = run("redact", secret, "--reason", "r", "--edit-note", "--yes", "--vault", vault)
    assert answer.code == 0
    assert f"-- {SECRET}" in answer.out
    assert (vault / "Garage.md").read_text() == "# Doors\n\n- The door is green.\n"
    assert traces() == set()
    with Store.open(places.store_path(vault)) as store:
        assert store.verify() == []
        assert store.ledger.last_event() > before
        assert "removed" in [e.action for e in store.ledger.history("Garage.md")]
    assert run("undo", "--vault", vault).code == 0, "what came before can still be undone"


def test_the_note_can_be_edited_later(run: Run, vault: Path, secret: str) -> None:
    run("redact", secret, "--reason", "r", "--vault", vault)
    refused = run("redact", secret, "--reason", "r", "--vault", vault)
    assert (refused.code, "--edit-note" in refused.err) == (2, True)
    later = run("redact", secret, "--edit-note", "--yes", "--vault", vault, "--json").json
    assert later == {
        "redacted": [], "would_redact": [], "event": None, "edited": ["Garage.md"], "still_in_notes": [],
    }  # fmt: skip
    assert (vault / "Garage.md").read_text() == ""


def test_without_a_terminal_no_note_is_edited_unasked(run: Run, vault: Path, secret: str) -> None:
    answer = run("redact", secret, "--reason", "r", "--edit-note", "--vault", vault)
    assert (answer.code, "--yes" in answer.err) == (2, True)
    assert SECRET in (vault / "Garage.md").read_text()
    with Store.open(places.store_path(vault)) as store:
        assert store.counts().redacted == 0


def test_a_dry_run_shows_and_does_nothing(run: Run, vault: Path, secret: str) -> None:
    answer = run("redact", secret, "--dry-run", "--edit-note", "--vault", vault)
    assert (answer.code, SECRET in answer.out) == (0, True)
    assert SECRET in (vault / "Garage.md").read_text()
    assert "store" in traces()


def test_a_reason_is_needed(run: Run, vault: Path, secret: str) -> None:
    answer = run("redact", secret, "--vault", vault)
    assert (answer.code, "reason" in answer.err) == (2, True)


def test_the_text_is_not_taken_in_by_another_way(run: Run, vault: Path, secret: str) -> None:
    run("redact", secret, "--reason", "r", "--edit-note", "--yes", "--vault", vault)
    refused = run("remember", SECRET, "--vault", vault)
    assert (refused.code, "redacted" in refused.err) == (2, True)
    write(vault, {"Pasted.md": DISPUTED["Garage.md"] + "\nThe gate is open.\n"})
    assert "4411" not in run("story", "--vault", vault).out
    assert traces() == set()
