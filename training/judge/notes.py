"""Stage two: notes. Everyday and hard pairs, stories, and pairs of whole vaults.

    python -m training.judge.notes TRAIN_FOLDER BASE FOUNDATION OUT --cache FOLDER [--seconds N]

FOUNDATION is what `training.judge.foundation` made of BASE. The vaults named in `KEPT_FOR_DECIDING` stay out:
on them the decision is learnt, which has to see a judge that does not know them.
"""

from __future__ import annotations

import argparse
import pickle
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from app.detection.decide import learnt
from app.detection.judge_input import said
from app.detection.judge_stage import ASKED
from app.detection.pairs import age
from training.decision.dataset import Row, kept_rows
from training.judge.examples import (
    HELD_OUT,
    Example,
    broad,
    everyday_files,
    hard_files,
    pairs_of,
    prose_files,
    stories,
    with_other_values,
    written_examples,
)
from training.judge.fit import fit, with_twins
from training.judge.measure import measure
from training.judge.mine import gold_pairs
from training.judge.model import load
from training.judge.quiet_pairs import alarming
from training.judge.rows import SILENT, Pair, after_chatter
from training.labelled import Labelled, labelled, roots

KEPT_FOR_DECIDING = frozenset(
    {
        *(
            "teacher",
            "dataplatform",
            "hutwarden",
            "landlord",
            "nightnurse",
            "supportlead",
            "surveyor",
            "touring",
        ),
        *("bikeshop", "carer", "choir", "dairy", "glider", "joiner", "lisbon", "optician", "potter"),
        *("radiographer", "railway", "weddings", "cinema", "foodtruck", "genealogy", "guesthouse"),
        *("homestead", "kennel", "newsroom", "nursery", "physio", "printshop", "rescue", "salon"),
        *("allotment", "lectern", "manual", "workbench", "copier", "fastify", "npm", "pino", "prefect"),
    }
)
_MEASURED = 500
"""Held-out pairs that are looked at on the way."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("train", type=Path)
    parser.add_argument("base", type=Path)
    parser.add_argument("foundation", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--cache", type=Path, required=True, help="keeps parses and vectors between runs")
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--quiet-of-a-vault", type=int, default=800)
    parser.add_argument("--hard", type=int, default=12_000)
    parser.add_argument("--times", type=int, default=3, help="how often everyday pairs come")
    parser.add_argument("--gold-times", type=int, default=3, help="how often the gold pairs of vaults come")
    parser.add_argument("--broad", type=int, default=200, help="rows of each published set")
    parser.add_argument("--story-quiet", type=int, default=2_500, help="quiet pairs of stories")
    parser.add_argument("--prose-times", type=int, default=3, help="how often pairs in long sentences come")
    parser.add_argument("--everyday", type=int, default=None, help="so many everyday pairs (default: all)")
    parser.add_argument("--quiet", type=Path, help="vaults of training.quiet")
    parser.add_argument("--quiet-most", type=int, default=5_000, help="pairs of each that a judge reads")
    parser.add_argument("--quiet-alarming", type=int, default=5_000, help="of those, the most alarming")
    parser.add_argument("--quiet-others", type=int, default=2_500, help="and so many of the others")
    parser.add_argument("--read-before", type=Path, help="rows with the word of the judge before")
    parser.add_argument("--seed", type=int, default=11)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    everyday = everyday_files(options.train)
    easy = _sampled(pairs_of(everyday, HELD_OUT), options.everyday, rng)
    prose = pairs_of(prose_files())
    hard = pairs_of(hard_files(options.train)) + gold_pairs()
    told, quiet = stories(options.train)
    vaults = [labelled(root) for root in roots(options.train) if root.name not in KEPT_FOR_DECIDING]
    chatter = [c.statement.before for v in vaults for c in v.claims.values() if c.statement.before]
    examples: list[Example] = []
    for turn in range(options.times):
        examples += written_examples((after_chatter(pair, chatter, rng) for pair in easy), rng, turn)
    for turn in range(options.prose_times):
        examples += written_examples(prose, rng, turn)
    examples += written_examples(rng.sample(hard, min(options.hard, len(hard))), rng)
    examples += written_examples(told + rng.sample(quiet, options.story_quiet), rng)
    if options.quiet:
        examples += written_examples(_quiet(options, rng), rng)
    met = kept_rows({vault.name: vault for vault in vaults}, options.cache)
    alarms = _alarms(options.read_before)
    for vault in vaults:
        shown, silent, near = vault_pairs(vault, met[vault.name], alarms)
        for turn in range(options.gold_times):
            examples += written_examples(shown + silent, rng, turn)
        examples += written_examples(_drawn(near, options.quiet_of_a_vault, rng), rng)
    examples += with_other_values([s for p in easy for s in (p.a, p.b)], 1_500, rng)
    examples += broad(options.train, options.broad, rng)
    examples = with_twins(examples, rng)
    print(f"{len(examples)} examples of {len(vaults)} vaults and {len(easy)} everyday pairs", flush=True)
    tokenizer, model = load(options.base, options.foundation)
    held = rng.sample(pairs_of([path for path in everyday if path.stem in HELD_OUT]), _MEASURED)

    def told_how(mean: Any) -> None:
        print(f"held out: {measure(tokenizer, mean, held)}", flush=True)

    fit(
        tokenizer,
        model,
        examples,
        options.out,
        rate=options.rate,
        seconds=options.seconds,
        measure=told_how,
        measure_every=500,
    )


def _sampled(pairs: list[Pair], wanted: int | None, rng: random.Random) -> list[Pair]:
    """About so many of them, twins together."""
    if wanted is None:
        return pairs
    groups = sorted({pair.group for pair in pairs})
    rng.shuffle(groups)
    chosen = set(groups[: len(groups) * wanted // len(pairs)])
    return [pair for pair in pairs if pair.group in chosen]


def _quiet(options: argparse.Namespace, rng: random.Random) -> list[Pair]:
    """What the judge that ships is most alarmed at in quiet vaults, and some of what it is not."""
    found = [
        labelled(path.parent)
        for path in sorted(options.quiet.glob("*/notes"))
        if path.parent.name not in KEPT_FOR_DECIDING
    ]
    vaults = {vault.name: vault for vault in found}
    rows = kept_rows(vaults, options.cache)
    read = sorted(alarming(vaults, rows, options.quiet_most, options.cache), key=lambda one: -one[0])
    rest = read[options.quiet_alarming :]
    chosen = read[: options.quiet_alarming] + rng.sample(rest, min(options.quiet_others, len(rest)))
    return [_pair(vaults[name], both, SILENT) for _, name, both in chosen]


def _alarms(read: Path | None) -> dict[frozenset[str], float]:
    """How alarmed the judge before was, by the rows that `training.decision.learn` kept of it."""
    rows: list[Row] = pickle.loads(read.read_bytes()) if read else []
    return {frozenset(row.pair): row.numbers["judge_alarm"] for row in rows}


def vault_pairs(
    vault: Labelled, met: Sequence[Row], alarms: Mapping[frozenset[str], float]
) -> tuple[list[Pair], list[Pair], list[tuple[float, Pair]]]:
    """The pairs that must be shown, the look-alikes, and of those that are neither the ones that the judge
    will be asked about: likely enough by what is cheap to tell, each with how likely, or with how alarmed
    the judge before was."""
    kinds = {id: conflict["kind"] for id, conflict in vault.conflicts.items()}
    shown = [
        _pair(vault, both, "outdated" if kinds[conflict] == "stale" else "conflict")
        for both, conflict in vault.gold.items()
    ]
    alike = [_pair(vault, both, SILENT) for both in sorted(vault.alike, key=sorted)]
    likely = learnt().near.probabilities([row.numbers for row in met])
    asked = {frozenset(row.pair): float(p) for row, p in zip(met, likely, strict=True) if p >= ASKED}
    known = vault.gold.keys() | vault.alike | vault.related
    near = [
        (max(asked[both], alarms.get(both, 0.0)), _pair(vault, both, SILENT))
        for both in sorted(asked.keys() - known, key=sorted)
    ]
    return shown, alike, near


def _drawn(near: Sequence[tuple[float, Pair]], wanted: int, rng: random.Random) -> list[Pair]:
    """So many, the likelier ones more often: those are the ones a judge has to refuse."""
    keyed = sorted(near, key=lambda one: rng.random() ** (one[0] ** -0.5), reverse=True)
    return [pair for _, pair in keyed[:wanted]]


def _pair(vault: Labelled, both: frozenset[str], label: str) -> Pair:
    a, b = sorted((vault.claims[id] for id in both), key=age)
    return Pair(said(a), said(b), label)


if __name__ == "__main__":
    main()
