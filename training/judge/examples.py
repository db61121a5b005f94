"""What the judge learns from, as one kind of row: two written texts and the labels that would be right.

Published NLI has other labels than ours. A contradiction there is a conflict here, an entailment is
compatible, and a neutral pair may be either of the quiet ones: the loss leaves open which.
"""

from __future__ import annotations

import gzip
import json
import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from app.detection.judge_input import Said, written
from training.judge.augment import plain_pairs, turned
from training.judge.rows import LABELS, OWN, QUIET, SILENT, Pair, authored, dropped, retitled
from training.judge.told import story_pairs

HELD_OUT = ("everyday-e7", "museum")
"""Files of pairs that the judge never learns from: the decision does."""
_PLACE = {label: n for n, label in enumerate(LABELS)}
_QUIET_LABELS = frozenset({_PLACE["compatible"], _PLACE["unrelated"]})
_MEANS = {label: frozenset({n}) for label, n in _PLACE.items()} | {
    QUIET: _QUIET_LABELS,
    SILENT: _QUIET_LABELS | {_PLACE["settled"]},
}
_NLI_MEANS = {
    "contradiction": _MEANS["conflict"],
    "entailment": _MEANS["compatible"],
    "neutral": _QUIET_LABELS,
}


class Example(NamedTuple):
    a: str
    b: str
    right: frozenset[int]
    group: str = ""
    """Rows of one group stand in one batch."""


def broad(train: Path, most_of_one_set: int, rng: random.Random) -> list[Example]:
    """The published mix, no set more often than that."""
    by_set: defaultdict[str, list[Example]] = defaultdict(list)
    with gzip.open(train / "public" / "broad" / "pairs.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            if len(row["a"]) + len(row["b"]) <= _LONGEST_BROAD:
                by_set[row["set"]].append(Example(row["a"], row["b"], _NLI_MEANS[row["label"]]))
    chosen = [one for rows in by_set.values() for one in rng.sample(rows, min(len(rows), most_of_one_set))]
    rng.shuffle(chosen)
    return chosen


_LONGEST_BROAD = 360
"""Characters of both sides: notes are short, and a long row costs as much as three."""


def everyday_files(train: Path) -> list[Path]:
    return [*sorted((train / "pairs").glob("everyday-*.jsonl")), *sorted((OWN / "everyday").glob("*.jsonl"))]


def prose_files() -> list[Path]:
    """Pairs in the long sentences of manuals, essays and journals."""
    return sorted((OWN / "prose").glob("*.jsonl"))


def hard_files(train: Path) -> list[Path]:
    return [*sorted((train / "pairs").glob("p*.jsonl")), *sorted((OWN / "pairs").glob("*.jsonl"))]


def pairs_of(files: Iterable[Path], held_out: Sequence[str] = ()) -> list[Pair]:
    return [pair for path in files if path.stem not in held_out for pair in authored(path)]


def stories(train: Path) -> tuple[list[Pair], list[Pair]]:
    """What findings join, and pairs of one story that are quiet."""
    told = list(story_pairs(train))
    return [p for p in told if p.label != QUIET], [p for p in told if p.label == QUIET]


def written_examples(pairs: Iterable[Pair], rng: random.Random, turn: int = 0) -> Iterator[Example]:
    """Turned round where order says nothing, and with titles, headings and dates left out at random. Of a
    pair that comes several times each `turn` is a group of its own."""
    for pair in pairs:
        shown = dropped(retitled(turned(pair, rng), rng), rng)
        yield Example(*written(shown.a, shown.b), _MEANS[pair.label], pair.group and f"{pair.group}#{turn}")


def with_other_values(sides: Sequence[Said], wanted: int, rng: random.Random) -> Iterator[Example]:
    return written_examples(plain_pairs(sides, rng, wanted), rng)
