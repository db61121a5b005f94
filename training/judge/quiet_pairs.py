"""Pairs of quiet vaults, those first that a judge takes for conflicts: what it has to learn to refuse."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from pathlib import Path

from app.detection.decide import learnt
from app.detection.judge import Opinions, judged
from app.detection.pairs import age
from app.models.host import ModelHost
from app.models.setup import Setup
from training.decision.dataset import Row
from training.labelled import Labelled

_AT_ONCE = 512


def alarming(
    vaults: Mapping[str, Labelled], rows: Mapping[str, Sequence[Row]], most: int, cache: Path
) -> list[tuple[float, str, frozenset[str]]]:
    """The likeliest pairs of each vault by what is cheap, with the alarm of the judge that ships; kept on
    disk."""
    kept = cache / "quiet-alarms.pkl"
    if kept.exists():
        known: list[tuple[float, str, frozenset[str]]] = pickle.loads(kept.read_bytes())
        return known
    chosen: list[tuple[str, frozenset[str]]] = []
    for name in vaults:
        likely = learnt().near.probabilities([row.numbers for row in rows[name]])
        order = sorted(range(len(likely)), key=lambda n: -likely[n])[:most]
        chosen += [(name, frozenset(rows[name][n].pair)) for n in order]
    pairs = [tuple(sorted((vaults[name].claims[id] for id in both), key=age)) for name, both in chosen]
    by_length = sorted(range(len(pairs)), key=lambda n: sum(len(c.statement.text) for c in pairs[n]))
    out = []
    with ModelHost(Setup()) as host:
        for start in range(0, len(by_length), _AT_ONCE):
            some = by_length[start : start + _AT_ONCE]
            answer = judged(host, [pairs[n] for n in some])
            assert isinstance(answer, Opinions), answer
            for n, opinion in zip(some, answer.of_pairs, strict=True):
                if opinion is not None:
                    out.append((opinion.alarm, *chosen[n]))
            print(f"{start + len(some)} of {len(pairs)} quiet pairs judged", flush=True)
    kept.write_bytes(pickle.dumps(out))
    return out
