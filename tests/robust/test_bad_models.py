"""Models that are broken, cut off, of another kind, or have no room: it is said, and the rest goes on."""

from __future__ import annotations

import json
import queue
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from app import places, settings
from app.models.files import WEIGHTS, JudgeFiles
from app.pipeline.handle import Worker
from app.pipeline.messages import Indexed, Message, Reads, Trouble
from tests.cli.running import Run, runner
from tests.models import tiny
from tests.models.real import JUDGE, needs_embedder, needs_judge, needs_llama
from tests.robust.building import DISPUTED, Answer, write

NOTES = {
    **DISPUTED,
    "Rules.md": "Visitors must sign in at the front desk before they enter the lab.\n",
    "Lab.md": "---\ndate: 2026-03-04\n---\n"
    "Guests may walk straight into the lab, nobody has to sign in anywhere.\n",
    "Alarm.md": "back door alarm 7719 or so\n",
}

DEADLINE = 120.0
"""Only a hang takes this long."""

pytestmark = needs_embedder


@dataclass(frozen=True)
class Bad:
    """How to break it, what a check says on stderr, and which part doctor finds at fault in which words."""

    build: Callable[[Path], dict[str, Any]]
    told: str
    part: str
    state: str
    reason: str
    repair: str
    judged: bool = False
    """Do near pairs get judged all the same, by a judge that suspects every pair?"""


def judge(folder: Path) -> Path:
    return tiny.judge_folder(folder / "judge", suspects="conflict")


def cut_onnx(folder: Path) -> dict[str, Any]:
    file = judge(folder) / "judge.onnx"
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    return {"judge": str(file.parent)}


def other_labels(folder: Path) -> dict[str, Any]:
    made = tiny.judge_folder(folder / "judge", labels=("yes", "no", "maybe", "later", "never"))
    return {"judge": str(made)}


def no_tokenizer(folder: Path) -> dict[str, Any]:
    (judge(folder) / "judge-tokenizer.json").unlink()
    return {"judge": str(folder / "judge")}


def no_onnx(folder: Path) -> dict[str, Any]:
    (judge(folder) / "judge.onnx").unlink()
    return {"judge": str(folder / "judge")}


def no_folder(folder: Path) -> dict[str, Any]:
    return {"judge": str(folder / "nowhere")}


def cut_embedder(folder: Path) -> dict[str, Any]:
    own = tiny.sentence_folder(folder / "embedder")
    weights = own / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:2000])
    return {"judge": str(judge(folder)), "embedder": str(own)}


def corrupt_gguf(folder: Path) -> dict[str, Any]:
    (folder / "own.gguf").write_bytes(b"GGUF" + bytes(range(256)) * 40)
    return {"judge": str(judge(folder)), "llama": str(folder / "own.gguf")}


def no_cache(folder: Path) -> dict[str, Any]:
    places.cache_dir().parent.mkdir(parents=True, exist_ok=True)
    places.cache_dir().write_text("a file where the folder should be")
    return {"judge": str(judge(folder))}


def no_memory(folder: Path) -> dict[str, Any]:
    return {"judge": str(judge(folder)), "memory_mb": 24}


OWN = "belie models use embedded"
ALONE = "the rules read alone"
SHIPS = not JudgeFiles.within(WEIGHTS).missing
"""Then a judge that cannot be used leaves the one that ships at work."""


def bad_judge(build: Callable[[Path], dict[str, Any]], reason: str) -> Bad:
    told, state = ("the default goes on", "ready") if SHIPS else (ALONE, "failed")
    return Bad(build, told, "judge", state, reason, OWN)


BAD: dict[str, Bad] = {
    "truncated ONNX": bad_judge(cut_onnx, "damaged or not a model"),
    "a model with other labels": bad_judge(other_labels, "other labels (yes, no, maybe, later, never)"),
    "a judge without its tokenizer": bad_judge(no_tokenizer, "lacks judge-tokenizer.json"),
    "a judge without its weights": bad_judge(no_onnx, "lacks judge.onnx"),
    "a judge that is not there": bad_judge(no_folder, "there is no folder"),
    "truncated embedder": Bad(
        cut_embedder,
        "the default goes on",
        "embedder",
        "ready",
        "model.safetensors is damaged",
        OWN,
        judged=True,
    ),
    "corrupt GGUF": Bad(
        corrupt_gguf, "stay as they are", "llama", "failed", "own.gguf is damaged", OWN, judged=True
    ),
    "unwritable cache": Bad(
        no_cache, "cannot be kept in", "embedder", "ready", "cannot be kept in", "", True
    ),
    "no free memory": Bad(no_memory, ALONE, "embedder", "failed", "memory", "memory_mb"),
}


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.setenv("BELIE_MODELS", "embedded")
    monkeypatch.setenv("COLUMNS", "400")
    return runner(monkeypatch, capsys)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return write(tmp_path / "vault", NOTES)


