"""What doctor says of the models: files, versions, processor, a try, and the last error with its repair."""

from __future__ import annotations

import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from app import places
from app.models import log_file, process, supervisor, trial
from app.models import report as reporting
from app.models.report import ago, cpu_features, report
from app.models.setup import Setup
from tests.models import tiny, tiny_gguf
from tests.models.real import needs_llama

ROOT = Path(__file__).resolve().parents[2]


def setup_for(tmp_path: Path) -> Setup:
    return Setup(
        embedder=str(tiny.sentence_folder(tmp_path / "embedder")),
        judge=str(tiny.judge_folder(tmp_path / "judge")),
        threads=1,
    )


@pytest.fixture
def without_llama(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where llama.cpp could not be built."""
    monkeypatch.setattr(trial, "package_folder", lambda name: None)


@pytest.fixture
def own_llama(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Setup:
    """Whole as far as its header tells; what it does when it is asked, LLAMA says."""
    child = (sys.executable, str(Path(__file__).with_name("report_child.py")))
    monkeypatch.setattr(process, "COMMAND", child)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setattr(trial, "package_folder", lambda name: tmp_path)
    return replace(setup_for(tmp_path), llama=str(tiny_gguf.model(tmp_path / "own.gguf", width=64)))


@pytest.mark.usefixtures("without_llama")
def test_what_works_with_its_files_and_speed(tmp_path: Path, belie_home: Path) -> None:
    found = report(setup_for(tmp_path))
    assert found["try"]["embedder"]["state"] == "ready"
    assert found["try"]["embedder"]["per_second"] > 0
    assert found["try"]["judge"]["per_second"] > 0
    sizes = {row["model"]: row["bytes"] for row in found["files"]}
    assert sizes["embedder"] > 10_000 and sizes["judge"] > 10_000
    assert sizes["embedder, converted"] is None
    assert found["packages"]["onnxruntime"]
    assert not belie_home.exists(), "looking leaves nothing behind"


@pytest.mark.usefixtures("without_llama")
def test_what_is_broken_is_said_with_its_repair(tmp_path: Path) -> None:
    setup = setup_for(tmp_path)
    (tmp_path / "judge" / "judge.onnx").write_bytes(b"broken")
    part = report(setup)["try"]["judge"]
    assert "damaged" in part["reason"] and "default" in part["reason"]


@needs_llama
def test_the_language_model_writes_a_line_and_its_speed_is_told(tmp_path: Path, belie_home: Path) -> None:
    part = report(setup_for(tmp_path))["try"]["llama"]
    assert (part["state"], part["reason"], part["repair"]) == ("ready", "", "")
    assert part["name"] and part["tokens_per_second"] > 0
    assert not belie_home.exists(), "looking leaves nothing behind"


@pytest.mark.usefixtures("without_llama")
def test_where_llama_was_not_built_nothing_is_asked_of_it(tmp_path: Path) -> None:
    own = tiny_gguf.model(tmp_path / "own.gguf", width=64)
    part = report(replace(setup_for(tmp_path), llama=str(own)))["try"]["llama"]
    assert (part["state"], part["reason"]) == ("absent", "llama.cpp is not built")
    assert "make models" in part["repair"] and "tokens_per_second" not in part


@pytest.mark.parametrize("when", ["dies loading", "dies writing"])
def test_a_build_that_dies_of_an_illegal_instruction_is_not_there(
    when: str, own_llama: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LLAMA", when)
    parts = report(own_llama)["try"]
    assert parts["llama"]["state"] == "failed"
    assert "illegal instruction" in parts["llama"]["reason"] and "make models" in parts["llama"]["repair"]
    assert parts["embedder"]["state"] == parts["judge"]["state"] == "ready"


def test_one_that_does_not_answer_in_time_is_slow_and_has_no_repair(
    own_llama: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LLAMA", "stalls")
    monkeypatch.setattr(supervisor, "GRACE", 0.05)
    monkeypatch.setattr(trial, "_LOADING_SECONDS", 1.0)
    part = report(own_llama)["try"]["llama"]
    assert (part["reason"], part["repair"]) == ("it gave no answer within 1 seconds", "")


def test_an_adapter_in_the_place_of_a_model(own_llama: Setup, tmp_path: Path) -> None:
    adapter = tiny_gguf.adapter(tmp_path / "adapter.gguf")
    part = report(replace(own_llama, llama=str(adapter)))["try"]["llama"]
    assert part["state"] == "failed" and "is an adapter" in part["reason"]
    assert "belie models use" in part["repair"]


@pytest.mark.usefixtures("without_llama")
def test_a_cache_that_cannot_be_written_has_a_repair(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    part = report(replace(setup_for(tmp_path), cache=str(tmp_path / "cache" / "models")))["try"]["embedder"]
    assert part["state"] == "ready" and "cannot be kept in" in part["reason"]
    assert part["repair"] == (
        f"move the file {tmp_path / 'cache'} away, or choose another place with BELIE_HOME"
    )


# the last error


def stands(state: str, repair: str = "") -> dict[str, str]:
    return {"state": state, "name": "", "reason": "", "repair": repair}


@pytest.fixture
def parts(monkeypatch: pytest.MonkeyPatch) -> dict[str, dict[str, str]]:
    """How the models stand, without trying any; a test may have one fail."""
    found = {name: stands("ready") for name in ("embedder", "judge", "llama")}
    monkeypatch.setattr(reporting, "tried", lambda setup: found)
    return found


def last_error(line: str, setup: Setup | None = None) -> dict[str, Any]:
    log = log_file.ready(places.log_dir() / "models.log")
    assert log is not None
    log_file.note_error(log, line)
    found: dict[str, Any] = report(setup)["last_error"]
    assert found["error"] == line
    return found


COMPLETE = "complete: there is no adapter for this model"


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("llama: the model process died: illegal instruction: it was built for another CPU", "llama"),
        (COMPLETE, "llama"),
        ("weigh: OSError: it went wrong", "llama"),
        ("embed: TypeError: an odd text", "embedder"),
        ("embedder: model.safetensors is damaged", "embedder"),
        ("judge: judge.onnx cannot be loaded", "judge"),
    ],
)
def test_an_error_is_past_once_the_model_it_was_about_works(
    line: str, part: str, parts: dict[str, dict[str, str]]
) -> None:
    error = last_error(line)
    assert error["old"] and error["repair"] == ""
    parts[part] |= stands("failed")
    error = last_error(line)
    assert not error["old"] and error["repair"]
    if part == "llama":
        assert "make models" in error["repair"]


def test_an_error_of_the_whole_process_is_past_once_any_model_answers(
    parts: dict[str, dict[str, str]],
) -> None:
    line = "process: the model process died: it crashed (bad memory access)"
    parts["llama"] |= stands("failed")
    assert last_error(line)["old"]
    for part in parts.values():
        part |= stands("failed")
    error = last_error(line)
    assert (error["old"], error["repair"]) == (False, "")


@pytest.mark.parametrize(
    "line",
    [
        "embed: the models may use 64 MB of memory, which was not enough",
        "llama: the model process died: the system ended it for want of memory",
        "judge: the model process died: it has too little memory",
        "process: out of memory",
        "process: can't start new thread",
    ],
)
def test_what_lacked_memory_needs_memory_and_no_new_model(
    line: str, parts: dict[str, dict[str, str]]
) -> None:
    for part in parts.values():
        part |= stands("failed")
    assert "memory_mb" in last_error(line)["repair"]
    assert last_error(line, Setup(memory_mb=0))["repair"] == "close other programs"


def test_a_model_of_the_persons_own_is_named_with_its_setting(
    parts: dict[str, dict[str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The default goes on in its place, so it works; but the error is as true as it was.
    parts["judge"] |= stands("ready", "name another one")
    parts["llama"] |= stands("failed")
    own = Setup(judge=str(tmp_path / "mine"), llama=str(tmp_path / "own.gguf"))
    error = last_error("judge: your own judge cannot be used: it has other labels", own)
    assert not error["old"]
    assert "belie models use embedded" in error["repair"]
    assert f"“models: judge” is now {tmp_path / 'mine'}" in error["repair"]
    broken = f"llama: {tmp_path / 'own.gguf'} is damaged: it ends too early"
    assert "“models: llama” is now" in last_error(broken, own)["repair"]
    monkeypatch.setenv("BELIE_MODELS", str(tmp_path / "own.gguf"))
    assert "BELIE_MODELS is now" in last_error(broken, own)["repair"]
    died = "llama: the model process died: illegal instruction: it was built for another CPU"
    assert "make models" in last_error(died, own)["repair"]


@pytest.mark.parametrize(
    ("at", "said"),
    [
        ("2026-05-12T09:59:30+00:00", "just now"),
        ("2026-05-12T09:59:00+00:00", "1 minute ago"),
        ("2026-05-12T07:10:00+00:00", "2 hours ago"),
        ("2026-05-12T11:30:00+02:00", "30 minutes ago"),
        ("2026-05-09T10:00:00+00:00", "3 days ago"),
        ("2026-05-12T10:00:10+00:00", "just now"),
        ("llama_load:", "some time ago"),
    ],
)
def test_how_long_ago_an_error_was(at: str, said: str) -> None:
    assert ago(at, datetime(2026, 5, 12, 10, tzinfo=UTC)) == said


def test_the_processor_is_described() -> None:
    found = cpu_features()
    assert set(found) == {"model", "features"}
    assert all(isinstance(flag, str) for flag in found["features"])
