"""`belie sweep` and `belie promote`: reading and comparing again, and candidates that come to count."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app import places
from app.detection import norm_findings
from app.pipeline import index_vault
from app.store.store import Store
from tests.cli.running import Run
from tests.detection.test_judge_stage import NOTES
from tests.models import tiny
from tests.robust.building import write

DRAFT = {"House.md": "---\nstatus: draft\n---\nThe garage door code is 0087.\n"}


def test_a_sweep_of_a_vault_that_did_not_change_changes_nothing(run: Run, vault: Path) -> None:
    run("check", vault)
    with Store.open(places.store_path(vault)) as store:
        before = store.ledger.last_event()
    answer = run("sweep", "--vault", vault, "--json")
    assert (answer.code, answer.err) == (0, "")
    assert answer.json == {
        "notes": 2, "read_again": 0, "claims": 2, "pairs_judged": 0, "opened": 0, "closed": 0,
        "open_conflicts_count": 1,
    }  # fmt: skip
    with Store.open(places.store_path(vault)) as store:
        assert store.ledger.last_event() == before
        assert store.progress.compared
    assert "open conflicts count  1" in run("sweep", "--vault", vault).out


def test_a_sweep_is_a_first_index_too(run: Run, vault: Path) -> None:
    answer = run("sweep", "--vault", vault, "--json").json
    assert (answer["notes"], answer["opened"], answer["open_conflicts_count"]) == (2, 1, 1)


def test_notes_read_by_older_rules_are_read_again(
    run: Run, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as older:
        older.setattr(index_vault, "EXTRACTOR", "rules-0")
        older.setattr(index_vault, "norms_of_note", lambda note, _: dict.fromkeys(note.statements, ()))
        assert run("check", vault).code == 0
    answer = run("sweep", "--vault", vault, "--json").json
    assert (answer["read_again"], answer["opened"]) == (2, 1)
    assert run("sweep", "--vault", vault, "--json").json["read_again"] == 0


def test_a_sweep_finds_what_a_comparison_cut_short_left_out(
    run: Run, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("check", vault)
    with monkeypatch.context() as ill:
        ill.setattr(norm_findings, "findings", lambda *_: 1 / 0)
        assert run("sweep", "--vault", vault).code == 2
    with Store.open(places.store_path(vault)) as store:
        assert not store.progress.compared
    assert run("check", vault).code == 1
    with Store.open(places.store_path(vault)) as store:
        assert store.progress.compared


def test_a_save_that_kept_size_and_time_is_noticed(run: Run, vault: Path) -> None:
    run("check", vault)
    file = vault / "House.md"
    state = file.stat()
    with file.open("r+b") as same:
        same.write(file.read_bytes().replace(b"0087", b"4411"))
    os.utime(file, ns=(state.st_atime_ns, state.st_mtime_ns))
    assert run("sweep", "--vault", vault, "--json").json["closed"] == 1


@pytest.fixture
def stern(tmp_path: Path, belie_home: Path) -> Path:
    """A configured judge that takes any near pair for a conflict."""
    folder = tiny.judge_folder(tmp_path / "stern", suspects="conflict")
    belie_home.mkdir(parents=True, exist_ok=True)
    config = places.config_dir() / "config.yaml"
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(f"models:\n  use: embedded\n  judge: {folder}\n  threads: 1\n")
    return folder


def test_with_models_near_pairs_are_judged_and_other_commands_leave_what_they_found(
    run: Run, tmp_path: Path, stern: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BELIE_MODELS")
    vault = write(tmp_path / "hidden", NOTES)
    answer = run("sweep", "--vault", vault, "--json").json
    assert (answer["pairs_judged"] > 0, answer["open_conflicts_count"]) == (True, 2)
    assert run("sweep", "--vault", vault, "--json").json["pairs_judged"] == 0
    # A command that asks no model reads a note that was saved meanwhile.
    write(vault, {"More.md": "The attic has 3 windows.\n"})
    assert len(run("conflicts", "--vault", vault, "--json").json["conflicts"]) == 2
    assert run("remember", "The cellar lamp is white.", "--vault", vault).code == 0
    assert len(run("conflicts", "--vault", vault, "--json").json["conflicts"]) == 2
    # The rules alone are asked for.
    answer = run("sweep", "--vault", vault, "--models", "rules", "--json").json
    assert (answer["closed"], answer["open_conflicts_count"]) == (1, 1)


def test_candidates_are_listed_and_promoted_and_the_guard_speaks(run: Run, vault: Path) -> None:
    write(vault, DRAFT)
    (candidate,) = run("promote", "--vault", vault, "--json").json["candidates"]
    assert candidate["quote"] == "The garage door code is 0087."
    assert "1 candidate" in run("promote", "--vault", vault).out
    assert run("check", vault).code == 0
    answer = run("promote", candidate["claim"], "--vault", vault, "--json")
    assert (answer.code, answer.json["promoted"]) == (0, [candidate["claim"]])
    assert [c["slot"]["subject"] for c in answer.json["conflicts"]] == ["garage door code"]
    assert run("check", vault).code == 1
    assert run("promote", "--vault", vault, "--json").json["candidates"] == []
    run("undo", "--vault", vault)
    assert run("check", vault).code == 0


def test_several_are_promoted_at_once_or_none(run: Run, vault: Path) -> None:
    write(
        vault, {"Draft.md": "---\nstatus: draft\n---\nThe attic has 3 windows.\n\nThe cellar has a lamp.\n"}
    )
    ids = [c["claim"] for c in run("promote", "--vault", vault, "--json").json["candidates"]]
    (other,) = run("story", "--subject", "garage", "--vault", vault, "--json").json["claims"][:1]
    refused = run("promote", ids[0], other["claim"], "--vault", vault)
    assert (refused.code, refused.out) == (2, "")
    assert "not a candidate" in refused.err
    assert run("promote", "nobody", "--vault", vault).code == 2
    done = run("promote", *ids, "--vault", vault)
    assert (done.code, "2 promoted" in done.out) == (0, True)
