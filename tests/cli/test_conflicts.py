"""`belie conflicts`: listing by every filter, looking at one, and each way to settle it."""

from __future__ import annotations

import os
from datetime import date, timedelta
from pathlib import Path

import pytest

from app import places
from app.store.store import Store
from tests.cli.running import Run
from tests.robust.building import write

GARAGE = ("The garage door code is 4411.", "The garage door code is 0087.")
DECISIONS = {
    "Old choice.md": "---\ntype: decision\nproject: Kiln\n---\nThe orders database is Postgres 14.\n",
    "New choice.md": "---\ntype: decision\nproject: Kiln\n---\nThe orders database is Postgres 17.\n",
}


@pytest.fixture
def both(vault: Path) -> Path:
    """A disputed door code, and a disputed decision of a project."""
    return write(vault, DECISIONS)


def listed(run: Run, vault: Path, *options: str) -> set[str]:
    """The subjects of the conflicts listed."""
    answer = run("conflicts", "--vault", vault, "--json", *options)
    assert (answer.code, answer.err) == (0, "")
    return {c["slot"]["subject"] for c in answer.json["conflicts"]}


def the_id(run: Run, vault: Path, subject: str = "garage door code") -> str:
    found = run("conflicts", "--vault", vault, "--json", "--subject", subject, "--status", "all").json
    (conflict,) = found["conflicts"]
    return str(conflict["id"])


def claim_of(run: Run, vault: Path, text: str) -> str:
    (row,) = [c for c in run("story", "--vault", vault, "--json").json["claims"] if c["text"] == text]
    return str(row["claim"])


def test_open_conflicts_are_listed_as_check_has_them(run: Run, both: Path) -> None:
    found = run("conflicts", "--vault", both, "--json").json["conflicts"]
    assert found == run("check", both, "--json").json["conflicts"]
    assert len(found) == 2


def test_notes_are_read_first_and_listing_twice_prints_the_same(run: Run, vault: Path) -> None:
    first = run("conflicts", "--vault", vault)
    assert first.code == 0
    assert "1 conflict, open" in first.out
    assert all(text in first.out for text in GARAGE)
    assert run("conflicts", "--vault", vault) == first
    write(vault, {"House.md": "# Doors\n\nThe garage door code is 4411.\n"})
    assert "0 conflicts, open" in run("conflicts", "--vault", vault).out


def test_filters(run: Run, both: Path) -> None:
    door, orders = "garage door code", "orders database"
    assert listed(run, both) == {door, orders}
    assert listed(run, both, "--subject", "DOOR") == {door}
    assert listed(run, both, "--subject", "nothing") == set()
    assert listed(run, both, "--project", "kiln") == {orders}
    assert listed(run, both, "--project", "other") == set()
    assert listed(run, both, "--type", "decision") == {orders}
    assert listed(run, both, "--type", "component") == set()
    assert listed(run, both, "--status", "resolved") == set()


@pytest.fixture
def optics(tmp_path: Path) -> Path:
    """A component of a subsystem, disputed by a decision."""
    head = "---\ntype: component\nsubsystem_name: Optics\naliases: [light trap]\n---\n"
    return write(
        tmp_path / "optics",
        {
            "Front shroud.md": head + "The baffle mass is 4 kg.\n",
            "Review.md": "---\ntype: decision\n---\nThe baffle mass is 6 kg.\n",
        },
    )


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("mass of the baffle", True),
        ("Baffles", True),
        ("optics", True),
        ("the Optics baffle", True),
        ("front shrouds", True),
        ("light trap", True),
        ("baff", True),
        ("baffle width", False),
        ("the", False),
    ],
)
def test_a_subject_is_found_by_its_words_its_notes_and_its_slot(
    run: Run, optics: Path, asked: str, found: bool
) -> None:
    assert bool(listed(run, optics, "--subject", asked)) == found


