"""Detection on labelled vaults, taken apart: every stage and gate switched off in turn, and where the missed
ones were lost.

    python -m bench.quality VAULT... [--rules]

Each vault has notes/ and gold.yaml.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from app.detective import arcs
from app.guard import find, gates, judged
from app.guard.candidates import ClaimIndex
from app.guard.contrast import contrast
from app.index.assemble import assemble
from app.models.host import ModelHost
from app.models.setup import Setup
from app.words import Claim, Finding
from bench.near import Judged, claims_of
from bench.near import judged as judge_all
from bench.scoring import Gold, Score, both_sides, gold_of, score, touched


class Vault:
    """One vault, read and judged once; the deciding is done again for every setting."""

    def __init__(self, folder: Path, host: ModelHost | None) -> None:
        self.name, self.gold = folder.name, gold_of(folder)
        self.claims = claims_of(folder)
        self.index = ClaimIndex(self.claims.values())
        self.pairs: list[Judged] = judge_all(folder, host) if host else []

    def findings(self, *, rules: bool = True, arc: bool = True, judge: bool = True) -> list[Finding]:
        made = find.findings(self.index) if rules else []
        made += arcs.findings(self.index) if arc else []
        have = {f.members for f in made}
        by_judge = (judged.finding(p.a, p.b, p.opinions) for p in self.pairs) if judge else ()
        return made + [f for f in by_judge if f and f.members not in have]

    def score(self, findings: Sequence[Finding]) -> Score:
        conflicts = assemble(findings, self.index.claims)
        return score(self.gold, (c.members for c in conflicts), self.claims)


@contextmanager
def without(gate: str) -> Iterator[None]:
    held = gates.GATES.pop(gate)
    try:
        yield
    finally:
        gates.GATES[gate] = held


@contextmanager
def believed_anyway() -> Iterator[None]:
    """The judge counts also where two statements do not visibly differ."""
    held = dict(judged.SHOWN)
    judged.SHOWN |= {"none": 0.5, "same value": 0.5}
    try:
        yield
    finally:
        judged.SHOWN.clear()
        judged.SHOWN |= held


def lost(vault: Vault, missed: set[str]) -> Counter[str]:
    """Where each missed gold fell out of the flow."""
    return Counter(_lost(vault, id) for id in missed)


def _lost(vault: Vault, id: str) -> str:
    where = vault.gold.conflicts[id]
    here = [c for c in vault.claims.values() if touched(where, c)]
    pairs = [(a, b) for n, a in enumerate(here) for b in here[n + 1 :] if both_sides(where, a, b)]
    if not pairs:
        return "not extracted"
    near = [p for p in vault.pairs if both_sides(where, p.a, p.b)]
    if not near:
        return "not worth judging" if not any(_worth(a, b) for a, b in pairs) else "not retrieved"
    differ = [contrast(judged.spoken(p.a), judged.spoken(p.b)) for p in near]
    if not judged.SHOWN.keys() & set(differ):
        return "no value or denial"
    if all(p.worth < min(judged.SHOWN.values()) for p in near):
        return "judged wrong"
    return "gated away"


def _worth(a: Claim, b: Claim) -> bool:
    return judged.worth_judging(a) and judged.worth_judging(b)


def report(vault: Vault) -> None:
    print(f"\n{vault.name}: {len(vault.gold.conflicts)} golds, {len(vault.claims)} claims")
    whole = vault.score(vault.findings())
    print(f"  {'all stages':28} {whole.line()}")
    print(f"  {'':28} by kind: {_kinds(vault.gold, whole)}")
    for name, off in (("rules", {"rules": False}), ("arcs", {"arc": False}), ("judge", {"judge": False})):
        print(f"  without {name:20} {vault.score(vault.findings(**off)).line()}")
    if vault.pairs:
        with believed_anyway():
            print(f"  {'without asking what differs':28} {vault.score(vault.findings()).line()}")
        near = vault.pairs
        for what, changed in (
            ("asking how near", {"ranks": (0, 0)}),
            ("a second reader", {"unsure": None}),
        ):
            vault.pairs = [p._replace(opinions=p.opinions._replace(**changed)) for p in near]
            print(f"  {'without ' + what:28} {vault.score(vault.findings()).line()}")
        vault.pairs = near
    for gate in list(gates.GATES):
        with without(gate):
            made = vault.score(vault.findings())
        if (made.found, made.false) != (whole.found, whole.false):
            print(f"  without gate {gate:15} {made.line()}")
    for where, count in sorted(lost(vault, whole.missed).items()):
        print(f"  lost: {where:22} {count}")


def _kinds(gold: Gold, made: Score) -> str:
    total, found = Counter(gold.kinds.values()), Counter(gold.kinds[id] for id in made.found)
    return ", ".join(f"{kind} {found[kind]}/{count}" for kind, count in sorted(total.items()))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("vaults", type=Path, nargs="+")
    parser.add_argument("--judge", help="a folder with another judge than the one that ships")
    parser.add_argument("--rules", action="store_true", help="the rules alone")
    options = parser.parse_args()
    with ModelHost(Setup(judge=options.judge, nice=0)) as host:
        for folder in options.vaults:
            report(Vault(folder, None if options.rules else host))


if __name__ == "__main__":
    main()
