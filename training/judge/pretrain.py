"""Stage one: public NLI pairs, for breadth.

    python -m training.judge.pretrain TRAIN_FOLDER BASE_MODEL OUT [--pairs N]

Sets that measure (taxinli, negnli, breaking_nli, fever_symmetric) stay out.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from training.judge.loop import Example, load, train
from training.judge.rows import NLI_LABELS, public

LIMITS = {
    "new_protocols_nli": 40_000,
    "snli_20k": 20_000,
    "snli_dev_test": 20_000,
    "cad_nli": 12_000,
    "conjnli": 6_000,
}
"""Of conjnli only a part: its training rows are perturbed by machine, and noisy."""
_NUMBER = {label: n for n, label in enumerate(NLI_LABELS)}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("train", type=Path)
    parser.add_argument("base", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--rate", type=float, default=1e-4)
    options = parser.parse_args()
    rng = random.Random(7)
    examples: list[Example] = []
    for name, limit in LIMITS.items():
        rows = [
            r for r in public(options.train / "public", name) if r[3] == "train" or name == "snli_dev_test"
        ]
        rng.shuffle(rows)
        examples += [(p, h, _NUMBER[label]) for p, h, label, _ in rows[:limit]]
    print(f"{len(examples)} pairs", flush=True)
    tokenizer, model = load(options.base, NLI_LABELS)
    train(tokenizer, model, [lambda: examples], options.out, rate=options.rate)


if __name__ == "__main__":
    main()