def use(models: dict[str, Any]) -> None:
    file = settings.config_file()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(yaml.safe_dump({"models": {"threads": 1, **models}}))


def found(answer: Answer, *paths: str) -> bool:
    """Is there a conflict between these notes? One more may have joined it."""
    sets = [{member["path"] for member in conflict["members"]} for conflict in answer.json["conflicts"]]
    return any(set(paths) <= one for one in sets)


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD.keys())
def test_it_is_said_and_the_rest_goes_on(bad: Bad, run: Run, vault: Path, tmp_path: Path) -> None:
    use(bad.build(tmp_path))
    answer = run("check", vault, "--json")
    assert answer.code == 1 and found(answer, "Garage.md", "House.md")
    assert answer.json["stats"]["models"] == ("rules" if bad.told == ALONE else "embedded")
    if bad.judged:
        assert found(answer, "Rules.md", "Lab.md")
    assert bad.told in answer.err and bad.reason in answer.err and bad.repair in answer.err
    assert all(line.startswith("belie: ") for line in answer.err.splitlines())
    part = run("doctor", vault, "--json").json["models"]["try"][bad.part]
    assert part["state"] == bad.state
    assert bad.reason in part["reason"] and bad.repair in part["repair"]
    words = run("doctor", vault).out
    assert bad.reason in words and bad.repair in words


def test_the_status_line_says_what_is_left_and_the_person_is_told_once(
    vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BELIE_MODELS", "embedded")
    said: queue.Queue[Message] = queue.Queue()
    worker = Worker(vault, tmp_path / "store.db", models={"threads": 1, **no_memory(tmp_path)})
    worker.start(said.put)
    heard: list[Message] = []

    def until(kind: type[Message], part: str) -> None:
        while not (isinstance(message := said.get(timeout=DEADLINE), kind) and part in str(message)):
            heard.append(message)
        heard.append(message)

    try:
        until(Reads, "models")
        until(Reads, "rules")
        until(Trouble, "memory")
        write(vault, {"Another.md": "The lamp in the lab is green.\n"})
        worker.rescan()  # which has the models try again
        until(Indexed, "changed_notes=1")
    finally:
        worker.stop()
    told = [message.text for message in heard if isinstance(message, Trouble)]
    assert len(told) == len(set(told)) and not any(m.fatal for m in heard if isinstance(m, Trouble))


@needs_llama
def test_a_gguf_cut_short_is_named_where_it_is_asked(run: Run, tmp_path: Path) -> None:
    from app.models.files import default_llama

    whole = default_llama()
    assert whole is not None
    cut = tmp_path / "cut.gguf"
    with whole.open("rb") as file:
        cut.write_bytes(file.read(8_000_000))
    answer = run("normalize", "back door alarm 7719 or so", "--models", cut, "--json")
    assert answer.code == 0 and answer.json["by"] == "rules"
    assert "cut.gguf is damaged: it ends too early" in answer.err


def test_a_statement_of_three_megabytes_is_read_like_any_other(run: Run, vault: Path, tmp_path: Path) -> None:
    use({"judge": str(judge(tmp_path))})
    long = "The lab is " + "very " * 600_000 + "cold"
    write(vault, {"Long.md": f"{long}.\n", "Word.md": "x" * 3_000_000 + "\n"})
    answer = run("check", vault, "--json")
    assert (answer.code, answer.err) == (1, "")
    assert answer.json["stats"]["models"] == "embedded"
    assert found(answer, "Rules.md", "Lab.md") and found(answer, "Garage.md", "House.md")
    batch = tmp_path / "pairs.jsonl"
    batch.write_text(json.dumps({"a": {"text": long}, "b": {"text": "The lab is warm."}}) + "\n")
    judged = run("judge", "--batch", batch, "--json")
    assert (judged.code, judged.err) == (0, "") and judged.json["label"]


@needs_judge
@pytest.mark.parametrize("left", [0, 1, 1000, 0.5, 0.999])
def test_the_real_judge_cut_anywhere_is_named(left: float, run: Run, vault: Path, tmp_path: Path) -> None:
    own = tmp_path / "cut"
    own.mkdir()
    for file in JudgeFiles.within(JUDGE).all:
        shutil.copyfile(file, own / file.name)
    onnx = own / "judge.onnx"
    data = onnx.read_bytes()
    onnx.write_bytes(data[: int(left if left >= 1 else left * len(data))])
    use({"judge": str(own)})
    answer = run("judge", "The garage door code is 4411.", "The garage door code is 0087.", "--json")
    assert answer.code == 1 and answer.json["label"] == "conflict"
    assert "judge.onnx cannot be loaded" in answer.err or "another shape" in answer.err
