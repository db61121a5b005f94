"""The judge in the wild: every near pair of whole labelled vaults.

    python -m bench.near VAULT...   (each with notes/ and gold.yaml)

Of all pairs of a statement and its ten nearest, and of those nearest to each other among what measures the
same: how many raise an alarm, and how many golds stand among the highest. Then the same of what the alarm is
worth in a vault (`chance`, calibrated on whole vaults), and of what the gates leave.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from app.detective import both_ways
from app.detective.reader import ThreadReader, tuned
from app.guard.judged import (
    closed,
    settled_by_structure,
    worth_asking,
    worth_judging,
)
from app.guard.worth import Opinions, chance
from app.guard.written import said
from app.index.judging import NEAR, age, ranks_of
from app.index.measured import Measured
from app.index.pipeline import Pipeline
from app.models.cache import vectors
from app.models.host import ModelHost
from app.models.neighbours import Neighbours
from app.models.setup import Setup
from app.models.words import Failed
from app.store.store import Store
from app.vault.settings import vault_settings
from app.words import Claim
from bench.scoring import Place, both_sides, gold_of


class Judged(NamedTuple):
    a: Claim
    b: Claim
    opinions: Opinions
    gold: str | None
    trap: str | None

    @property
    def alarm(self) -> float:
        return self.opinions.alarm

    @property
    def worth(self) -> float:
        sure = chance(self.alarm, self.opinions.ranks, self.a.statement.path == self.b.statement.path)
        return max(sure, self.opinions.agreed)


def claims_of(vault: Path) -> dict[str, Claim]:
    with Store.open(":memory:") as store:
        Pipeline(vault, store, vault_settings(vault)).run()
        return {c.id: c for c in store.claims(status="active")}


def judged(vault: Path, host: ModelHost, near: int = NEAR) -> list[Judged]:
    """Every near pair of a vault, with what the judge says and which gold or look-alike it is."""
    gold = gold_of(vault)
    claims = {id: c for id, c in claims_of(vault).items() if worth_judging(c)}
    with Store.open(":memory:") as store:
        made = vectors({c.statement.content_hash: c.statement.text for c in claims.values()}, host, store)
    held = Neighbours(made.width)
    held.add_many((id, made.by_hash[c.statement.content_hash]) for id, c in claims.items())
    measured = Measured()
    for claim in claims.values():
        measured.add(claim)
    of_a_kind = measured.nearest(sorted(claims), held)
    around = held.nearest_of(sorted(claims), near)
    met = {frozenset((id, one.id)) for id in around for one in around[id]} | of_a_kind
    pairs: list[tuple[Claim, Claim]] = []
    for both in sorted(met, key=sorted):
        a, b = sorted((claims[id] for id in both), key=age)
        pairs.append((a, b))
    answer = both_ways.judged(host, pairs)
    if isinstance(answer, Failed):
        raise SystemExit(answer.reason)
    ranks = ranks_of(held, [(a.id, b.id) for a, b in pairs])
    second = ThreadReader(host) if tuned(host.setup) else None
    out = []
    for (a, b), odds in zip(pairs, answer, strict=True):
        opinions = Opinions(odds or (0.0,) * 5, ranks[a.id, b.id])
        asked = frozenset((a.id, b.id)) in of_a_kind and worth_asking(a, b, opinions.alarm)
        if second is not None and asked:
            unsure = second.odds([said(a), said(b)])
            opinions = opinions._replace(unsure=None if isinstance(unsure, Failed) else unsure)
        which = (_named(a, b, golds) for golds in (gold.conflicts, gold.traps))
        out.append(Judged(a, b, opinions, *which))
    return out


def _named(a: Claim, b: Claim, golds: Mapping[str, frozenset[Place]]) -> str | None:
    return next((id for id, where in golds.items() if both_sides(where, a, b)), None)


def line(
    name: str, pairs: Sequence[Judged], total: int, sure: Callable[[Judged], float] = lambda p: p.alarm
) -> str:
    ranked = sorted(pairs, key=sure, reverse=True)
    raised = sum(sure(p) >= 0.5 for p in pairs)
    top = {n: len({p.gold for p in ranked[:n] if p.gold}) for n in (25, 100)}
    there = len({p.gold for p in pairs if p.gold})
    return (
        f"{name:24} {len(pairs):6} pairs  ≥ 0.5: {raised:4} ({raised / max(1, len(pairs)):.1%})"
        f"  golds within: {there}/{total}, in the top 25: {top[25]}, top 100: {top[100]}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("vaults", type=Path, nargs="+")
    parser.add_argument("--judge", help="a folder with another judge than the one that ships")
    options = parser.parse_args()
    with ModelHost(Setup(judge=options.judge, nice=0)) as host:
        for vault in options.vaults:
            total = len(gold_of(vault).conflicts)
            pairs = judged(vault, host)
            print(line(vault.name, pairs, total))
            print(line("  calibrated", pairs, total, lambda p: p.worth))
            kept = [p for p in pairs if closed(p.a, p.b) is None and not settled_by_structure(p.a, p.b)]
            print(line("  after the gates", kept, total))
            print(line("  both", kept, total, lambda p: p.worth), flush=True)


if __name__ == "__main__":
    main()
