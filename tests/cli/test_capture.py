"""`belie remember`, `learn`, `ingest` and `supersede` as a person types them."""

from __future__ import annotations

import shlex
from datetime import date
from pathlib import Path
from queue import Queue

import pytest

from app import places, settings
from app.capture.outcomes import Outcome, Verdict, Wanted
from app.cli.capture import ways_out
from app.pipeline.handle import Worker
from app.pipeline.messages import Indexed, Message
from app.store.store import Store
from tests.cli.running import Run
from tests.robust.building import contents, write

RULE, AGAINST = "Never deploy on Fridays.", "Friday deploys are fine."


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    return write(tmp_path / "rules", {"Rules.md": RULE + "\n"})


def configure(text: str) -> None:
    settings.config_file().parent.mkdir(parents=True)
    settings.config_file().write_text(text)


def test_a_statement_is_stored_in_the_inbox(run: Run, rules: Path) -> None:
    answer = run("remember", "The attic has 3 windows.", "--vault", rules)
    assert (answer.code, answer.err) == (0, "")
    assert "Stored in Inbox.md." in answer.out
    today = date.today().isoformat()
    assert (rules / "Inbox.md").read_text() == f"## {today}\n\nThe attic has 3 windows.\n"
    (claim,) = run("story", "--subject", "attic", "--vault", rules, "--json").json["claims"]
    assert (claim["date"], claim["path"], claim["status"]) == (today, "Inbox.md", "active")


def test_a_block_ends_with_9_the_claims_and_the_ways_out(run: Run, rules: Path) -> None:
    run("check", rules)
    before = contents(rules)
    answer = run("remember", AGAINST, "--vault", rules, "--json")
    assert (answer.code, answer.err) == (9, "")
    found = answer.json
    assert (found["outcome"], found["stored"], found["tier"], found["event"]) == (
        "blocked",
        False,
        "block",
        None,
    )
    (conflict,) = found["conflicts"]
    assert [m["quote"] for m in conflict["members"]] == [RULE, AGAINST]
    assert conflict["reasons"][0]["detail"] == "must not against may"
    assert [way["way"] for way in found["ways_out"]] == ["cancel", "supersede", "exception"]
    words = run("remember", AGAINST, "--vault", rules)
    assert words.code == 9
    assert "Not stored" in words.out and "Rules.md:1" in words.out and "must not against may" in words.out
    assert contents(rules) == before


def test_the_ways_out_are_commands_that_work(run: Run, rules: Path) -> None:
    blocked = run("remember", AGAINST, "--vault", rules, "--json").json
    for way in blocked["ways_out"][1:]:
        program, *arguments = shlex.split(way["command"])
        assert program == "belie"
        assert run(*arguments, "--vault", rules).code == 0
        run("undo", "--vault", rules)


def test_one_way_out_supersedes_all_that_stands_against_it(run: Run, rules: Path) -> None:
    write(rules, {"Also.md": "Deploying on Fridays is forbidden.\n"})
    held = [c["claim"] for c in run("story", "--vault", rules, "--json").json["claims"]]
    for blocked in (
        run("remember", AGAINST, "--vault", rules, "--json"),
        run("supersede", held[0], AGAINST, "--reason", "safe", "--vault", rules, "--json"),
    ):
        assert blocked.code == 9
        (way,) = [way["command"] for way in blocked.json["ways_out"] if way["way"] == "supersede"]
        assert all(way.count(id) == 1 for id in held)
    done = run(*shlex.split(way)[1:], "--vault", rules, "--json")
    assert done.code == 0
    assert {done.json["superseded"], *done.json["also"]} == set(held)
    assert {run("claim", id, "--vault", rules, "--json").json["status"] for id in held} == {"superseded"}
    assert run("check", rules).code == 0


def test_what_stands_against_nothing_held_has_nothing_to_supersede() -> None:
    ways = ways_out(Wanted("remember", AGAINST), Outcome("blocked", (), Verdict("block")))
    assert [way["way"] for way in ways] == ["cancel", "exception"]


def test_an_exception_is_stored_and_told(run: Run, rules: Path) -> None:
    answer = run("remember", AGAINST, "--force-exception", "docs only", "--vault", rules)
    assert answer.code == 0
    assert "Stored as an exception to:" in answer.out and RULE in answer.out
    assert run("check", rules).code == 0
    (conflict,) = run("conflicts", "--status", "dismissed", "--vault", rules, "--json").json["conflicts"]
    assert "exception: docs only" in run("conflicts", "show", conflict["id"], "--vault", rules).out


def test_a_warning_is_stored_and_told(run: Run, vault: Path) -> None:
    write(vault, {"House.md": "The attic has 3 windows.\n"})
    answer = run("learn", "The garage door code is 0087.", "--source", "Rob", "--vault", vault)
    assert answer.code == 0
    assert "Mind that it disagrees with:" in answer.out and "4411 ≠ 0087" in answer.out
    assert "The garage door code is 0087. [source:: Rob]" in (vault / "Inbox.md").read_text()
    assert run("check", vault).code == 1


