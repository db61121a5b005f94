"""The training loop: batches of like length, warm-up and linear decay, bfloat16 where the CPU has it.

The weights kept are a running average over the last steps. A checkpoint is written every few minutes, so that
a run that is cut off can be gone on with.
"""

from __future__ import annotations

import json
import math
import random
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from copy import deepcopy
from pathlib import Path
from typing import Any

import torch

from training.judge.examples import Example
from training.judge.model import save

MAX_TOKENS = 128
_AVERAGE = 0.998
_SAVE_EVERY_SECONDS = 300
_SORTED_TOGETHER = 64
"""So many batches are sorted by length among themselves: little padding, and still a random order."""


def autocast() -> AbstractContextManager[Any]:
    cpu = Path("/proc/cpuinfo")
    has_bf16 = cpu.exists() and "avx512_bf16" in cpu.read_text(encoding="utf-8")
    return torch.autocast("cpu", dtype=torch.bfloat16) if has_bf16 else nullcontext()


def batches(examples: Sequence[Example], size: int, rng: random.Random) -> list[list[Example]]:
    """Examples in their order, sorted by length within stretches, twins side by side; the batches of a
    stretch are shuffled."""
    out: list[list[Example]] = []
    stretch = size * _SORTED_TOGETHER
    for start in range(0, len(examples), stretch):
        groups: dict[object, list[Example]] = {}
        for n, example in enumerate(examples[start : start + stretch]):
            groups.setdefault(example.group or n, []).append(example)
        by_length = sorted(groups.values(), key=lambda some: max(len(e.a) + len(e.b) for e in some))
        part = [example for some in by_length for example in some]
        some = [part[i : i + size] for i in range(0, len(part), size)]
        rng.shuffle(some)
        out += some
    return out


def with_twins(examples: Sequence[Example], rng: random.Random) -> list[Example]:
    """Shuffled, but twins stay together."""
    groups: dict[object, list[Example]] = {}
    for n, example in enumerate(examples):
        groups.setdefault(example.group or n, []).append(example)
    shuffled = list(groups.values())
    rng.shuffle(shuffled)
    return [example for some in shuffled for example in some]


def encode(tokenizer: Any, rows: Sequence[tuple[str, str]]) -> Any:
    return tokenizer(
        [a for a, _ in rows],
        [b for _, b in rows],
        padding=True,
        truncation="longest_first",
        max_length=MAX_TOKENS,
        return_tensors="pt",
    )


def loss_of(logits: Any, right: Sequence[frozenset[int]], smoothing: float = 0.03) -> Any:
    """How unlikely the right labels are together; a little of every label's own, against overconfidence."""
    spread = torch.log_softmax(logits.float(), dim=-1)
    mask = torch.full_like(spread, -1e9)
    for n, labels in enumerate(right):
        mask[n, list(labels)] = 0.0
    return (-(1 - smoothing) * torch.logsumexp(spread + mask, dim=-1) - smoothing * spread.mean(-1)).mean()


def fit(
    tokenizer: Any,
    model: Any,
    examples: Sequence[Example],
    out: Path,
    *,
    rate: float,
    size: int = 32,
    seed: int = 1,
    seconds: float = math.inf,
    measure: Callable[[Any], None] = lambda model: None,
    measure_every: int = 1000,
) -> None:
    """One pass over the examples, or as much of it as the time allows (the rate then falls with the time)."""
    rng = random.Random(seed)
    torch.manual_seed(seed)
    model.train()
    decayed = [p for p in model.parameters() if p.ndim > 1 and p.requires_grad]
    plain = [p for p in model.parameters() if p.ndim <= 1 and p.requires_grad]
    groups = [{"params": decayed, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=rate, fused=True)
    mean = deepcopy(model).eval()
    all_batches = batches(examples, size, rng)
    began = saved = time.time()
    seen, running = 0, 0.0
    for n, rows in enumerate(all_batches, 1):
        gone = max(n / len(all_batches), (time.time() - began) / seconds)
        if gone >= 1.0 and n < len(all_batches):
            break
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1.0, n / (0.04 * len(all_batches) + 1), max(0.02, 1 - gone))
        with autocast():
            logits = model(**encode(tokenizer, [(e.a, e.b) for e in rows])).logits
        loss = loss_of(logits, [e.right for e in rows])
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        _follow(mean, model, min(_AVERAGE, n / (n + 9)))
        running = 0.99 * running + 0.01 * loss.item() if n > 1 else loss.item()
        seen += len(rows)
        if n % 100 == 0:
            speed = seen / (time.time() - began)
            print(f"batch {n} of {len(all_batches)} loss {running:.3f} {speed:.1f}/s", flush=True)
        if n % measure_every == 0:
            measure(mean)
        if time.time() - saved > _SAVE_EVERY_SECONDS:
            _keep(mean, out, seen)
            saved = time.time()
    _keep(mean, out, seen)
    measure(mean)


def _keep(model: Any, out: Path, seen: int) -> None:
    save(model, out)
    (out / "seen.json").write_text(json.dumps({"examples": seen}), encoding="utf-8")


@torch.no_grad()
def _follow(mean: Any, model: Any, keep: float) -> None:
    for held, current in zip(mean.parameters(), model.parameters(), strict=True):
        if current.requires_grad:
            held.lerp_(current, 1 - keep)
