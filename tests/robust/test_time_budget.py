"""A note that takes too long is set aside, and the rest of the vault is read."""

from __future__ import annotations

import re
import threading
from pathlib import Path

import pytest

from app.claims import note_reader
from app.store.store import Store
from app.time_budget import OutOfTime, time_budget
from app.vault.note import read_note
from app.vault.settings import VaultSettings
from app.words import Note
from tests.robust.building import DISPUTED, DISPUTED_MEMBERS, open_sets, pipeline, write

_ENDLESS = re.compile(r"(?:a+)+b")


def _slow(path: str, data: bytes, settings: VaultSettings) -> Note:
    if data.startswith(b"a"):
        _ENDLESS.match("a" * 60)
    return read_note(path, data, settings)


def test_a_block_is_stopped_in_the_middle_of_a_pattern() -> None:
    with pytest.raises(OutOfTime), time_budget(0.05):
        _ENDLESS.match("a" * 60)


def test_a_block_in_time_leaves_no_alarm_behind() -> None:
    with time_budget(0.05):
        pass
    assert sum(range(3_000_000)) > 0


def test_another_thread_runs_without_a_limit() -> None:
    done: list[int] = []

    def work() -> None:
        with time_budget(0.000_001):
            done.append(sum(range(1_000_000)))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done


def test_a_note_that_takes_too_long_is_set_aside_and_the_rest_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write(tmp_path / "vault", {**DISPUTED, "Slow.md": "The boat is green.\n"})
    with Store.open(tmp_path / "store.db") as store:
        line = pipeline(root, store)
        line.run()
        monkeypatch.setattr(note_reader, "read_note", _slow)
        monkeypatch.setattr(note_reader, "SECONDS", 0.1)
        write(root, {"Slow.md": "aaa\n", "Other.md": "The mast is white.\n"})
        done = line.run(suspects={"Slow.md"})
        assert done.unreadable == {"Slow.md"}
        ((path, problem),) = store.notes.problems()
        assert path == "Slow.md" and problem.startswith("set aside: not read within")
        assert open_sets(store) == {DISPUTED_MEMBERS}
        said = {claim.statement.text for claim in store.claims.active()}
        assert {"The boat is green.", "The mast is white."} <= said
        write(root, {"Slow.md": "The boat is blue.\n"})
        line.run(suspects={"Slow.md"})
        assert store.notes.problems() == []
        assert "The boat is blue." in {claim.statement.text for claim in store.claims.active()}


def test_one_set_aside_is_not_tried_again_before_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[str] = []

    def slow(path: str, data: bytes, settings: VaultSettings) -> Note:
        tried.append(path)
        return _slow(path, data, settings)

    monkeypatch.setattr(note_reader, "read_note", slow)
    monkeypatch.setattr(note_reader, "SECONDS", 0.1)
    root = write(tmp_path / "vault", {"Slow.md": "aaa\n"})
    with Store.open(tmp_path / "store.db") as store:
        line = pipeline(root, store)
        line.run()
        line.run()
        assert tried == ["Slow.md"]
        assert [path for path, _ in store.notes.problems()] == ["Slow.md"]
