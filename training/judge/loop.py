"""One training loop for both stages: length-sorted batches, warm-up, linear decay, checkpoints on disk."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForSequenceClassification, AutoTokenizer

Example = tuple[str, str, int]
MAX_TOKENS = 128
_AVERAGE = 0.996
"""The weights kept are a running average: steadier than any single step's."""


def load(base: Path, labels: Sequence[str]) -> tuple[Any, Any]:
    tokenizer = AutoTokenizer.from_pretrained(base)
    model = AutoModelForSequenceClassification.from_pretrained(
        base,
        num_labels=len(labels),
        id2label=dict(enumerate(labels)),
        label2id={label: n for n, label in enumerate(labels)},
        ignore_mismatched_sizes=True,
    )
    return tokenizer, model


def batches(examples: Sequence[Example], size: int, rng: random.Random) -> list[list[Example]]:
    """Neighbours in length share a batch, so little is padded; the batches come in random order."""
    ordered = sorted(examples, key=lambda e: len(e[0]) + len(e[1]) + rng.random() * 20)
    out = [list(ordered[i : i + size]) for i in range(0, len(ordered), size)]
    rng.shuffle(out)
    return out


def encode(tokenizer: Any, rows: Sequence[Example]) -> Any:
    return tokenizer(
        [r[0] for r in rows],
        [r[1] for r in rows],
        padding=True,
        truncation="longest_first",
        max_length=MAX_TOKENS,
        return_tensors="pt",
    )


def loss_of(logits: Any, wanted: Any, either: Sequence[int], smoothing: float) -> Any:
    """Cross entropy; a label past the last one means any of `either`."""
    spread = torch.log_softmax(logits, dim=-1)
    count = logits.shape[-1]
    loose = wanted >= count
    plain = torch.nn.functional.cross_entropy(
        logits, wanted.clamp(max=count - 1), reduction="none", label_smoothing=smoothing
    )
    if not either:
        return plain.mean()
    return torch.where(loose, -torch.logsumexp(spread[:, list(either)], dim=-1), plain).mean()


def train(
    tokenizer: Any,
    model: Any,
    epochs: Sequence[Callable[[], Sequence[Example]]],
    out: Path,
    *,
    rate: float,
    size: int = 32,
    seed: int = 1,
    smoothing: float = 0.05,
    either: Sequence[int] = (),
    words: bool = False,
    after: Callable[[int, Any], None] = lambda epoch, model: None,
) -> None:
    """Each epoch's examples are made anew by its function (augmentation). Saved after every epoch, as OUT and
    as OUT-1, OUT-2 …, which can be averaged later."""
    rng = random.Random(seed)
    torch.manual_seed(seed)
    model.train()
    # The word vectors may stay as they are: half of all weights, and half the time of a step.
    model.get_input_embeddings().weight.requires_grad_(words)
    decay = [p for p in model.parameters() if p.ndim > 1 and p.requires_grad]
    plain = [p for p in model.parameters() if p.ndim <= 1]
    groups = [{"params": decay, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=rate, fused=True)
    total = math.ceil(len(epochs[0]()) / size) * len(epochs)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / (0.06 * total + 1), max(0.02, (total - step) / total))
    )
    mean = deepcopy(model).eval()
    began, seen, steps = time.time(), 0, 0
    for epoch, make in enumerate(epochs):
        running = 0.0
        for n, rows in enumerate(batches(make(), size, rng), 1):
            logits = model(**encode(tokenizer, rows)).logits
            loss = loss_of(logits, torch.tensor([r[2] for r in rows]), either, smoothing)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            steps += 1
            _follow(mean, model, min(_AVERAGE, steps / (steps + 9)))
            running += loss.item()
            seen += len(rows)
            if n % 100 == 0:
                speed = seen / (time.time() - began)
                print(f"epoch {epoch} batch {n} loss {running / n:.3f} {speed:.1f}/s", flush=True)
        for folder in (out, out.with_name(f"{out.name}-{epoch + 1}")):
            mean.save_pretrained(folder)
            tokenizer.save_pretrained(folder)
        after(epoch, mean)


@torch.no_grad()
def _follow(mean: Any, model: Any, keep: float) -> None:
    for held, current in zip(mean.parameters(), model.parameters(), strict=True):
        if current.requires_grad:
            held.lerp_(current, 1 - keep)
