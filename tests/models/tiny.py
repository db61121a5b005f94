"""Very small real models with random weights: a BERT encoder, a judge, and the folders they come in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy
from numpy.typing import NDArray
from safetensors.numpy import save_file
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

from app.detection.decide import learnt
from app.models.bert_onnx import Classified, Precision, Shape, build
from app.models.setup import Setup
from app.words import LABELS

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789.,'-"
VOCABULARY = [
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]",
    *LETTERS, *(f"##{letter}" for letter in LETTERS),
    *"the door code is not on now garage old new of and we never always deploy friday".split(),
]  # fmt: skip
CONFIG: dict[str, Any] = {
    "model_type": "bert",
    "architectures": ["BertModel"],
    "hidden_act": "gelu",
    "hidden_size": 32,
    "intermediate_size": 64,
    "layer_norm_eps": 1e-12,
    "max_position_embeddings": 128,
    "num_attention_heads": 4,
    "num_hidden_layers": 2,
    "pad_token_id": 0,
    "type_vocab_size": 2,
    "vocab_size": len(VOCABULARY),
}
Weights = dict[str, NDArray[numpy.generic]]


def tokenizer() -> Tokenizer:
    made = Tokenizer(models.WordPiece({word: n for n, word in enumerate(VOCABULARY)}, unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return made


def weights(seed: int = 0, *, labels: int = 0, prefix: str = "") -> Weights:
    """As a BertModel (or, with labels, a BertForSequenceClassification) is saved."""
    random = numpy.random.default_rng(seed)
    hidden, inner = CONFIG["hidden_size"], CONFIG["intermediate_size"]
    made: Weights = {}

    def dense(name: str, outputs: int, inputs: int) -> None:
        made[f"{name}.weight"] = random.normal(0, 0.3, (outputs, inputs)).astype(numpy.float32)
        made[f"{name}.bias"] = random.normal(0, 0.1, outputs).astype(numpy.float32)

    def norm(name: str) -> None:
        made[f"{name}.weight"] = random.normal(1, 0.1, hidden).astype(numpy.float32)
        made[f"{name}.bias"] = random.normal(0, 0.1, hidden).astype(numpy.float32)

    for name, size in (
        ("word", CONFIG["vocab_size"]),
        ("position", CONFIG["max_position_embeddings"]),
        ("token_type", 2),
    ):
        table = random.normal(0, 0.5, (size, hidden)).astype(numpy.float32)
        made[f"{prefix}embeddings.{name}_embeddings.weight"] = table
    norm(f"{prefix}embeddings.LayerNorm")
    for n in range(CONFIG["num_hidden_layers"]):
        layer = f"{prefix}encoder.layer.{n}"
        for name in ("query", "key", "value"):
            dense(f"{layer}.attention.self.{name}", hidden, hidden)
        dense(f"{layer}.attention.output.dense", hidden, hidden)
        norm(f"{layer}.attention.output.LayerNorm")
        dense(f"{layer}.intermediate.dense", inner, hidden)
        dense(f"{layer}.output.dense", hidden, inner)
        norm(f"{layer}.output.LayerNorm")
    dense(f"{prefix}pooler.dense", hidden, hidden)
    if labels:
        dense("classifier", labels, hidden)
    return made


def sentence_folder(folder: Path, seed: int = 0, **config: Any) -> Path:
    """A sentence-transformers model with mean pooling."""
    (folder / "1_Pooling").mkdir(parents=True)
    steps = [("", "Transformer"), ("1_Pooling", "Pooling"), ("2_Normalize", "Normalize")]
    modules = [
        {"idx": n, "name": str(n), "path": path, "type": f"sentence_transformers.models.{kind}"}
        for n, (path, kind) in enumerate(steps)
    ]
    pooling = {"word_embedding_dimension": 32, "pooling_mode_mean_tokens": True}
    for name, content in {
        "modules.json": modules,
        "config.json": CONFIG | config,
        "1_Pooling/config.json": pooling,
        "sentence_bert_config.json": {"max_seq_length": 64, "do_lower_case": False},
        "tokenizer_config.json": {"tokenizer_class": "BertTokenizer", "model_max_length": 64},
    }.items():
        (folder / name).write_text(json.dumps(content))
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY))
    tokenizer().save(str(folder / "tokenizer.json"))
    save_file(weights(seed), folder / "model.safetensors")
    return folder


def judge_folder(
    folder: Path,
    labels: tuple[str, ...] = LABELS,
    precision: Precision = "fp32",
    *,
    suspects: str | None = None,
    **about: Any,
) -> Path:
    """A judge in Belie's own form; one that `suspects` a label says it of every pair, and goes by the name of
    one that ships, so that its word counts."""
    folder.mkdir(parents=True)
    made = weights(1, labels=len(labels), prefix="bert.")
    name = "tiny"
    if suspects is not None:
        name = max(learnt().judges)
        made["classifier.bias"][labels.index(suspects)] += 30
    model = build(made, Shape.of(CONFIG), Classified(len(labels)), precision)
    (folder / "judge.onnx").write_bytes(model)
    tokenizer().save(str(folder / "judge-tokenizer.json"))
    (folder / "judge.json").write_text(
        json.dumps({"name": name, "labels": labels, "max_tokens": 64, "temperature": 1.0} | about)
    )
    return folder


def cross_encoder_folder(folder: Path, labels: tuple[str, ...]) -> Path:
    """A CrossEncoder as sentence-transformers saves one."""
    folder.mkdir(parents=True)
    config = CONFIG | {
        "architectures": ["BertForSequenceClassification"],
        "id2label": {str(n): label for n, label in enumerate(labels)},
    }
    (folder / "config.json").write_text(json.dumps(config))
    tokenizer().save(str(folder / "tokenizer.json"))
    save_file(weights(1, labels=len(labels), prefix="bert."), folder / "model.safetensors")
    return folder


def suspicious(place: Path) -> Setup:
    """The real embedder, and a judge that would raise an alarm about anything near."""
    judge = judge_folder(place / "judge", suspects="conflict")
    return Setup(judge=str(judge), cache=str(place / "cache"), threads=1)
