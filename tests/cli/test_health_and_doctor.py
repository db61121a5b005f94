"""`belie health` and `belie doctor`: counts, what is left out and why, and a store that is ill."""

from __future__ import annotations

import os
import re
import sqlite3
from pathlib import Path

import pytest

from app import places, settings
from app.models import log_file
from app.models.requests import COMPONENTS
from app.settings_file import SettingsFile
from app.store.store import Store
from tests.cli.running import Run
from tests.models import tiny
from tests.models.real import LLAMA
from tests.robust.building import contents, write


@pytest.fixture
def untried(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not about the models need not wait for them."""
    part = {"state": "absent", "name": "", "reason": "", "repair": ""}
    monkeypatch.setattr("app.models.report.tried", lambda setup: dict.fromkeys(COMPONENTS, part))


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
        (conflict,) = store.conflicts.open()
        store.conflicts.keep(conflict.id, conflict.members[0])
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


def test_models_are_shown_with_their_names_and_speed(
    run: Run, vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    folder = tiny.judge_folder(tmp_path / "judge", name="j-1f0d")
    SettingsFile(settings.config_file()).set_all(("models",), {"judge": str(folder)})
    words = run("doctor", vault).out
    assert re.search(r"^ +judge  ready, j-1f0d, [\d,]+ a second$", words, re.MULTILINE)
    if LLAMA:
        assert re.search(r"^ +llama  ready, .+, [\d,]+ tokens a second$", words, re.MULTILINE)


def test_an_error_that_is_past_is_told_as_such(
    run: Run, vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    folder = tiny.judge_folder(tmp_path / "judge")
    SettingsFile(settings.config_file()).set_all(("models",), {"judge": str(folder)})
    log = log_file.ready(log_file.log_path())
    assert log is not None
    log_file.note_error(log, "judge: it went wrong")
    words = run("doctor", vault).out
    assert "just now; it works now (judge: it went wrong)" in words
    (folder / "judge-tokenizer.json").unlink()
    words = run("doctor", vault).out
    assert "works now" not in words and "judge: it went wrong" in words
    assert f"(“models: judge” is now {folder})" in words


@pytest.mark.usefixtures("untried")
def test_a_long_list_is_cut_for_people_only(run: Run, vault: Path) -> None:
    write(vault, {f"copy {n}.sync-conflict-20260301-101112-ABCDEFG.md": "x" for n in range(300)})
    assert "260 more" in run("doctor", vault).out
    assert len(run("doctor", vault, "--json").json["ignored"]) == 300


@pytest.mark.usefixtures("untried")
def test_notes_with_problems_are_listed(run: Run, vault: Path) -> None:
    write(vault, {"Broken.md": b"---\na: [1\n---\nThe lamp is \xff red.\n", "Binary.md": bytes(1000)})
    assert run("check", vault, "--json").code == 1
    rows = run("doctor", vault, "--json").json["store"]["notes_with_problems"]
    assert {row["path"] for row in rows} == {"Broken.md", "Binary.md"}
    words = run("doctor", vault).out
    assert "Broken.md" in words and "Binary.md: binary" in words


@pytest.mark.usefixtures("untried")
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


@pytest.mark.usefixtures("untried")
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


@pytest.mark.usefixtures("untried")
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
