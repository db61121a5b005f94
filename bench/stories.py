"""Precision and recall of findings over small labelled stories (norms/s*.jsonl of a folder).

    python -m bench.stories FOLDER [--models rules|embedded] [--own FILE.gguf] [--only s4,s5] [--errors s1,s2]

A line of a file is a story: facts (id, date, note, text), oldest first, and the findings a careful reader
would raise (kind, ids, question), or none. The facts become claims through the reader and rules of Belie,
guard and detective run over each story by itself, and their findings are assembled into conflicts as they
would be shown. `--models embedded` also puts every pair within a story before the judge, and every story as
one thread before the judge and the language model together. With `--own FILE.gguf` a language model of that
file reads the threads instead, as far as its exam lets it.

A conflict counts as right when at least two of its members belong to one labelled finding, and at least half
of its members do; a second report of the same finding is a duplicate and counts as wrong. Precision is the
share of conflicts that are right, recall the share of labelled findings for which one is. The kind need not
agree; how often it does is shown beside.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from app.cli.statements import read_claims
from app.conflicts.assemble import assemble
from app.detection import norm_findings
from app.detection.claim_index import ClaimIndex
from app.detection.finding import finding
from app.detection.judge import judged
from app.detection.judge_stage import places_of
from app.detection.pairs import FARTHEST, PairReader, age, nearer
from app.detective import arcs
from app.detective.merge import beside
from app.detective.reader import never
from app.detective.thread_stage import ThreadStage
from app.models.host import ModelHost
from app.models.neighbours import Neighbours
from app.models.requests import Failed
from app.models.setup import Setup
from app.reading.reader import ClaimReader
from app.store.store import Store
from app.words import Claim, Conflict, Finding

KINDS = ("reversal", "stale", "disagreement")
_APART = 10
"""Facts of one note stand this many lines apart: they are no list."""


class Gold(NamedTuple):
    kind: str
    ids: frozenset[str]
    question: str


@dataclass(frozen=True, slots=True)
class Story:
    claims: tuple[Claim, ...]
    golds: tuple[Gold, ...]


@dataclass(slots=True)
class Score:
    """Counts over some stories."""

    shown: int = 0
    right: int = 0
    golds: int = 0
    found: int = 0
    same_kind: int = 0
    by_kind: dict[str, list[int]] = field(default_factory=lambda: {kind: [0, 0] for kind in KINDS})

    def __add__(self, other: Score) -> Score:
        kinds = {k: [self.by_kind[k][n] + other.by_kind[k][n] for n in (0, 1)] for k in KINDS}
        return Score(
            self.shown + other.shown,
            self.right + other.right,
            self.golds + other.golds,
            self.found + other.found,
            self.same_kind + other.same_kind,
            kinds,
        )

    def line(self, name: str) -> str:
        precision, recall = self.right / max(1, self.shown), self.found / max(1, self.golds)
        f1 = 2 * precision * recall / max(1e-9, precision + recall)
        kinds = "  ".join(f"{kind} {hit}/{total}" for kind, (hit, total) in self.by_kind.items())
        return (
            f"{name:16} precision {precision:.3f} ({self.right}/{self.shown})  recall {recall:.3f} "
            f"({self.found}/{self.golds})  F1 {f1:.3f}  same kind {self.same_kind}/{self.right}  | {kinds}"
        )


def claim(fact: dict[str, Any], place: int) -> Claim:
    """A fact as the claim it would be, dated by its own line."""
    path = f"{fact['note']}.md"
    read = read_claims(
        fact["text"], fact["id"], title=str(fact["note"]).rpartition("/")[2], date=fact["date"]
    )
    at = place * _APART + 1
    statement = replace(read.statement, path=path, line=at, end_line=at, date=fact["date"], dated_by="inline")
    return replace(read, statement=statement, first_seen=f"{fact['date']}T00:00:00+00:00")


def stories(file: Path) -> list[Story]:
    out = []
    for row in file.read_text(encoding="utf-8").splitlines():
        if row.strip():
            told = json.loads(row)
            golds = tuple(Gold(g["kind"], frozenset(g["ids"]), g["question"]) for g in told["findings"])
            out.append(Story(tuple(claim(f, n) for n, f in enumerate(told["facts"])), golds))
    return out


def by_judge(told: Sequence[Story], host: ModelHost) -> list[list[Finding]]:
    """What the evidence makes of every pair within each story, the judge's word included."""
    out: list[list[Finding]] = []
    for one in told:
        claims = {claim.id: claim for claim in one.claims}
        pairs = PairReader(ClaimReader())
        pairs.follow(claims)
        held = _placed(one, host)
        places = places_of(held, claims)
        met = pairs.met()
        meetings, asked = {}, []
        for a, b in combinations(sorted(one.claims, key=age), 2):
            x, y = held.vector(a.id), held.vector(b.id)
            if x is None or y is None:
                continue
            both = frozenset((a.id, b.id))
            near = places[a.id].get(b.id, FARTHEST), places[b.id].get(a.id, FARTHEST)
            meetings[both] = nearer(met.get(both), float(x @ y), *near)
            asked.append((a, b))
        answer = judged(host, asked)
        if isinstance(answer, Failed):
            raise SystemExit(answer.reason)
        odds = {
            frozenset((a.id, b.id)): said
            for (a, b), said in zip(asked, answer.of_pairs, strict=True)
            if said is not None
        }
        weighed = pairs.weigh({both: meetings[both] for both in odds}, (), odds, answer.judge)
        out.append([finding(one) for one in weighed if one.decision.shown])
    return out


