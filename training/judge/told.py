"""Pairs within the labelled mini-stories: what a finding joins, and everything else that is quiet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from app.detection.judge_input import Said
from training.judge.rows import OWN, QUIET, Pair, lines, side

LEARNT = ("s1", "s2", "s3")
"""The other files given stay for measuring the detective."""


def story_pairs(train: Path) -> Iterator[Pair]:
    given = (train / "norms" / f"{name}.jsonl" for name in LEARNT)
    for path in (*given, *sorted((OWN / "stories").glob("*.jsonl"))):
        for row in lines(path):
            yield from _of(row)


def _of(row: Mapping[str, Any]) -> Iterator[Pair]:
    facts = sorted(row["facts"], key=lambda fact: fact["date"])
    said = {fact["id"]: side(fact) for fact in facts}
    place = {fact["id"]: n for n, fact in enumerate(facts)}
    joined: set[frozenset[str]] = set()
    for finding in row["findings"]:
        ids = sorted(finding["ids"], key=place.__getitem__)
        joined |= {frozenset(two) for two in combinations(ids, 2)}
        yield from _found(finding["kind"], [said[id] for id in ids])
    for a, b in combinations([fact["id"] for fact in facts], 2):
        if frozenset((a, b)) not in joined:
            yield Pair(said[a], said[b], QUIET)


def _found(kind: str, told: Sequence[Said]) -> Iterator[Pair]:
    first, last = told[0], told[-1]
    if kind == "reversal":
        yield Pair(first, told[1], "settled", "turn")
        yield Pair(told[-2], last, "conflict", "return")
        if len(told) == 3:
            yield Pair(first, last, "compatible", "return")
    elif kind == "stale":
        yield from (Pair(first, later, "outdated", "stale") for later in told[1:])
    elif len(told) == 2:
        yield Pair(first, last, "conflict", "disagreement")
