"""Norms of statements the rules are not sure of: rules, the language model untuned, and tuned."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from app.models import files
from app.models.host import ModelHost
from app.models.normalizer import Normalizer
from app.models.requests import Failed
from app.models.setup import Setup
from app.reading.norm_prompt import unsure
from app.reading.norm_rules import normalize
from app.reading.subjects import subject_bag
from app.words import Norm
from training.normalizer.rows import HELD_OUT, Row, rows

Reader = Callable[[Row], tuple[Norm, ...]]


@dataclass
class Score:
    """One-to-one between gold norms and those read, the best partner first."""

    counts: Counter[str] = field(default_factory=Counter)
    right: list[bool] = field(default_factory=list)
    """Statement by statement: all norms have standing, modality and value of the gold ones, and no others."""

    def add(self, gold: Sequence[Norm], read: Sequence[Norm]) -> None:
        self.right.append(Counter(map(_core, gold)) == Counter(map(_core, read)))
        self.counts["statements"] += 1
        self.counts["gold"] += len(gold)
        self.counts["read"] += len(read)
        for a, b in _partners(gold, read):
            self.counts["standing"] += a.standing == b.standing
            self.counts["modality"] += a.modality == b.modality
            self.counts["value"] += _value(a) == _value(b)
            self.counts["core"] += _core(a) == _core(b)
            self.counts["subject"] += _alike(a, b) >= 0.5
            self.counts["same subject"] += _alike(a, b) == 1

    def line(self, name: str, seconds: float) -> str:
        c = self.counts
        of = max(c["gold"], 1)
        f1 = 2 * c["core"] / max(c["gold"] + c["read"], 1)
        shares = " | ".join(
            f"{c[key] / of:.1%}"
            for key in ("standing", "modality", "value", "core", "subject", "same subject")
        )
        exact = sum(self.right) / max(len(self.right), 1)
        return f"| {name} | {exact:.1%} | {f1:.3f} | {shares} | {seconds / max(len(self.right), 1):.2f} s |"


def _core(norm: Norm) -> tuple[str, str, str]:
    return norm.standing, norm.modality, _value(norm)


def _value(norm: Norm) -> str:
    return " ".join((norm.value or "").casefold().split()).strip(" .")


def _alike(a: Norm, b: Norm) -> float:
    """Shared stems over all stems."""
    x, y = subject_bag(a.subject), subject_bag(b.subject)
    return len(x & y) / len(x | y) if x | y else 0.0


def _partners(gold: Sequence[Norm], read: Sequence[Norm]) -> Iterable[tuple[Norm, Norm]]:
    near = sorted(
        ((_core(a) == _core(b), _value(a) == _value(b), _alike(a, b), -i, -j) for i, a in enumerate(gold)
         for j, b in enumerate(read)), reverse=True,
    )  # fmt: skip
    taken: set[tuple[str, int]] = set()
    for *_, i, j in near:
        if not {("gold", i), ("read", j)} & taken:
            taken |= {("gold", i), ("read", j)}
            yield gold[-i], read[-j]


def rules(row: Row) -> tuple[Norm, ...]:
    return normalize(row.statement, row.note)


def model(host: ModelHost) -> Reader:
    """As it is used: where its answer is of no use, the rules' norms stand."""
    normalizer = Normalizer(host)

    def read(row: Row) -> tuple[Norm, ...]:
        answer = normalizer.read(row.statement, row.note.title, row.note.project)
        if isinstance(answer, Failed):
            raise SystemExit(f"the model failed: {answer.reason}")
        return rules(row) if answer is None else answer

    return read


def measure(name: str, reader: Reader, chosen: Sequence[Row]) -> Score:
    score, began = Score(), time.monotonic()
    for row in chosen:
        score.add(row.norms, reader(row))
    print(score.line(name, time.monotonic() - began), flush=True)
    return score


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("train", type=Path, help="folder with norms/n*.jsonl")
    parser.add_argument("--file", default=HELD_OUT)
    parser.add_argument("--adapter", help="another adapter than the one that ships")
    parser.add_argument("--model", help="a GGUF file of your own, asked with examples")
    parser.add_argument("--only", choices=("rules", "untuned", "tuned"), action="append")
    parser.add_argument("--first", type=int, help="only so many statements")
    parser.add_argument("--threads", type=int, default=0)
    options = parser.parse_args()
    wanted = options.only or ["rules", "untuned", "tuned"]
    held = [row for row in rows(options.train / "norms" / f"{options.file}.jsonl") if unsure(rules(row))]
    held = held[: options.first]
    print(f"{len(held)} statements of {options.file} the rules are not sure of")
    print("| read by | all exact | F1 | standing | modality | value | all three | subject | same | each |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    scores = {}
    if "rules" in wanted:
        scores["rules"] = measure("rules", rules, held)
    if "untuned" in wanted:
        path = options.model or str(files.default_llama())
        with ModelHost(Setup(llama=path, threads=options.threads)) as host:
            scores["untuned"] = measure(Path(path).stem, model(host), held)
    if "tuned" in wanted:
        with ModelHost(Setup(lora=options.adapter, threads=options.threads)) as host:
            scores["tuned"] = measure("tuned", model(host), held)
    if {"rules", "tuned"} <= scores.keys():
        pairs = Counter(zip(scores["rules"].right, scores["tuned"].right, strict=True))
        print(
            f"right by the rules alone: {pairs[True, False]}, by the tuned model alone: {pairs[False, True]}"
        )


if __name__ == "__main__":
    main()
