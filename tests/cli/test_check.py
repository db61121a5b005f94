"""`belie check`: the JSON of the contract, exit codes, where the store is, the same thing twice."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from app import places
from app.store.store import Store
from tests.cli.running import Run
from tests.robust.building import DISPUTED_MEMBERS, belie, contents, open_sets, write

KINDS = {"disagreement", "reversal", "stale"}
LAYERS = {"memory": 1, "entity": 2, "state": 3}


def without_seconds(answer: dict[str, Any]) -> dict[str, Any]:
    answer["stats"].pop("seconds")
    return answer


def check_shape(answer: dict[str, Any], root: Path) -> None:
    """Every key of the contract, its type, and that what it says is so."""
    assert set(answer) == {"schema", "vault", "today", "conflicts", "stats"}
    assert answer["schema"] == 1
    assert answer["vault"] == str(root)
    assert date.fromisoformat(answer["today"]).isoformat() == answer["today"]
    stats = answer["stats"]
    assert all(isinstance(stats[key], int) for key in ("notes", "claims", "unreadable"))
    assert set(stats["seconds"]) == {"read", "guard", "detective", "judge", "reread"}
    assert all(isinstance(value, float) and value >= 0 for value in stats["seconds"].values())
    assert len({conflict["id"] for conflict in answer["conflicts"]}) == len(answer["conflicts"])
    for conflict in answer["conflicts"]:
        assert list(conflict) == [
            "id", "kind", "status", "tier", "confidence", "question",
            "found_by", "slot", "members", "reasons",
        ]  # fmt: skip
        assert re.fullmatch(r"c-[0-9a-f]{8}", conflict["id"])
        assert conflict["kind"] in KINDS
        assert conflict["status"] == "open"
        assert conflict["tier"] in {"warn", "block"}
        assert isinstance(conflict["confidence"], float) and 0 <= conflict["confidence"] <= 1
        assert conflict["question"].endswith("?")
        assert conflict["found_by"] and set(conflict["found_by"]) <= {"guard", "detective"}
        assert isinstance(conflict["slot"]["subject"], str) and conflict["slot"]["subject"]
        assert len(conflict["members"]) >= 2
        for member in conflict["members"]:
            check_member(member, root)
        assert conflict["reasons"]
        for reason in conflict["reasons"]:
            assert set(reason) == {"stage", "verdict", "confidence", "detail"}
            assert all(isinstance(value, str) for value in reason.values())
            assert reason["confidence"] in {"HIGH", "MED", "LOW"}


def check_member(member: dict[str, Any], root: Path) -> None:
    place = {"claim", "path", "line", "end_line", "quote", "date"}
    assert set(member) == place | {"layer", "trust", "conflicts_with"}
    assert re.fullmatch(r"[a-z2-7]{8}", member["claim"])
    assert member["trust"] == LAYERS[member["layer"]]
    assert member["date"] is None or date.fromisoformat(member["date"])
    assert not Path(member["path"]).is_absolute()
    lines = (root / member["path"]).read_text(encoding="utf-8").split("\n")
    assert 1 <= member["line"] <= member["end_line"] <= len(lines)
    there = "\n".join(lines[member["line"] - 1 : member["end_line"]])
    # A sentence may share its lines with others; its quote is their text as written.
    assert member["quote"].split("\n")[0].strip() in there


def test_the_json_of_a_small_vault(run: Run, vault: Path) -> None:
    answer = run("check", vault, "--json")
    assert (answer.code, answer.err) == (1, "")
    check_shape(answer.json, vault)
    (conflict,) = answer.json["conflicts"]
    assert [(m["path"], m["line"], m["quote"]) for m in conflict["members"]] == [
        ("Garage.md", 1, "The garage door code is 4411."),
        ("House.md", 3, "The garage door code is 0087."),
    ]
    assert answer.json["stats"]["notes"] == 2
    assert answer.json["today"] == date.today().isoformat()


def test_the_json_of_the_sample_vault(run: Run) -> None:
    answer = run("check", places.sample_vault(), "--json", "--now", "2026-06-30", "--models", "rules")
    assert answer.code == 1
    check_shape(answer.json, places.sample_vault())
    assert answer.json["today"] == "2026-06-30"
    assert len(answer.json["conflicts"]) > 10
    assert {conflict["kind"] for conflict in answer.json["conflicts"]} == KINDS


def test_a_coherent_vault_ends_with_0(run: Run, coherent: Path) -> None:
    answer = run("check", coherent, "--json")
    assert (answer.code, answer.json["conflicts"]) == (0, [])
    words = run("check", coherent)
    assert words.code == 0
    assert "coherent" in words.out


def test_an_empty_vault_is_coherent(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    answer = run("check", tmp_path / "empty", "--json")
    assert (answer.code, answer.json["stats"]["notes"], answer.json["stats"]["claims"]) == (0, 0, 0)


@pytest.mark.parametrize(
    "extra", [(), ("--models", "rules"), ("--now", "2026-06-30"), ("--store", ":memory:")]
)
def test_the_same_command_twice_prints_the_same(run: Run, extra: tuple[str, ...]) -> None:
    first, second = (run("check", places.sample_vault(), "--json", *extra) for _ in range(2))
    assert first.code == second.code == 1
    assert without_seconds(first.json) == without_seconds(second.json)
    words = [run("check", places.sample_vault(), *extra) for _ in range(2)]
    assert words[0] == words[1]


def test_the_stored_and_the_fresh_reading_agree(run: Run, vault: Path) -> None:
    stored = run("check", vault, "--json")
    fresh = run("check", vault, "--json", "--models", "rules")
    assert stored.json["conflicts"] == fresh.json["conflicts"]


def test_it_leaves_the_vault_alone(run: Run, vault: Path) -> None:
    before = contents(vault)
    run("check", vault)
    run("check", vault, "--json", "--models", "rules")
    assert contents(vault) == before


def test_its_own_store_is_private_and_outside_the_vault(run: Run, vault: Path, belie_home: Path) -> None:
    run("check", vault)
    place = places.store_path(vault)
    assert place.is_relative_to(belie_home)
    assert place.stat().st_mode & 0o777 == 0o600
    with Store.open(place, read_only=True) as store:
        assert open_sets(store) == {DISPUTED_MEMBERS}


@pytest.mark.parametrize(
    "extra",
    [("--models", "rules"), ("--now", "2026-06-30"), ("--store", ":memory:")],
)
def test_a_question_about_another_day_or_model_makes_no_store(
    run: Run, vault: Path, belie_home: Path, extra: tuple[str, ...]
) -> None:
    assert run("check", vault, *extra).code == 1
    assert not places.store_path(vault).exists()
    assert not belie_home.exists() or not any(path.is_file() for path in belie_home.rglob("*"))


def test_a_question_about_another_day_leaves_the_store_as_it_is(run: Run, vault: Path) -> None:
    run("check", vault)
    before = places.store_path(vault).read_bytes()
    write(vault, {"House.md": "The garage door code is 4411.\n"})
    assert run("check", vault, "--now", "2026-06-30").code == 0
    assert places.store_path(vault).read_bytes() == before


def test_a_store_named_on_the_command_line(run: Run, vault: Path, tmp_path: Path) -> None:
    place = tmp_path / "kept" / "here.db"
    assert run("check", vault, "--store", place).code == 1
    assert not places.store_path(vault).exists()
    with Store.open(place) as store:
        (conflict,) = store.conflicts.open()
        store.conflicts.dismiss(conflict.id, "two doors")
    assert run("check", vault, "--store", place).code == 0
    # With a day of one's own the named store is used all the same.
    assert run("check", vault, "--store", place, "--now", "2026-06-30").code == 0
    assert run("check", vault, "--now", "2026-06-30").code == 1


@pytest.mark.parametrize("inside", ["belie.db", ".hidden/belie.db", "../vault/belie.db"])
def test_a_store_inside_the_vault_is_refused(run: Run, vault: Path, inside: str) -> None:
    before = contents(vault)
    answer = run("check", vault, "--store", vault / inside)
    assert (answer.code, answer.out) == (2, "")
    assert "inside the vault" in answer.err
    assert contents(vault) == before


def test_a_link_into_the_vault_is_no_way_in(run: Run, vault: Path, tmp_path: Path) -> None:
    (tmp_path / "innocent").symlink_to(vault)
    answer = run("check", vault, "--store", tmp_path / "innocent" / "belie.db")
    assert answer.code == 2
    assert "inside the vault" in answer.err


def test_a_file_that_is_no_store_is_refused_and_left_as_it_is(run: Run, vault: Path, tmp_path: Path) -> None:
    diary = tmp_path / "diary.txt"
    diary.write_text("dear diary, " * 100)
    diary.chmod(0o644)
    answer = run("check", vault, "--store", diary)
    assert (answer.code, answer.out) == (2, "")
    assert "diary.txt is not a database" in answer.err
    assert diary.read_text() == "dear diary, " * 100
    assert diary.stat().st_mode & 0o777 == 0o644


def test_another_programs_database_is_refused_and_left_as_it_is(
    run: Run, vault: Path, tmp_path: Path
) -> None:
    other = tmp_path / "recipes.db"
    with sqlite3.connect(other) as raw:
        raw.execute("CREATE TABLE recipes (name)")
    raw.close()
    other.chmod(0o644)
    before = other.read_bytes()
    answer = run("check", vault, "--store", other)
    assert answer.code == 2
    assert "not a Belie store" in answer.err
    assert other.read_bytes() == before
    assert other.stat().st_mode & 0o777 == 0o644


@pytest.mark.parametrize("place", ["/dev/null", "."])
def test_what_cannot_be_a_store_is_refused(
    run: Run, vault: Path, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    mode = Path(place).stat().st_mode
    answer = run("check", vault, "--store", place)
    assert (answer.code, answer.out) == (2, "")
    assert "not a store" in answer.err
    assert Path(place).stat().st_mode == mode


@pytest.mark.parametrize("now", ["yesterday", "2026-13-01", "2026-02-30", "30"])
def test_a_day_that_is_none_is_refused(run: Run, vault: Path, now: str) -> None:
    answer = run("check", vault, "--now", now)
    assert (answer.code, answer.out) == (2, "")
    assert now in answer.err


def test_a_model_that_is_not_there_is_refused(run: Run, vault: Path) -> None:
    answer = run("check", vault, "--models", "nowhere.gguf")
    assert (answer.code, answer.out) == (2, "")
    assert "nowhere.gguf" in answer.err


def test_decided_and_snoozed_conflicts_are_not_listed(run: Run, vault: Path) -> None:
    run("check", vault)
    with Store.open(places.store_path(vault)) as store:
        (conflict,) = store.conflicts.open()
        store.conflicts.snooze(conflict.id, "2999-01-01")
    assert run("check", vault).code == 0
    with Store.open(places.store_path(vault)) as store:
        store.ledger.undo()
    assert run("check", vault).code == 1


def test_a_vault_given_by_another_name_is_the_same_vault(run: Run, vault: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(vault)
    first = run("check", vault, "--json")
    second = run("check", tmp_path / "link", "--json")
    assert without_seconds(first.json) == without_seconds(second.json)
    assert places.store_path(vault) == places.store_path(tmp_path / "link")


@pytest.mark.parametrize(
    "name",
    [
        "two words",
        'it\'s "quoted"',
        "$(touch pwned)",
        "`id`; rm x",
        "new\nline",
        "-n",
        "--json",
        "é ☂ 文",
        " a ",
        "\x1b[2J",
    ],
)
def test_a_vault_of_any_name(
    run: Run, vault: Path, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = vault.rename(tmp_path / name)
    answer = run("check", named, "--json")
    assert answer.code == 1
    assert answer.json["vault"] == str(named)
    monkeypatch.chdir(tmp_path)
    assert run("check", "--json", "--", name).json["vault"] == str(named)
    words = run("check", named)
    assert words.code == 1
    assert len(words.out.splitlines()[0]) <= 100
    assert sorted(path.name for path in tmp_path.iterdir()) == [name]


def test_a_vault_whose_name_is_no_utf8(vault: Path, tmp_path: Path) -> None:
    named = os.fsencode(tmp_path) + b"/\xff\xfe vault"
    vault.rename(os.fsdecode(named))
    answer = belie("check", named, "--json")
    assert answer.code == 1
    assert os.fsencode(answer.json["vault"]) == named
    assert belie("check", named).code == 1
    assert belie("doctor", named, "--json").code == 0


def test_without_a_vault_the_current_folder_is_read(
    run: Run, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(vault)
    assert run("check", "--json").json["vault"] == str(vault)
    assert run("check", "--vault", vault, "--json").json["vault"] == str(vault)


def test_the_json_is_one_object_on_any_stdout(vault: Path, tmp_path: Path) -> None:
    write(vault, {"Größe.md": "The garage door code is 5555 — “new”.\n"})
    plain = belie("check", vault, "--json", "--models", "rules", PYTHONIOENCODING="utf-8")
    narrow = belie("check", vault, "--json", "--models", "rules", PYTHONIOENCODING="ascii")
    assert narrow.out.isascii()
    assert without_seconds(json.loads(narrow.out)) == without_seconds(json.loads(plain.out))
    words = belie("check", vault, "--models", "rules", PYTHONIOENCODING="ascii")
    assert (words.code, words.err) == (1, "")


def test_a_folder_that_vanished_under_the_command(tmp_path: Path) -> None:
    here = tmp_path / "here"
    here.mkdir()
    script = 'cd "$1" && rmdir "$1" && shift && exec "$@"'
    answer = belie("check", before=("sh", "-c", script, "sh", str(here)))
    assert (answer.code, answer.out) == (2, "")
    assert "cannot be opened" in answer.err


def test_a_copy_of_the_vault_has_a_store_of_its_own(run: Run, vault: Path, tmp_path: Path) -> None:
    shutil.copytree(vault, tmp_path / "other" / "vault")
    assert places.store_path(vault) != places.store_path(tmp_path / "other" / "vault")
