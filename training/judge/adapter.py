"""all-mpnet-base-v2 with a low-rank adapter: what is trained, kept and shipped of the large judge.

The base stays as its packages have it, in bfloat16 while training. Trained are two thin matrices beside each
of its matrices, the layer norms and the classifier; together a hundredth of its size.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import nn
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from training.judge.rows import LABELS

RANK = 32
STRENGTH = 2.0
"""The adapter's product counts so much: alpha over rank, as others put it."""
_KEPT_SMALL = ("LayerNorm", "classifier")


class Adapted(nn.Module):
    """A frozen linear layer with a trained low-rank one beside it."""

    def __init__(self, base: nn.Linear, rank: int) -> None:
        super().__init__()
        self.register_buffer("weight", base.weight.detach().to(torch.bfloat16), persistent=False)
        self.register_buffer("bias", base.bias.detach().to(torch.bfloat16), persistent=False)
        self.down = nn.Parameter(torch.randn(rank, base.in_features) / base.in_features**0.5)
        self.up = nn.Parameter(torch.zeros(base.out_features, rank))

    def forward(self, x: Any) -> Any:
        x = x.to(torch.bfloat16)
        thin = nn.functional.linear(x, self.down.to(torch.bfloat16) * STRENGTH)
        return nn.functional.linear(x, self.weight, self.bias) + nn.functional.linear(
            thin, self.up.to(torch.bfloat16)
        )


def load(base: Path, adapter: Path | None = None, rank: int = RANK) -> tuple[Any, Any]:
    """Tokenizer and model; `adapter` is a file that `save` wrote, or the one that ships, to go on from."""
    tokenizer = AutoTokenizer.from_pretrained(base)
    model = AutoModelForSequenceClassification.from_pretrained(
        base, num_labels=len(LABELS), hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0
    )
    model.requires_grad_(False)
    for place in model.mpnet.encoder.layer:
        attention = place.attention.attn
        for owner, name in (
            *((attention, one) for one in ("q", "k", "v", "o")),
            (place.intermediate, "dense"),
            (place.output, "dense"),
        ):
            setattr(owner, name, Adapted(getattr(owner, name), rank))
    for name, parameter in model.named_parameters():
        if any(part in name for part in _KEPT_SMALL):
            parameter.requires_grad_(True)
    if adapter is not None:
        missing, unknown = model.load_state_dict(_weights(adapter), strict=False)
        if unknown or set(missing) & trained(model).keys():
            raise SystemExit(f"{adapter} has other weights: {unknown}")
    return tokenizer, model


def _weights(adapter: Path) -> dict[str, torch.Tensor]:
    """The file that ships holds whole numbers with a scale a row, and the product's strength in `down`."""
    stored = load_file(adapter)
    out = {}
    for name, value in stored.items():
        scale = stored.get(f"{name}.scale")
        if scale is not None:
            strength = STRENGTH if name.endswith(".down") else 1.0
            out[name] = value.float() * scale[:, None] / strength
        elif not name.endswith(".scale"):
            out[name] = value.float()
    return out


def trained(model: Any) -> dict[str, Any]:
    wanted = (".up", ".down")
    return {
        n: p for n, p in model.named_parameters() if n.endswith(wanted) or any(k in n for k in _KEPT_SMALL)
    }


def save(model: Any, path: Path) -> None:
    save_file({name: p.detach().float().contiguous() for name, p in trained(model).items()}, path)
