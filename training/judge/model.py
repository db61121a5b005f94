"""The model in training: a large base with an adapter, or a small one whole.

all-mpnet-base-v2 stays as its packages have it and gets an adapter; gte-small is trained and shipped whole.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from transformers import AutoModelForSequenceClassification, AutoTokenizer

from training.judge import adapter
from training.judge.rows import LABELS

_ADAPTER = "adapter.safetensors"
_SHIPPED = "large-judge.safetensors"


def load(base: Path, trained: Path | None = None) -> tuple[Any, Any]:
    """Tokenizer and model, to be trained from the base or to go on from what `save` wrote."""
    config = json.loads((base / "config.json").read_text(encoding="utf-8"))
    if config["model_type"] == "mpnet":
        return adapter.load(base, _adapter_in(trained) if trained else None)
    tokenizer = AutoTokenizer.from_pretrained(base)
    model = AutoModelForSequenceClassification.from_pretrained(
        trained or base,
        num_labels=len(LABELS),
        id2label=dict(enumerate(LABELS)),
        label2id={label: n for n, label in enumerate(LABELS)},
    )
    model.get_input_embeddings().weight.requires_grad_(False)  # half of all weights, and little to learn
    return tokenizer, model


def _adapter_in(folder: Path) -> Path:
    own = folder / _ADAPTER
    return own if own.exists() else folder / _SHIPPED


def save(model: Any, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    if model.config.model_type == "mpnet":
        adapter.save(model, out / _ADAPTER)
    else:
        model.save_pretrained(out)
