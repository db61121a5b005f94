"""Figures of a judge over labelled pairs: area under the curve of the alarm, F1, accuracy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from app.detection.judge_input import written
from training.judge.fit import autocast, encode
from training.judge.rows import LABELS, Pair

ALARM = ("conflict", "outdated")


def probabilities(tokenizer: Any, model: Any, pairs: Sequence[Pair], size: int = 64) -> np.ndarray:
    """Both ways round where the dates do not say which is older."""
    rows = [written(p.a, p.b) for p in pairs]
    back = [n for n, p in enumerate(pairs) if not (p.a.date and p.b.date)]
    rows += [written(pairs[n].b, pairs[n].a) for n in back]
    made = _run(tokenizer, model, rows, size)
    out = made[: len(pairs)]
    # Only the plain conflict is the same both ways; which one is outdated or settled is not.
    for n, turned in zip(back, made[len(pairs) :], strict=True):
        out[n] = 0.7 * out[n] + 0.3 * turned
    return out


def _run(tokenizer: Any, model: Any, rows: Sequence[tuple[str, str]], size: int) -> np.ndarray:
    order = sorted(range(len(rows)), key=lambda n: len(rows[n][0]) + len(rows[n][1]))
    out = np.zeros((len(rows), len(LABELS)), dtype=np.float32)
    with torch.inference_mode(), autocast():
        for i in range(0, len(order), size):
            chosen = order[i : i + size]
            logits = model(**encode(tokenizer, [rows[n] for n in chosen])).logits
            out[chosen] = torch.softmax(logits.float(), dim=-1).numpy()
    return out


def auc(scores: np.ndarray, wanted: np.ndarray) -> float:
    ranks = np.argsort(np.argsort(scores, kind="stable"), kind="stable") + 1
    positive = int(wanted.sum())
    negative = len(wanted) - positive
    return float((ranks[wanted].sum() - positive * (positive + 1) / 2) / (positive * negative))


def figures(probability: np.ndarray, pairs: Sequence[Pair]) -> dict[str, float]:
    wanted = np.array([p.label in ALARM for p in pairs])
    alarm = probability[:, 0] + probability[:, 1]
    said = alarm >= 0.5
    hits = int((said & wanted).sum())
    precision, recall = hits / max(1, said.sum()), hits / max(1, wanted.sum())
    gold = np.array([LABELS.index(p.label) for p in pairs])
    made = {
        "auc": auc(alarm, wanted),
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / max(1e-9, precision + recall),
        "accuracy": (probability.argmax(1) == gold).mean(),
    }
    return {name: round(float(value), 3) for name, value in made.items()}


def measure(tokenizer: Any, model: Any, pairs: Sequence[Pair]) -> dict[str, float]:
    return figures(probabilities(tokenizer, model, pairs), pairs)
