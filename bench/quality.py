"""Detection on labelled vaults: what is found and what is false, and where the missed ones were lost.

    python -m bench.quality VAULT... [--models rules|embedded] [--verbose]

Each vault has notes/ and gold.yaml. A missed conflict was lost where none of its lines was read, where no two
of them met, where the judge was not asked about them, or where the evidence was not enough.
"""

from __future__ import annotations

import argparse
from collections import Counter
from itertools import combinations
from pathlib import Path

from app.cli.readers import models
from app.detection.pairs import PairReader
from app.pipeline.index_vault import Pipeline
from app.pipeline.stage_list import Models
from app.reading.reader import ClaimReader
from app.store.store import Store
from app.vault.settings import vault_settings
from app.words import Claim
from bench.scoring import Gold, Score, gold_of, score, touched


def claims_of(vault: Path) -> dict[str, Claim]:
    with Store.open(":memory:") as store:
        Pipeline(vault, store, vault_settings(vault)).run()
        return {c.id: c for c in store.claims.active()}


def lost(gold: Gold, missed: set[str], claims: dict[str, Claim]) -> Counter[str]:
    """Where each missed conflict was lost, without the judge."""
    pairs = PairReader(ClaimReader())
    pairs.follow(claims)
    met = pairs.met()
    out: Counter[str] = Counter()
    for id in missed:
        members = [c.id for c in claims.values() if touched(gold.conflicts[id], c)]
        read = [one for one in members if pairs.comparable(one)]
        if len(read) < 2:
            out["not read"] += 1
        elif not any(frozenset(two) in met for two in combinations(read, 2)):
            out["not met by words"] += 1
        else:
            out["evidence not enough"] += 1
    return out


def measured(vault: Path, named: str) -> tuple[Score, dict[str, Claim]]:
    with models(named) as host, Store.open(":memory:") as store:
        Pipeline(vault, store, vault_settings(vault), models=Models.of(host, store)).run()
        claims = {c.id: c for c in store.claims.active()}
        found = [conflict.members for conflict in store.conflicts.open()]
    return score(gold_of(vault), found, claims), claims


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("vaults", type=Path, nargs="+")
    parser.add_argument("--models", default="embedded")
    parser.add_argument("--verbose", action="store_true", help="print every false alarm")
    options = parser.parse_args()
    places: Counter[str] = Counter()
    for vault in options.vaults:
        made, claims = measured(vault, options.models)
        where = lost(gold_of(vault), made.missed, claims)
        places += where
        print(f"{vault.name:14} {made.line()}  lost: {dict(where)}", flush=True)
        for false in made.false if options.verbose else ():
            print("   false:", " || ".join(claims[id].statement.text for id in false))
    print("lost in all:", dict(places))


if __name__ == "__main__":
    main()
