"""What each kind of evidence brings: the decision learnt without it, on the same pairs.

    python -m training.decision.ablate CACHE_FOLDER JUDGE

CACHE_FOLDER is what `training.decision.learn` filled; JUDGE is the name of a judge it kept the words of. How
likely a pair is by what is cheap sums up all other evidence, so it is left out in every row but the first.
"""

from __future__ import annotations

import argparse
import json
import pickle
from collections.abc import Mapping, Sequence
from pathlib import Path

from training.decision.dataset import Row
from training.decision.learn import LINES, RIGHT, learn, names_of, threshold, with_rivals

_LIKELY = "likely"
_KINDS: dict[str, tuple[str, ...]] = {
    "the judge": ("judge_",),
    "nearness and rank": ("cosine", "best_", "worst_", "overlap", "crowd"),
    "titles and headings": ("title", "in_title", "headings"),
    "places, forms and layers": (
        "one_", "lines_apart", "rows", "fields", "listed", "layers", "trust", "tasks",
    ),
    "dates": ("dated", "gap", "by_day", "ended"),
    "standing and scope": ("old_", "new_", "not_held", "asked", "scopes_differ", "clauses_not_held"),
    "gates": ("gate",),
    "norms": ("norms_",),
}  # fmt: skip
"""Evidence by how the names of its numbers begin; what is in none of these is alignment."""


def kind_of(name: str) -> str:
    return next((kind for kind, starts in _KINDS.items() if name.startswith(starts)), "alignment")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cache", type=Path)
    parser.add_argument("judge")
    options = parser.parse_args()
    data: list[Row] = pickle.loads((options.cache / f"{options.judge}.pkl").read_bytes())
    lines = json.loads((options.cache / LINES).read_text(encoding="utf-8"))
    every = names_of(data, lambda name: False)
    plain = [name for name in every if name != _LIKELY]
    _tell("everything", data, every, lines)
    _tell("everything but the likelihood by what is cheap", data, plain, lines)
    for kind in (*_KINDS, "alignment"):
        _tell(f"without {kind}", data, [name for name in plain if kind_of(name) != kind], lines)


def _tell(what: str, data: Sequence[Row], names: list[str], lines: Mapping[str, int]) -> None:
    learnt = learn(data, names)
    _, alone = threshold(data, learnt.left_out, RIGHT, alone=False)
    _, beside = threshold(data, with_rivals(learnt, data, lines).left_out, RIGHT, alone=False)
    print(f"{what}: {beside}; without rivals {alone}", flush=True)


if __name__ == "__main__":
    main()