def test_every_decision_that_superseded_another_because_of_a_conflict(run: Run, both: Path) -> None:
    winner, loser = (claim_of(run, both, f"The orders database is Postgres {n}.") for n in (17, 14))
    run("conflicts", "resolve", the_id(run, both, "orders"), "--winner", winner, "--vault", both)
    door = claim_of(run, both, GARAGE[0])
    run("conflicts", "resolve", the_id(run, both), "--winner", door, "--vault", both)
    found = run("conflicts", "--type", "decision", "--superseded", "--vault", both, "--json").json
    (conflict,) = found["conflicts"]
    assert (conflict["winner"], conflict["superseded"], conflict["resolution"]) == (winner, [loser], "kept")
    assert len(listed(run, both, "--superseded")) == 2
    assert listed(run, both, "--superseded", "--status", "open") == set()


def test_what_superseded_a_decision_must_be_a_decision_too(run: Run, both: Path) -> None:
    old, other = (claim_of(run, both, f"The orders database is Postgres {n}.") for n in (14, 17))
    text = "The orders database is Postgres 17."
    assert run("supersede", old, text, "--reason", "upgraded", "--vault", both).code == 0
    (conflict,) = run("conflicts", "--superseded", "--vault", both, "--json").json["conflicts"]
    assert (conflict["resolution"], conflict["superseded"]) == ("superseded", [old])
    assert conflict["winner"] != other and {old, other, conflict["winner"]} == {
        member["claim"] for member in conflict["members"]
    }
    assert listed(run, both, "--type", "decision", "--superseded") == set()
    assert listed(run, both, "--type", "decision", "--status", "all") == {"orders database"}


def test_settled_without_superseding_is_not_superseded(run: Run, vault: Path) -> None:
    run("conflicts", "resolve", the_id(run, vault), "--notes", "asked Rob", "--vault", vault)
    assert listed(run, vault, "--superseded") == set()
    assert listed(run, vault, "--status", "resolved") == {"garage door code"}


def test_one_conflict_with_reasons_and_history(run: Run, vault: Path) -> None:
    id = the_id(run, vault)
    found = run("conflicts", "show", id, "--vault", vault, "--json").json
    assert found["id"] == id
    assert [e["action"] for e in found["history"]] == ["opened"]
    assert {r["stage"] for r in found["reasons"]} == {"structural", "slot"}
    words = run("conflicts", "show", id.upper().removeprefix("C-"), "--vault", vault)
    assert words.code == 0
    assert "structural: contradiction (value) (HIGH) 4411 ≠ 0087" in words.out
    assert "tier: warn (HIGH) two values for one thing, and neither is settled" in words.out
    assert all(member["claim"] in words.out for member in found["members"])


def test_options_may_stand_before_the_action(run: Run, vault: Path) -> None:
    id = the_id(run, vault)
    assert run("conflicts", "--vault", vault, "--json", "show", id).json["id"] == id


def test_resolving_for_a_winner(run: Run, vault: Path) -> None:
    id, winner = the_id(run, vault), claim_of(run, vault, GARAGE[1])
    done = run(
        "conflicts", "resolve", id, "--winner", winner.upper(), "--notes", "tried it", "--vault", vault
    )
    assert done.code == 0
    assert "resolved: kept" in done.out and "tried it" in done.out
    with Store.open(places.store_path(vault)) as store:
        assert {c.statement.text: c.status for c in store.claims.all()} == {
            GARAGE[0]: "superseded",
            GARAGE[1]: "active",
        }
        assert store.ledger.history(id)[-1].who == "person"
    assert run("check", vault).code == 0


def test_resolving_without_touching_claims(run: Run, vault: Path) -> None:
    id, winner = the_id(run, vault), claim_of(run, vault, GARAGE[1])
    options = ("--winner", winner, "--action", "no_action", "--vault", vault, "--json")
    done = run("conflicts", "resolve", id, *options)
    assert (done.json["status"], done.json["winner"], done.json["superseded"]) == ("resolved", winner, [])
    assert {c["status"] for c in run("story", "--vault", vault, "--json").json["claims"]} == {"active"}


