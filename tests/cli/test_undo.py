"""`belie undo`: the last decision, a named one, and what cannot be taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

from app import places
from app.store.store import Store
from tests.cli.running import Run


@pytest.fixture
def id(run: Run, vault: Path) -> str:
    (conflict,) = run("conflicts", "--vault", vault, "--json").json["conflicts"]
    return str(conflict["id"])


def status(run: Run, vault: Path, id: str) -> str:
    return str(run("conflicts", "show", id, "--vault", vault, "--json").json["status"])


def test_the_last_decision_is_taken_back(run: Run, vault: Path, id: str) -> None:
    event = run("conflicts", "dismiss", id, "--reason", "two doors", "--vault", vault, "--json").json["event"]
    undone = run("undo", "--vault", vault)
    assert undone.code == 0
    assert f"dismissed {id}" in undone.out and "two doors" in undone.out
    assert status(run, vault, id) == "open"
    with Store.open(places.store_path(vault)) as store:
        assert store.ledger.events(1, decisions=True)[0].target_id == str(event)
        assert store.verify() == []
    again = run("undo", "--vault", vault)
    assert (again.code, again.out) == (2, "")
    assert "no decision to undo" in again.err


def test_a_named_decision_is_taken_back(run: Run, vault: Path, id: str) -> None:
    first = run("conflicts", "snooze", id, "--vault", vault, "--json").json["event"]
    run("conflicts", "reopen", id, "--vault", vault)
    refused = run("undo", str(first), "--vault", vault)
    assert (refused.code, refused.out) == (2, "")
    assert "Undo that first" in refused.err
    run("undo", "--vault", vault)
    done = run("undo", str(first), "--vault", vault, "--json").json
    assert (done["undone"], done["action"], done["conflict"]) == (first, "snoozed", id)


@pytest.mark.parametrize(
    ("event", "told"), [("1", "not a decision"), ("9999", "no event 9999"), ("x", "EVENT")]
)
def test_what_is_no_decision(run: Run, vault: Path, id: str, event: str, told: str) -> None:
    answer = run("undo", event, "--vault", vault)
    assert (answer.code, answer.out) == (2, "")
    assert told in answer.err


def test_a_claim_that_is_active_again_is_compared_again(run: Run, vault: Path, id: str) -> None:
    """The conflict that a supersession spared comes up when it is undone."""
    run("conflicts", "dismiss", id, "--reason", "two doors", "--vault", vault)
    (garage,) = run("story", "--subject", "garage", "--vault", vault, "--json").json["claims"][:1]
    text = "The garage door code is 9999."
    run("supersede", garage["claim"], text, "--reason", "new lock", "--vault", vault)
    before = run("conflicts", "--vault", vault, "--json").json["conflicts"]
    assert garage["claim"] not in {m["claim"] for c in before for m in c["members"]}
    undone = run("undo", "--vault", vault)
    assert "stays in its note" in undone.out
    after = run("conflicts", "--vault", vault, "--json").json["conflicts"]
    assert garage["claim"] in {m["claim"] for c in after for m in c["members"]}


@pytest.fixture
def written(run: Run, vault: Path, id: str) -> str:
    """The conflict, settled and written into the losing note; the text that note had."""
    before = (vault / "House.md").read_text()
    shown = run("conflicts", "show", id, "--vault", vault, "--json").json
    winner = next(member["claim"] for member in shown["members"] if member["path"] == "Garage.md")
    assert run("conflicts", "resolve", id, "--winner", winner, "--vault", vault).code == 0
    assert run("writeback", id, "--yes", "--vault", vault).code == 0
    assert (vault / "House.md").read_text() != before
    return before


def test_what_was_written_into_a_note_is_taken_back_with_the_decision(
    run: Run, vault: Path, id: str, written: str
) -> None:
    done = run("undo", "--vault", vault, "--json").json
    assert (done["action"], done["notes"]) == ("kept", ["House.md"])
    assert (vault / "House.md").read_text() == written
    assert status(run, vault, id) == "open"
    with Store.open(places.store_path(vault)) as store:
        assert store.verify() == []


def test_where_the_note_was_changed_since_nothing_is_undone_and_it_says_how(
    run: Run, vault: Path, id: str, written: str
) -> None:
    note = vault / "House.md"
    note.write_text(note.read_text() + "\nThe attic is dry.\n")
    changed = note.read_text()
    refused = run("undo", "--vault", vault)
    assert refused.code == 2 and "Nothing was undone" in refused.err and "--keep-notes" in refused.err
    assert status(run, vault, id) == "resolved"
    assert run("undo", "--keep-notes", "--vault", vault).code == 0
    assert note.read_text() == changed


def test_a_conflict_and_its_claims_tell_where_they_were_written(
    run: Run, vault: Path, id: str, written: str
) -> None:
    shown = run("conflicts", "show", id, "--vault", vault, "--json").json
    assert ("written", "House.md") in [(e["action"], e.get("note")) for e in shown["history"]]
    for member in shown["members"]:
        told = run("claim", member["claim"], "--vault", vault)
        assert "written into House.md" in told.out
