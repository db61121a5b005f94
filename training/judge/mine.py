"""Mined negatives: near neighbours that are no conflict.

    python -m training.judge.mine TRAIN_FOLDER EMBEDDER OUT.jsonl [--near K]

In a whole vault about one neighbour pair in 500 is a conflict; the authored pairs alone teach otherwise.
From pairs and norms: near statements of different stories (unrelated). From the small vaults written for
this: near statements of one vault that are not among its golds (quiet: compatible or unrelated).
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from app.detection.judge_input import Said
from training.judge.augment import stories
from training.judge.rows import OWN, QUIET, Pair, authored, lines, side

_FLOOR = 0.25
HELD_OUT = frozenset(
    {"t04", "t05", "e04", "e05", "p04", "p05", "fi06", "pu06", "cr04", "cr08", "li04", "li08"}
)
"""Small vaults that are kept for calibrating."""


@dataclass(frozen=True, slots=True)
class Told:
    """A statement and what it belongs to."""

    said: Said
    story: str
    id: str = ""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("train", type=Path)
    parser.add_argument("embedder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--near", type=int, default=12)
    options = parser.parse_args()
    with options.out.open("w", encoding="utf-8") as file:
        for pair in _all(options.train, options.embedder, options.near):
            row = {"a": _row(pair.a), "b": _row(pair.b), "label": pair.label}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _all(train: Path, embedder: Path, near: int) -> Iterator[Pair]:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(embedder), device="cpu")

    def embed(told: list[Told]) -> np.ndarray:
        made = model.encode([t.said.text for t in told], batch_size=64, normalize_embeddings=True)
        return np.asarray(made, dtype=np.float32)

    told = list({t.said.text: t for t in _loose(train)}.values())
    vectors = embed(told)
    for n, one in enumerate(told):
        for m in _nearest(vectors, n, near):
            if told[m].story != one.story:
                yield Pair(one.said, told[m].said, "unrelated")
    for statements, golds in vaults():
        vectors = embed(statements)
        seen = set(golds)
        for n, one in enumerate(statements):
            for m in _nearest(vectors, n, near):
                other = statements[m]
                if (both := frozenset((one.id, other.id))) not in seen:
                    seen.add(both)
                    a, b = sorted((one.said, other.said), key=lambda s: s.date or "")
                    yield Pair(a, b, QUIET)


def _nearest(vectors: np.ndarray, n: int, near: int) -> list[int]:
    scores = vectors @ vectors[n]
    scores[n] = -1.0
    return [int(m) for m in np.argsort(-scores)[:near] if scores[m] >= _FLOOR]


def _loose(train: Path) -> Iterator[Told]:
    """Every statement of pairs and norms, with its story."""
    for path in (*sorted((train / "pairs").glob("*.jsonl")), *sorted((OWN / "pairs").glob("*.jsonl"))):
        pairs = authored(path)
        story = stories(pairs)
        for pair in pairs:
            for said in (pair.a, pair.b):
                yield Told(said, f"{path.stem} {story[said.text]}")
    for path in sorted((train / "norms").glob("n*.jsonl")):
        for row in lines(path):
            said = side(row | {"note": row.get("title")})
            yield Told(said, f"{path.stem} {said.note} {said.text[:24]}")


def vaults() -> Iterator[tuple[list[Told], set[frozenset[str]]]]:
    """The small vaults written for training: their statements, and the pairs that are not quiet."""
    for statements, golds in _small(held_out=False):
        yield list(statements.values()), {frozenset((g["a"], g["b"])) for g in golds}


def held_out() -> Iterator[tuple[dict[str, Said], dict[frozenset[str], str]]]:
    """The small vaults kept for calibrating: their statements by id, and the labels of their golds."""
    for statements, golds in _small(held_out=True):
        told = {id: one.said for id, one in statements.items()}
        yield told, {frozenset((g["a"], g["b"])): g["label"] for g in golds}


def gold_pairs() -> list[Pair]:
    """What the small vaults hide."""
    return [
        Pair(statements[g["a"]].said, statements[g["b"]].said, g["label"])
        for statements, golds in _small(held_out=False)
        for g in golds
    ]


def _small(*, held_out: bool) -> Iterator[tuple[dict[str, Told], list[dict[str, str]]]]:
    for path in sorted((OWN / "vaults").glob("*.jsonl")):
        held: dict[str, dict[str, Told]] = {}
        golds: dict[str, list[dict[str, str]]] = {}
        for row in lines(path):
            if "golds" in row:
                golds.setdefault(row["vault"], []).extend(row["golds"])
            for s in row.get("statements", ()):
                said = side(s | {"note": row["title"], "date": row.get("date")})
                held.setdefault(row["vault"], {})[s["id"]] = Told(said, row["vault"], s["id"])
        for vault, statements in held.items():
            if (vault in HELD_OUT) == held_out:
                yield statements, golds.get(vault, [])


def pair_files(train: Path) -> tuple[Path, ...]:
    return (*sorted((train / "pairs").glob("*.jsonl")), *sorted((OWN / "pairs").glob("*.jsonl")))


def weight(row: Mapping[str, Any]) -> float:
    """Negatives that a row says an earlier judge alarmed at come more often."""
    return 0.08 + float(row.get("alarm", 0.0))


def drawn(rows: Sequence[tuple[Pair, float]], wanted: int, rng: random.Random) -> list[Pair]:
    """Without repeats, by weight."""
    keyed = sorted(rows, key=lambda row: rng.random() ** (1 / row[1]), reverse=True)
    return [pair for pair, _ in keyed[:wanted]]


def _row(said: Said) -> dict[str, str | None]:
    return {"text": said.text, "note": said.note, "date": said.date, "heading": " > ".join(said.heading)}


if __name__ == "__main__":
    main()
