"""Vectors of statements by the embedder that ships, kept on disk between runs of the training scripts."""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from app.cli.readers import models

_AT_ONCE = 512


def kept_vectors(texts: Iterable[str], cache: Path) -> dict[str, np.ndarray]:
    known: dict[str, np.ndarray] = pickle.loads(cache.read_bytes()) if cache.exists() else {}
    missing = sorted(set(texts) - known.keys(), key=len)
    if missing:
        with models("embedded") as host:
            assert host is not None, "the embedder that ships is not installed: make install"
            for start in range(0, len(missing), _AT_ONCE):
                some = missing[start : start + _AT_ONCE]
                known.update(zip(some, np.asarray(host.embed(some).matrix(), dtype=np.float32), strict=True))
        cache.write_bytes(pickle.dumps(known))
    return known


def nearest(ids: list[str], vectors: np.ndarray, most: int, floor: float) -> dict[str, dict[str, float]]:
    """For each id its nearest others, nearest first, with the cosine."""
    scores = vectors @ vectors.T
    np.fill_diagonal(scores, -1.0)
    order = np.argsort(-scores, axis=1)[:, :most]
    return {
        id: {ids[m]: float(scores[n, m]) for m in order[n] if scores[n, m] >= floor}
        for n, id in enumerate(ids)
    }