def _placed(one: Story, host: ModelHost) -> Neighbours:
    """The facts of a story by how near they are."""
    made = host.embed([c.statement.text for c in one.claims])
    if isinstance(made, Failed):
        raise SystemExit(made.reason)
    held = Neighbours(made.width)
    held.add_many((c.id, row) for c, row in zip(one.claims, made.rows, strict=True) if row is not None)
    return held


def by_thread(told: Sequence[Story], host: ModelHost) -> list[Finding | None]:
    """What is made of each story as one thread, by those who would read it in a vault."""
    with TemporaryDirectory() as folder, Store.open(Path(folder) / "store.db") as store:
        detecting = ThreadStage(host, store)
        skill = detecting.skill(never)
        if isinstance(skill, Failed):
            raise SystemExit(skill.reason)
        if skill is None:
            print("the model fails its exam: it reads nothing")
            return [None for _ in told]
        return [detecting.found([c.id for c in one.claims], _by_id(one), skill) for one in told]


def _by_id(one: Story) -> dict[str, Claim]:
    return {claim.id: claim for claim in one.claims}


def conflicts(
    one: Story, by_judge: Iterable[Finding] = (), by_thread: Finding | None = None
) -> list[Conflict]:
    index = ClaimIndex(one.claims)
    by_rules = {f.members: f for f in [*norm_findings.findings(index), *arcs.findings(index)]}
    found = list(({f.members: f for f in by_judge} | by_rules).values())
    found += beside(found, [by_thread] if by_thread else [])
    return assemble(found, index.claims)


def right(shown: Conflict, gold: Gold) -> bool:
    hit = len(gold.ids & set(shown.members))
    return hit >= 2 and hit * 2 >= len(shown.members)


def score(one: Story, shown: Sequence[Conflict]) -> Score:
    out = Score(shown=len(shown), golds=len(one.golds))
    told: set[Gold] = set()
    for conflict in shown:
        fresh = [g for g in one.golds if right(conflict, g) and g not in told]
        out.right += bool(fresh)
        out.same_kind += any(g.kind == conflict.kind for g in fresh)
        told.update(fresh)
    for gold in one.golds:
        hit = any(right(conflict, gold) for conflict in shown)
        out.found += hit
        out.by_kind[gold.kind][0] += hit
        out.by_kind[gold.kind][1] += 1
    return out


def errors(name: str, number: int, one: Story, shown: Sequence[Conflict]) -> str:
    """A story that was not read as labelled: ! is a false alarm, - a miss."""
    false = [c for c in shown if not any(right(c, g) for g in one.golds)]
    missed = [g for g in one.golds if not any(right(c, g) for c in shown)]
    if not false and not missed:
        return ""
    lines = [f"{name} story {number}"]
    lines += [f"    {c.id:4} {c.statement.date} {c.note} | {c.statement.text}" for c in one.claims]
    lines += [f"  ! {c.kind} {' '.join(c.members)}: {c.reasons[0].detail}" for c in false]
    lines += [f"  - {g.kind} {' '.join(sorted(g.ids))}: {g.question}" for g in missed]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="has norms/s*.jsonl")
    parser.add_argument("--models", choices=("rules", "embedded"), default="rules")
    parser.add_argument("--judge", help="a folder with another judge than the one that ships")
    parser.add_argument("--own", help="a language model of one's own, a GGUF file")
    parser.add_argument("--only", default="", help="read only these files")
    parser.add_argument("--held-out", default="s4,s5", help="files that no rule was written on")
    parser.add_argument("--errors", default="", help="files whose wrong stories are printed")
    given = parser.parse_args()
    held_out, told_of = given.held_out.split(","), given.errors.split(",")
    files = sorted((given.folder / "norms").glob("s*.jsonl"))
    if not files:
        raise SystemExit(f"no norms/s*.jsonl in {given.folder}")
    sums = {"developed on": Score(), "held out": Score()}
    setup = Setup(judge=given.judge, llama=given.own, nice=0)
    host = ModelHost(setup) if given.models == "embedded" else None
    try:
        for file in files:
            if given.only and file.stem not in given.only.split(","):
                continue
            told = stories(file)
            judgements = by_judge(told, host) if host else [[] for _ in told]
            threads = by_thread(told, host) if host else [None for _ in told]
            total = Score()
            for number, (one, pairs, thread) in enumerate(zip(told, judgements, threads, strict=True)):
                shown = conflicts(one, pairs, thread)
                total += score(one, shown)
                if file.stem in told_of and (wrong := errors(file.stem, number, one, shown)):
                    print(wrong)
            sums["held out" if file.stem in held_out else "developed on"] += total
            print(total.line(file.stem), flush=True)
    finally:
        if host:
            host.close()
    for name, summed in sums.items():
        print(summed.line(name))


if __name__ == "__main__":
    main()
