"""Stage two: the authored pairs with five labels, augmented, among masses of mined negatives.

    python -m training.judge.train TRAIN_FOLDER BASE OUT --mined MINED.jsonl [--measure PAIRS.jsonl]...

After each epoch the files named with --measure are measured, with and without dates; never trained on.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from app.guard.written import written
from training.judge.augment import plain_pairs, turned
from training.judge.loop import Example, load, train
from training.judge.measure import measure
from training.judge.mine import gold_pairs
from training.judge.rows import LABELS, OWN, QUIET, Pair, authored, dropped, lines, side, undated
from training.judge.told import story_pairs

_NUMBER = {label: n for n, label in enumerate((*LABELS, QUIET))}
_IN_A_STORY = 0.5
"""Facts of one story are about the same things: more to learn from than from other quiet pairs."""
_EITHER = (_NUMBER["compatible"], _NUMBER["unrelated"])


def pair_files(train: Path) -> tuple[Path, ...]:
    return (*sorted((train / "pairs").glob("*.jsonl")), *sorted((OWN / "pairs").glob("*.jsonl")))


def weight(row: Mapping[str, Any]) -> float:
    """Negatives an earlier judge alarmed at (training.judge.weigh) come more often."""
    return 0.08 + float(row.get("alarm", 0.0))


def drawn(rows: Sequence[tuple[Pair, float]], wanted: int, rng: random.Random) -> list[Pair]:
    """Without repeats, by weight."""
    keyed = sorted(rows, key=lambda row: rng.random() ** (1 / row[1]), reverse=True)
    return [pair for pair, _ in keyed[:wanted]]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("train", type=Path)
    parser.add_argument("base", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--mined", type=Path, required=True)
    parser.add_argument("--measure", type=Path, action="append", default=[])
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--negatives", type=int, default=6000, help="mined negatives per epoch")
    parser.add_argument("--plain", type=int, default=1200, help="pairs with another value per epoch")
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--size", type=int, default=16, help="pairs in a batch")
    parser.add_argument("--words", action="store_true", help="train the word vectors too")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    pairs = [p for f in pair_files(options.train) for p in authored(f)] + gold_pairs()
    of: dict[str, list[tuple[Pair, float]]] = {"unrelated": [], QUIET: []}
    for r in lines(options.mined):
        of[r["label"]].append((Pair(side(r["a"]), side(r["b"]), r["label"]), weight(r)))
    for told in story_pairs(options.train):
        if told.label == QUIET:
            of[QUIET].append((told, _IN_A_STORY))
        else:
            pairs.append(told)
    sides = [s for p in pairs for s in (p.a, p.b)]
    counts = {label: len(rows) for label, rows in of.items()}
    print(f"{len(pairs)} authored, mined {counts}", flush=True)
    rng = random.Random(options.seed)

    def epoch() -> list[Example]:
        chosen = [turned(p, rng) for p in pairs]
        for rows in of.values():
            chosen += [turned(p, rng) for p in drawn(rows, options.negatives // 2, rng)]
        chosen += plain_pairs(sides, rng, options.plain)
        return [(*written((d := dropped(p, rng)).a, d.b), _NUMBER[p.label]) for p in chosen]

    tokenizer, model = load(options.base, LABELS)

    def after(number: int, mean: Any) -> None:
        for path in options.measure:
            held = authored(path)
            print(f"epoch {number} {path.stem} dated   {measure(tokenizer, mean, held)}", flush=True)
            bare = [undated(p) for p in held]
            print(f"epoch {number} {path.stem} undated {measure(tokenizer, mean, bare)}", flush=True)

    train(
        tokenizer,
        model,
        [epoch] * options.epochs,
        options.out,
        rate=options.rate,
        size=options.size,
        words=options.words,
        seed=options.seed,
        either=_EITHER,
        after=after,
    )


if __name__ == "__main__":
    main()
