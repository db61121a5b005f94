"""The written graph computes what transformers computes, in every precision, whatever shares its batch."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy
import pytest
from numpy.typing import NDArray

from app.models import onnx_run
from app.models.bert_onnx import PRECISIONS, Classified, Pooled, Precision, Shape, WrongShape, build
from tests.models import tiny

SENTENCES = [
    "the door code is 4411",
    "the door code is 0087",
    "we never deploy on friday",
    "deploy on friday is always ok",
    "old garage",
    "a",
    "the new code of the old garage door is not the old code of the new garage door and never was",
]
CLOSE: dict[Precision, float] = {"fp32": 1e-4, "fp16": 5e-3, "int8": 0.15}


def session(model: Any, output: str) -> Any:
    return onnx_run.open_session(model, output)


def encodings(tmp_path: Path, texts: list[Any]) -> Any:
    tiny.tokenizer().save(str(tmp_path / "tokenizer.json"))
    return onnx_run.open_tokenizer(tmp_path / "tokenizer.json", 64).encode_batch(texts)


def padded(encoded: Any) -> dict[str, NDArray[numpy.int64]]:
    longest = max(len(e.ids) for e in encoded)
    rows = {
        "input_ids": [e.ids for e in encoded],
        "attention_mask": [[1] * len(e.ids) for e in encoded],
        "token_type_ids": [e.type_ids for e in encoded],
    }
    return {
        name: numpy.array([row + [0] * (longest - len(row)) for row in some], numpy.int64)
        for name, some in rows.items()
    }


def torch_model(name: str, weights: tiny.Weights, **config: Any) -> Any:
    import torch
    import transformers

    model = getattr(transformers, name)(transformers.BertConfig(**{**tiny.CONFIG, **config}))
    model.load_state_dict({key: torch.from_numpy(value) for key, value in weights.items()}, strict=False)
    return model.eval()


@pytest.fixture(scope="module")
def expected_vectors(tmp_path_factory: pytest.TempPathFactory) -> NDArray[numpy.float32]:
    import torch

    feeds = padded(encodings(tmp_path_factory.mktemp("t"), SENTENCES))
    with torch.no_grad():
        hidden = torch_model("BertModel", tiny.weights())(
            **{k: torch.from_numpy(v) for k, v in feeds.items()}
        )
    mask = feeds["attention_mask"][:, :, None].astype(numpy.float32)
    mean = (hidden.last_hidden_state.numpy() * mask).sum(1) / mask.sum(1)
    scaled: NDArray[numpy.float32] = mean / numpy.linalg.norm(mean, axis=1, keepdims=True)
    return scaled


@pytest.mark.parametrize("precision", PRECISIONS)
def test_vectors_are_those_of_transformers(
    precision: Precision, expected_vectors: NDArray[numpy.float32], tmp_path: Path
) -> None:
    model = build(tiny.weights(), Shape.of(tiny.CONFIG), Pooled(), precision)
    encoded = encodings(tmp_path, SENTENCES)
    answer = onnx_run.run(session(model, "vectors"), encoded, "vectors", 32, 2)
    numpy.testing.assert_allclose(answer, expected_vectors, atol=CLOSE[precision])


@pytest.mark.parametrize("precision", PRECISIONS)
def test_logits_are_those_of_transformers(precision: Precision, tmp_path: Path) -> None:
    import torch

    weights = tiny.weights(3, labels=5, prefix="bert.")
    pairs = list(pairwise(SENTENCES))
    encoded = encodings(tmp_path, pairs)
    with torch.no_grad():
        reference = torch_model("BertForSequenceClassification", weights, num_labels=5)
        logits = reference(**{k: torch.from_numpy(v) for k, v in padded(encoded).items()}).logits.numpy()
    model = build(weights, Shape.of(tiny.CONFIG), Classified(5), precision)
    answer = onnx_run.run(session(model, "logits"), encoded, "logits", 5, 2)
    numpy.testing.assert_allclose(answer, logits, atol=4 * CLOSE[precision] if precision != "fp32" else 1e-4)


@pytest.mark.parametrize("precision", PRECISIONS)
def test_a_row_does_not_depend_on_its_batch(precision: Precision, tmp_path: Path) -> None:
    model = session(build(tiny.weights(), Shape.of(tiny.CONFIG), Pooled(), precision), "vectors")
    texts = [f"the {a} code is {b}" for a in ("old", "new", "door") for b in range(40, 70)]
    encoded = encodings(tmp_path, texts)
    together = onnx_run.run(model, encoded, "vectors", 32, 2)
    alone = numpy.concatenate([onnx_run.run(model, [e], "vectors", 32, 2) for e in encoded])
    assert (together == alone).all()
    judge = session(build(tiny.weights(labels=5), Shape.of(tiny.CONFIG), Classified(5), precision), "logits")
    together = onnx_run.run(judge, encoded, "logits", 5, 2)
    alone = numpy.concatenate([onnx_run.run(judge, [e], "logits", 5, 2) for e in encoded])
    assert (together == alone).all()


def test_smaller_precisions_make_smaller_models() -> None:
    sizes = [len(build(tiny.weights(), Shape.of(tiny.CONFIG), Pooled(), p)) for p in PRECISIONS]
    assert sizes[0] > sizes[1] > sizes[2]


def test_first_token_pooling_without_scaling(tmp_path: Path) -> None:
    import torch

    encoded = encodings(tmp_path, SENTENCES[:1])
    with torch.no_grad():
        feeds = {k: torch.from_numpy(v) for k, v in padded(encoded).items()}
        hidden = torch_model("BertModel", tiny.weights())(**feeds)
    model = build(tiny.weights(), Shape.of(tiny.CONFIG), Pooled("cls", normalized=False))
    answer = onnx_run.run(session(model, "vectors"), encoded, "vectors", 32, 2)
    numpy.testing.assert_allclose(answer, hidden.last_hidden_state[:, 0].numpy(), atol=1e-4)


def test_a_missing_weight_is_named() -> None:
    weights = tiny.weights()
    del weights["encoder.layer.1.output.dense.weight"]
    with pytest.raises(WrongShape, match=r"encoder\.layer\.1\.output\.dense\.weight"):
        build(weights, Shape.of(tiny.CONFIG), Pooled())


def test_a_weight_of_another_shape_is_named() -> None:
    weights = tiny.weights(labels=3)
    with pytest.raises(WrongShape, match=r"classifier\.weight is 3×32"):
        build(weights, Shape.of(tiny.CONFIG), Classified(5))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"model_type": "roberta"}, "roberta"),
        ({"hidden_act": "relu"}, "relu"),
        ({"position_embedding_type": "relative_key"}, "positions"),
        ({"hidden_size": None}, "configuration"),
    ],
)
def test_another_architecture_is_refused(change: dict[str, Any], says: str) -> None:
    with pytest.raises(WrongShape, match=says):
        Shape.of({**tiny.CONFIG, **change})