def test_dismissing_snoozing_and_reopening(run: Run, vault: Path) -> None:
    id = the_id(run, vault)
    done = run("conflicts", "dismiss", id, "--reason", "front and back door", "--vault", vault)
    assert "front and back door" in done.out
    assert listed(run, vault, "--status", "dismissed") == {"garage door code"}
    assert run("conflicts", "reopen", id, "--vault", vault).code == 0
    assert listed(run, vault) == {"garage door code"}
    snoozed = run("conflicts", "snooze", id, "--vault", vault, "--json").json
    assert snoozed["snoozed_until"] == (date.today() + timedelta(days=7)).isoformat()
    assert listed(run, vault) == set()
    assert listed(run, vault, "--status", "snoozed") == {"garage door code"}
    again = run("conflicts", "snooze", id, "--until", "2099-01-02", "--vault", vault)
    assert "put off until 2099-01-02" in again.out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["show", "c-00000000"], "no conflict c-00000000"),
        (["resolve", "ID", "--winner", "aaaaaaaa"], "not a member"),
        (["resolve", "ID", "--action", "supersede_others"], "needs a winner"),
        (["dismiss", "ID", "--reason", " "], "reason is needed"),
        (["dismiss", "ID"], "--reason"),
        (["snooze", "ID", "--until", "2001-01-01"], "not in the future"),
        (["snooze", "ID", "--until", "soon"], "not a date"),
        (["reopen", "ID"], "open already"),
        (["--status", "lost"], "--status"),
        (["--type", "poem"], "--type"),
    ],
)
def test_what_cannot_be_done_is_told_on_stderr(
    run: Run, vault: Path, arguments: list[str], told: str
) -> None:
    id = the_id(run, vault)
    answer = run("conflicts", *(id if a == "ID" else a for a in arguments), "--vault", vault)
    assert (answer.code, answer.out) == (2, "")
    assert told in answer.err


