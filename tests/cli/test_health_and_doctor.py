"""`belie health` and `belie doctor`: counts, what is left out and why, and a store that is ill."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from app import places
from app.store.store import Store
from tests.cli.running import Run
from tests.robust.building import contents, write


def test_the_json_of_health(run: Run, vault: Path) -> None:
    run("check", vault)
    answer = run("health", "--vault", vault, "--json")
    assert (answer.code, answer.err) == (0, "")
    found = answer.json
    assert (found["vault"], found["indexed"], found["open_conflicts_count"]) == (str(vault), True, 1)
    assert (found["notes"], found["claims"], found["open"]) == (2, 2, 1)
    assert all(isinstance(value, int) for key, value in found.items() if key != "vault")
    words = run("health", "--vault", vault)
    assert "open conflicts count" in words.out


def test_health_counts_what_was_decided(run: Run, vault: Path) -> None:
    run("check", vault)
    with Store.open(places.store_path(vault)) as store:
        (conflict,) = store.conflicts("open")
        store.keep(conflict.id, conflict.members[0])
    assert run("health", "--vault", vault, "--json").json["open_conflicts_count"] == 0


def test_looking_makes_nothing(run: Run, vault: Path, belie_home: Path) -> None:
    before = contents(vault)
    answer = run("health", "--vault", vault, "--json")
    assert (answer.json["indexed"], answer.json["notes"]) == (False, 0)
    assert "not been read" in run("health", "--vault", vault).out
    doctor = run("doctor", vault, "--json")
    assert doctor.code == 0
    assert doctor.json["store"]["path"] == str(places.store_path(vault))
    assert "nothing has been read yet" in run("doctor", vault).out
    assert contents(vault) == before
    assert not belie_home.exists()


def test_the_json_of_doctor(run: Run, vault: Path) -> None:
    write(
        vault, {".obsidian/app.json": "{}", "x.sync-conflict-20260301-101112-ABCDEFG.md": "x", "~lock": "x"}
    )
    run("check", vault)
    answer = run("doctor", vault, "--json")
    assert (answer.code, answer.err) == (0, "")
    found = answer.json
    assert set(found) == {
        "belie", "python", "vault", "notes", "ignored", "unreadable", "watching", "store", "config",
        "models", "log", "strategies",
    }  # fmt: skip
    assert found["notes"] == 2
    assert {"path": ".obsidian", "reason": "hidden folder"} in found["ignored"]
    assert "sync-conflict copy" in {row["reason"] for row in found["ignored"]}
    assert found["unreadable"] == []
    store = found["store"]
    assert (store["problems"], store["read_only"], store["notes_with_problems"]) == ([], False, [])
    assert store["extractor"]
    assert found["models"]["in_use"] == "rules"
    words = run("doctor", vault).out
    assert "hidden folder" in words and "whole" in words


def test_a_long_list_is_cut_for_people_only(run: Run, vault: Path) -> None:
    write(vault, {f"copy {n}.sync-conflict-20260301-101112-ABCDEFG.md": "x" for n in range(300)})
    assert "260 more" in run("doctor", vault).out
    assert len(run("doctor", vault, "--json").json["ignored"]) == 300


def test_notes_with_problems_are_listed(run: Run, vault: Path) -> None:
    write(vault, {"Broken.md": b"---\na: [1\n---\nThe lamp is \xff red.\n", "Binary.md": bytes(1000)})
    assert run("check", vault, "--json").code == 1
    rows = run("doctor", vault, "--json").json["store"]["notes_with_problems"]
    assert {row["path"] for row in rows} == {"Broken.md", "Binary.md"}
    words = run("doctor", vault).out
    assert "Broken.md" in words and "Binary.md: binary" in words


@pytest.mark.parametrize("how", ["text", "folder", "newer"])
def test_a_store_that_cannot_be_opened_is_a_finding(run: Run, vault: Path, how: str) -> None:
    place = places.store_path(vault)
    place.parent.mkdir(parents=True)
    if how == "text":
        place.write_text("not a database " * 100)
    elif how == "folder":
        place.mkdir()
    else:
        run("check", vault)
        with sqlite3.connect(place) as raw:
            raw.execute("PRAGMA user_version = 999")
        raw.close()
    answer = run("doctor", vault, "--json")
    assert answer.code == 1
    (problem,) = answer.json["store"]["problems"]
    assert str(place) in problem
    assert answer.json["notes"] == 2
    assert problem.split(".")[0].split("/")[-1] in run("doctor", vault).out.replace("\n", "")
    for command in (("check", vault), ("health", "--vault", vault)):
        refused = run(*command)
        assert (refused.code, refused.out) == (2, "")
        assert str(place) in refused.err


def test_a_store_that_was_tampered_with_is_a_finding(run: Run, vault: Path) -> None:
    run("check", vault)
    place = places.store_path(vault)
    with sqlite3.connect(place) as raw:
        raw.execute("UPDATE claims SET status = 'retracted'")
    raw.close()
    answer = run("doctor", vault, "--json")
    assert answer.code == 1
    assert answer.json["store"]["problems"]
    assert "whole" not in run("doctor", vault).out


def test_a_damaged_store_is_told_in_words(run: Run, vault: Path) -> None:
    write(vault, {f"{n}.md": f"The lamp number {n} is {n} cm high.\n" for n in range(50)})
    run("check", vault)
    place = places.store_path(vault)
    size = place.stat().st_size
    with place.open("r+b") as file:
        file.seek(4096)
        file.write(os.urandom(size - 8192))
    for command in (("check", vault), ("doctor", vault), ("health", "--vault", vault)):
        answer = run(*command)
        assert answer.code in (1, 2)
        assert (
            "damaged" in (answer.out + answer.err).replace("\n", " ")
            or "malformed" in answer.out + answer.err
        )
