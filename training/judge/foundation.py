"""Stage one: published NLI for breadth, with everyday and hard note pairs among it from the start.

python -m training.judge.foundation TRAIN_FOLDER BASE OUT [--seconds N] [--go-on-from FOLDER]

BASE is the folder of all-mpnet-base-v2 (training/judge/base.py).
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from typing import Any

from training.judge.examples import HELD_OUT, broad, everyday_files, hard_files, pairs_of, written_examples
from training.judge.fit import fit, with_twins
from training.judge.measure import measure
from training.judge.model import load

_MEASURED = 500
"""Held-out pairs that are looked at on the way."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("train", type=Path)
    parser.add_argument("base", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--go-on-from", type=Path, help="what an earlier run wrote")
    parser.add_argument("--most-of-one-set", type=int, default=1_200)
    parser.add_argument("--hard", type=int, default=8_000)
    parser.add_argument("--rate", type=float, default=4e-4)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--held-out", action="append", default=list(HELD_OUT))
    options = parser.parse_args()
    rng = random.Random(7)
    everyday = everyday_files(options.train)
    notes = pairs_of(everyday, options.held_out) + rng.sample(
        pairs_of(hard_files(options.train)), options.hard
    )
    examples = broad(options.train, options.most_of_one_set, rng) + list(written_examples(notes, rng))
    examples = with_twins(examples, rng)
    print(f"{len(examples)} examples, {len(notes)} of them of notes", flush=True)
    tokenizer, model = load(options.base, options.go_on_from)
    held = rng.sample(pairs_of([path for path in everyday if path.stem in options.held_out]), _MEASURED)

    def told(mean: Any) -> None:
        print(f"held out: {measure(tokenizer, mean, held)}", flush=True)

    fit(
        tokenizer,
        model,
        examples,
        options.out,
        rate=options.rate,
        seconds=options.seconds,
        measure=told,
        measure_every=500,
    )


if __name__ == "__main__":
    main()
