"""Writes down what the training framework computes with the thread adapter, as `training.normalizer.logits`.

python -m training.detective.logits ADAPTER_FOLDER [OUT.json]
"""

from __future__ import annotations

import argparse
from pathlib import Path

from app.detection.judge_input import Said
from app.detective.thread_prompt import END, written
from training.normalizer.logits import OUT, record

CASES = (
    ((Said("the boat is moored at Kettle Quay", "Boat", "2024-03-01"),
      Said("moved her from Kettle Quay to the north pontoon", "Boat", "2024-09-20"),
      Said("rowed out to Kettle Quay, bailed her out, rowed home", "2025-04-02", "2025-04-02")),
     " yes | reversal | 1 2 3"),
    ((Said("freezer alarm goes to Ruth's phone", "Lab", "2025-01-10"),
      Said("lab: the autoclave is booked on Mondays", "Lab", "2025-01-12")), " no"),
    ((Said("entry is free for members", "Club"), Said("took 4 € from every member at the door", "Evening")),
     " yes | disagreement | 1 2"),
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("adapter", type=Path)
    parser.add_argument("out", type=Path, nargs="?", default=OUT.with_name("detective_logits.json"))
    options = parser.parse_args()
    record(options.adapter, options.out, [(written(said) + END, answer) for said, answer in CASES])


if __name__ == "__main__":
    main()