def test_a_store_that_cannot_be_written_shows_what_was_last_read(
    run: Run, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = the_id(run, vault)
    write(vault, {"House.md": "The garage door code is 4411.\n"})
    monkeypatch.setattr(os, "access", lambda _, mode: mode != os.W_OK)
    answer = run("conflicts", "--vault", vault)
    assert (answer.code, "1 conflict, open" in answer.out) == (0, True)
    assert "last read" in answer.err
    refused = run("conflicts", "dismiss", id, "--reason", "x", "--vault", vault)
    assert (refused.code, refused.out) == (2, "")
    assert "reading only" in refused.err


def test_colour_width_and_control_characters(run: Run, vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(vault, {"House.md": "The garage door code is \x1b[31m0087 and \u202egrey, " + "long " * 40 + ".\n"})
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in run("conflicts", "--vault", vault).out
    monkeypatch.delenv("FORCE_COLOR")
    monkeypatch.setenv("NO_COLOR", "1")
    write(vault, {"House.md": "The garage door code is 0087 \x1b]0;x\x07.\n"})
    plain = run("story", "--vault", vault).out
    assert "\x07" not in plain and "\x1b" not in plain
    assert max(map(len, plain.splitlines())) <= 80


def test_the_newest_or_the_most_trusted_is_kept(run: Run, tmp_path: Path) -> None:
    root = write(
        tmp_path / "dated",
        {
            "2026-01-05.md": "The garage door code is 4411.\n",
            "House.md": "---\ntrust: canon\n---\nThe garage door code is 0087.\n",
        },
    )
    (conflict,) = run("conflicts", "--vault", root, "--json").json["conflicts"]
    claims = {m["path"]: m["claim"] for m in conflict["members"]}
    done = run("conflicts", "resolve", conflict["id"], "--winner", "newest", "--vault", root, "--json").json
    assert done["winner"] == claims["2026-01-05.md"]
    run("undo", "--vault", root)
    done = run("conflicts", "resolve", conflict["id"], "--winner", "trusted", "--vault", root, "--json").json
    assert done["winner"] == claims["House.md"]


CANON = "---\ntrust: canon\n---\n"


@pytest.fixture
def canon(tmp_path: Path) -> Path:
    """A canon note that another one contradicts, and one that agrees with it."""
    material = "The lateral support material is"
    return write(
        tmp_path / "canon",
        {
            "Canon.md": f"{CANON}{material} GF-PTFE.\n\nThe attic has 3 windows.\n",
            "Note.md": f"{material} PEEK.\n",
            "Too.md": f"{material} GF-PTFE.\n",
        },
    )


def test_who_is_trusted_less_is_asked_about_and_marked(run: Run, canon: Path) -> None:
    (conflict,) = run("check", canon, "--json").json["conflicts"]
    members = {m["path"]: m for m in conflict["members"]}
    trusted = members["Canon.md"]["claim"]
    marked = {path: m["conflicts_with"] for path, m in members.items()}
    assert marked == {"Canon.md": [], "Note.md": [trusted], "Too.md": []}
    (canon / "Too.md").unlink()
    (conflict,) = run("conflicts", "--vault", canon, "--json").json["conflicts"]
    assert conflict["question"] == "Is the lateral support material still PEEK?"
    shown = run("conflicts", "show", conflict["id"], "--vault", canon).out.splitlines()
    (line,) = [n for n, text in enumerate(shown) if "is PEEK." in text]
    assert shown[line + 1].strip() == f"against {trusted}, trusted more"
    assert sum("trusted more" in text for text in shown) == 1
    run("conflicts", "dismiss", conflict["id"], "--reason", "both", "--vault", canon)
    (settled,) = run("conflicts", "--status", "dismissed", "--vault", canon, "--json").json["conflicts"]
    assert {tuple(m["conflicts_with"]) for m in settled["members"]} == {()}


@pytest.mark.parametrize("command", [("conflicts", "--vault"), ("check",), ("sweep", "--vault")])
def test_who_writes_to_a_canon_note_is_told_that_it_is_disputed(
    run: Run, canon: Path, command: tuple[str, ...]
) -> None:
    assert run(*command, canon).err == ""  # a first reading writes nothing anew
    text = (canon / "Canon.md").read_text()
    (canon / "Canon.md").write_text(text.replace("3 windows", "4 windows"))
    assert run(*command, canon).err == ""
    (canon / "Canon.md").write_text(text.replace("GF-PTFE", "steel"))
    told = run(*command, canon).err
    (conflict,) = run("conflicts", "--vault", canon, "--json").json["conflicts"]
    assert told == (
        f"belie: you wrote to a canon note whose claim is disputed: {conflict['question']}"
        f" ({conflict['id']})\n"
    )
    assert run(*command, canon).err == ""


def test_nobody_is_kept_where_none_is_the_newest(run: Run, vault: Path) -> None:
    (conflict,) = run("conflicts", "--vault", vault, "--json").json["conflicts"]
    refused = run("conflicts", "resolve", conflict["id"], "--winner", "newest", "--vault", vault)
    assert refused.code == 2
    assert "alone is the newest" in refused.err


def test_put_off_until_a_line_changes(run: Run, vault: Path) -> None:
    (conflict,) = run("conflicts", "--vault", vault, "--json").json["conflicts"]
    put_off = run("conflicts", "snooze", conflict["id"], "--until-change", "--vault", vault)
    assert "until one of its lines changes" in put_off.out
    assert run("conflicts", "--vault", vault, "--json").json["conflicts"] == []
    (vault / "Garage.md").write_text("The garage door code is 4412.\n")
    (again,) = run("conflicts", "--vault", vault, "--json").json["conflicts"]
    assert {m["quote"] for m in again["members"]} == {
        "The garage door code is 4412.",
        "The garage door code is 0087.",
    }
