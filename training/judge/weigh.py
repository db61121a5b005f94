"""How much an earlier judge alarms at each mined negative, so that training can dwell on its errors.

python -m training.judge.weigh JUDGE MINED.jsonl OUT.jsonl [--some N]
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

import torch

from app.guard.written import written
from training.judge.loop import encode, load
from training.judge.rows import LABELS, QUIET, lines, side

_SIZE = 64


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("judge", type=Path)
    parser.add_argument("mined", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--some", type=int, default=45000, help="so many of the unrelated ones")
    options = parser.parse_args()
    rows = list(lines(options.mined))
    unrelated = [r for r in rows if r["label"] != QUIET]
    some = random.Random(7).sample(unrelated, min(options.some, len(unrelated)))
    chosen = [r for r in rows if r["label"] == QUIET] + some
    texts = [(*written(side(r["a"]), side(r["b"])), 0) for r in chosen]
    order = sorted(range(len(texts)), key=lambda n: len(texts[n][0]) + len(texts[n][1]))
    tokenizer, model = load(options.judge, LABELS)
    model.eval()
    with torch.inference_mode(), options.out.open("w", encoding="utf-8") as file:
        for start in range(0, len(order), _SIZE):
            batch = order[start : start + _SIZE]
            odds = torch.softmax(model(**encode(tokenizer, [texts[n] for n in batch])).logits, -1)
            for n, alarm in zip(batch, (odds[:, 0] + odds[:, 1]).tolist(), strict=True):
                file.write(json.dumps({**chosen[n], "alarm": round(alarm, 3)}, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
