"""What doctor says of the models: files, versions, processor, a try, and the last error with its repair."""

from __future__ import annotations

from pathlib import Path

from app import places
from app.models import log_file
from app.models.report import cpu_features, report
from app.models.setup import Setup
from tests.models import tiny


def setup_for(tmp_path: Path) -> Setup:
    return Setup(
        embedder=str(tiny.sentence_folder(tmp_path / "embedder")),
        judge=str(tiny.judge_folder(tmp_path / "judge")),
        threads=1,
    )


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


def test_what_is_broken_is_said_with_its_repair(tmp_path: Path) -> None:
    setup = setup_for(tmp_path)
    (tmp_path / "judge" / "judge.onnx").write_bytes(b"broken")
    part = report(setup)["try"]["judge"]
    assert "damaged" in part["reason"] and "default" in part["reason"]


def test_the_last_error_of_the_log(tmp_path: Path) -> None:
    log = log_file.ready(places.log_dir() / "models.log")
    assert log is not None
    log_file.note_error(log, "llama: the model process died: illegal instruction")
    error = report(setup_for(tmp_path))["last_error"]
    assert error["error"].startswith("llama:") and "make models" in error["repair"]


def test_the_processor_is_described() -> None:
    found = cpu_features()
    assert set(found) == {"model", "features"}
    assert all(isinstance(flag, str) for flag in found["features"])
