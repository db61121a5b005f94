"""The language model reads what the rules could not; whatever is wrong with its files, they read on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.cli.statements import read_statement
from app.models.files import ADAPTERS, default_llama
from app.models.host import ModelHost
from app.models.normalizer import Normalizer, can_read
from app.models.requests import Completed, Failed
from app.models.setup import Setup
from app.words import Norm
from tests.cli.running import Run, runner
from tests.models import tiny_gguf

UNSURE = "back door alarm 7719, cleaner has her own code"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.setenv("BELIE_MODELS", "embedded")
    return runner(monkeypatch, capsys)


@pytest.fixture(scope="module")
def host() -> Iterator[ModelHost]:
    with ModelHost(Setup(threads=2)) as made:
        yield made


def read(host: ModelHost, text: str, title: str = "Shop") -> tuple[Norm, ...] | Failed | None:
    statement, note = read_statement(text, title=title)
    return Normalizer(host).read(statement, note.title, note.project)


def completed(host: ModelHost, *, tuned: bool) -> Completed:
    answer = host.complete("The door is", max_tokens=2, tuned="statements" if tuned else None)
    assert isinstance(answer, Completed), answer
    return answer


def test_the_tuned_model_reads_and_every_value_stands_in_the_text(host: ModelHost) -> None:
    for text in (
        UNSURE,
        "p95 cap is 300ms, over that it pages oncall",
        'the "blue" tin \\ maybe',
        "étage n° 3 — 12 €",
    ):
        norms = read(host, text)
        assert norms is None or isinstance(norms, tuple), norms
        for norm in norms or ():
            assert norm.by == "llama" and (norm.value is None or norm.value in text)


def test_the_same_statement_is_read_the_same_whatever_came_before(host: ModelHost) -> None:
    first = read(host, UNSURE)
    completed(host, tuned=False)
    read(host, "no dogs in the breakfast room")
    assert read(host, UNSURE) == first


def test_the_adapter_is_on_only_when_asked_for(host: ModelHost) -> None:
    plain, tuned = completed(host, tuned=False), completed(host, tuned=True)
    assert tuned.model.startswith(plain.model + "+")
    assert completed(host, tuned=False) == plain


def test_a_long_statement_starts_nothing() -> None:
    with ModelHost(Setup()) as host:
        assert read(host, "alarm " * 500_000) is None
        assert host.pid is None


def test_the_default_model_reads_with_its_adapter_and_another_because_it_was_chosen(tmp_path: Path) -> None:
    assert can_read(Setup())
    assert can_read(Setup(llama=str(tmp_path / "own.gguf")))


@pytest.mark.parametrize("kind", ["other shape", "other architecture", "cut", "no gguf", "missing"])
def test_an_adapter_that_does_not_fit_is_named_and_the_model_goes_on_without(
    kind: str, tmp_path: Path
) -> None:
    file = tmp_path / "adapter.gguf"
    match kind:
        case "other shape":
            tiny_gguf.adapter(file)
        case "other architecture":
            tiny_gguf.adapter(file, architecture="qwen2")
        case "cut":
            file.write_bytes(ADAPTERS["statements"].read_bytes()[:50_000])
        case "no gguf":
            file.write_bytes(b"not a model")
    with ModelHost(Setup(lora=str(file), threads=2)) as host:
        answer = read(host, UNSURE)
        assert isinstance(answer, Failed) and "adapter.gguf" in answer.reason
        completed(host, tuned=False)


@pytest.mark.parametrize("kind", ["garbage", "no gguf", "cut"])
def test_a_damaged_model_is_named_and_the_rules_read_on(kind: str, run: Run, tmp_path: Path) -> None:
    file = tmp_path / "own.gguf"
    base = default_llama()
    assert base is not None
    match kind:
        case "garbage":
            file.write_bytes(b"GGUF" + bytes(range(256)) * 8)
        case "no gguf":
            file.write_bytes(b"not a model")
        case "cut":
            with base.open("rb") as whole:
                file.write_bytes(whole.read(3_000_000))
    answer = run("normalize", UNSURE, "--json", "--models", file)
    assert answer.code == 0 and answer.json["by"] == "rules"
    assert "the rules read alone" in answer.err


def test_the_command_says_who_read(run: Run, tmp_path: Path) -> None:
    assert run("normalize", "The garage door code is 4411.", "--json").json["by"] == "rules"
    assert run("normalize", UNSURE, "--json", "--models", "rules").json["by"] == "rules"
    assert run("normalize", UNSURE, "--json").json["by"] == "llama"
    batch = tmp_path / "rows.jsonl"
    rows = [{"text": UNSURE}, {"text": "The garage door code is 4411."}, {"text": "x" * 3_000_000}]
    batch.write_text("\n".join(map(json.dumps, rows)))
    answer = run("normalize", "--batch", batch, "--json")
    made: list[Any] = [json.loads(line) for line in answer.out.splitlines()]
    assert (answer.code, answer.err) == (0, "")
    assert [row["by"] for row in made] == ["llama", "rules", "rules"]
    assert "language model" in run("normalize", UNSURE).out


def test_a_log_that_cannot_be_written_costs_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with ModelHost(
        Setup(cache=str(tmp_path / "file" / "cache"), threads=2), log=tmp_path / "file" / "log"
    ) as host:
        assert not isinstance(read(host, UNSURE), Failed)