def test_superseding_and_taking_it_back(run: Run, rules: Path) -> None:
    (old,) = run("story", "--vault", rules, "--json").json["claims"]
    answer = run(
        "supersede", old["claim"].upper(), AGAINST, "--reason", "safe now", "--vault", rules, "--json"
    )
    assert (answer.code, answer.json["superseded"]) == (0, old["claim"])
    claim = run("claim", old["claim"], "--vault", rules, "--json").json
    assert (claim["status"], claim["superseded_by"]) == ("superseded", answer.json["claims"][0]["claim"])
    assert ("replaced", "safe now") in {(e["action"], e["why"]) for e in claim["history"]}
    assert run("check", rules).code == 0
    run("undo", "--vault", rules)
    assert run("check", rules).code == 1


def test_ingest_is_not_guarded(run: Run, rules: Path) -> None:
    assert run("ingest", AGAINST, "--vault", rules).code == 0
    assert "Held already." in run("ingest", AGAINST, "--vault", rules).out
    assert (rules / "Inbox.md").read_text().count(AGAINST) == 1


def test_a_newer_reference_fact_is_told_to_supersede_the_older(run: Run, rules: Path) -> None:
    old = run("ingest", "The tide table datum is Oban.", "--vault", rules, "--json").json
    assert (old["superseded"], old["also"]) == (None, [])
    new = run("ingest", "The tide table datum is Skye.", "--vault", rules)
    assert f"{old['claims'][0]['claim']} is superseded by it; belie undo takes that back." in new.out
    assert run("check", rules).code == 0


def test_who_captures_into_a_canon_inbox_is_told_what_is_disputed(run: Run, vault: Path) -> None:
    write(vault, {"Inbox.md": "---\ntrust: canon\n---\n"})
    fine = run("remember", "The attic has 3 windows.", "--vault", vault)
    assert (fine.code, fine.err) == (0, "")
    told = run("ingest", "The garage door code is 4411.", "--vault", vault, "--json")
    (conflict,) = run("conflicts", "--vault", vault, "--json").json["conflicts"]
    warning = f"you wrote to a canon note whose claim is disputed: {conflict['question']}"
    assert (told.code, told.json["canon"]) == (0, [conflict["id"]])
    assert told.err == f"belie: {warning} ({conflict['id']})\n"


def test_the_inbox_can_be_another_note_for_all_vaults_or_one(run: Run, rules: Path, vault: Path) -> None:
    configure(f"inbox: Notes/In.md\nvaults:\n  {rules}:\n    inbox: Log.md\n")
    assert settings.load().problems == ()
    run("remember", "The attic has 3 windows.", "--vault", vault)
    run("remember", "The attic has 3 windows.", "--vault", rules)
    assert (vault / "Notes" / "In.md").exists() and (rules / "Log.md").exists()


@pytest.mark.parametrize("inbox", ["../out.md", "/tmp/out.md", ".obsidian/in.md", "in.txt"])
def test_an_inbox_outside_or_unread_is_refused(run: Run, vault: Path, inbox: str) -> None:
    configure(f"inbox: {inbox}\n")
    before = contents(vault.parent)
    answer = run("remember", "The attic has 3 windows.", "--vault", vault)
    assert (answer.code, answer.out) == (2, "")
    assert inbox in answer.err
    assert contents(vault.parent) == before


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("remember", ""), "no text"),
        (("remember", "%% hidden"), "hide"),
        (("remember", "…"), "no claim"),
        (("remember",), "TEXT"),
        (("learn", "The attic has 3 windows."), "--source"),
        (("learn", "The attic has 3 windows.", "--source", " "), "source"),
        (("supersede", "nobody", "The attic has 3 windows.", "--reason", "x"), "no claim nobody"),
        (("supersede", "nobody", "The attic has 3 windows."), "--reason"),
        (("supersede", "nobody", "The attic has 3 windows.", "--reason", " "), "in words"),
        (("remember", "The attic has 3 windows.", "--force-exception", ""), "in words"),
    ],
)
def test_what_cannot_be_taken_is_told_on_stderr(
    run: Run, vault: Path, arguments: tuple[str, ...], told: str
) -> None:
    answer = run(*arguments, "--vault", vault)
    assert (answer.code, answer.out) == (2, "")
    assert told in answer.err
    assert not (vault / "Inbox.md").exists()


def test_capture_works_while_the_vault_is_being_watched(run: Run, rules: Path) -> None:
    place = places.store_path(rules)
    heard: Queue[Message] = Queue()
    worker = Worker(rules, place)
    worker.start(heard.put)
    try:
        while not isinstance(heard.get(timeout=60), Indexed):
            pass
        for n in range(3):
            assert run("remember", f"The attic has {n} windows.", "--vault", rules).code == 0
        worker.rescan()
        while not isinstance(heard.get(timeout=60), Indexed):
            pass
    finally:
        worker.stop()
    with Store.open(place) as store:
        texts = [c.statement.text for c in store.claims.active(paths=["Inbox.md"])]
        assert texts == [f"The attic has {n} windows." for n in range(3)]
        assert store.verify() == []
