"""The mean of judges trained from one start: steadier than each of them.

python -m training.judge.mean OUT JUDGE...
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch

from training.judge.loop import load
from training.judge.rows import LABELS


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("judges", type=Path, nargs="+")
    options = parser.parse_args()
    loaded = [load(path, LABELS) for path in options.judges]
    states = [model.state_dict() for _, model in loaded]
    tokenizer, model = loaded[0]
    model.load_state_dict(
        {
            name: torch.stack([s[name] for s in states]).mean(0) if first.is_floating_point() else first
            for name, first in states[0].items()
        }
    )
    model.save_pretrained(options.out)
    tokenizer.save_pretrained(options.out)


if __name__ == "__main__":
    main()
