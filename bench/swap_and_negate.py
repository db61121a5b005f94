"""What has to hold of any judge: two statements swapped are as alarming as before, a denied one is more so.

    python -m bench.swap_and_negate PAIRS.jsonl [--judge FOLDER] [--most N]

Swapped are the undated pairs of the file. Denied is one side of a pair that agrees for certain: a statement
of the file and the same statement in another note. The alarm is that of `belie judge`.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from app.cli.judge import judge_pairs
from app.cli.statements import read_claims
from app.detection.judge_input import Said
from app.models.host import ModelHost
from app.models.setup import Setup
from app.reading.parser import Parse, Token, parse
from app.words import Claim
from training.judge.rows import authored

_ALIKE = 0.05
_BE_OR_MODAL = frozenset("be can could may might must shall should will would have do".split())
_DO = {"VBZ": "does not", "VBP": "do not", "VBD": "did not"}


def denied(text: str, told: Parse) -> str | None:
    """The statement with *not* in its main clause; None where it has no plain place for it."""
    if any(token.dep == "neg" for token in told):
        return None
    root = next((n for n, token in enumerate(told) if token.dep == "ROOT"), None)
    if root is None or not any(token.dep.startswith("nsubj") and token.head == root for token in told):
        return None
    for token in told:
        if token.lemma in _BE_OR_MODAL and _leads(token, told, root):
            end = token.start + len(token.text)
            return f"{text[:end]} not{text[end:]}"
    verb = told[root]
    if verb.tag not in _DO:
        return None
    return f"{text[: verb.start]}{_DO[verb.tag]} {verb.lemma}{text[verb.start + len(verb.text) :]}"


def _leads(token: Token, told: Parse, root: int) -> bool:
    """Is it the main clause's first auxiliary, or its *be*?"""
    return (token.head == root and token.dep in ("aux", "auxpass")) or (
        token is told[root] and token.lemma == "be"
    )


def claims(pairs: Sequence[tuple[Said, Said]]) -> Iterator[tuple[Claim, Claim]]:
    for n, (a, b) in enumerate(pairs):
        yield (
            read_claims(a.text, f"{n}a", title=a.note, date=a.date),
            read_claims(b.text, f"{n}b", title=b.note, date=b.date),
        )


def alarms(host: ModelHost, pairs: Sequence[tuple[Said, Said]]) -> np.ndarray:
    return np.array([answer.alarm for answer in judge_pairs(list(claims(pairs)), host)])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--judge", default="", help="a folder with another judge than the one that ships")
    parser.add_argument("--most", type=int, default=400)
    options = parser.parse_args()
    rng = random.Random(7)
    told = [(p.a, p.b) for p in authored(options.pairs) if not (p.a.date or p.b.date)]
    told = rng.sample(told, min(options.most, len(told)))
    said = list({side.text: side for pair in told for side in pair}.values())
    turned = [
        (side, side._replace(text=other))
        for side, parsed in zip(said, parse([side.text for side in said]), strict=True)
        if (other := denied(side.text, parsed)) is not None
    ]
    turned = rng.sample(turned, min(options.most, len(turned)))
    with ModelHost(Setup(judge=options.judge or None)) as host:
        apart = np.abs(alarms(host, told) - alarms(host, [(b, a) for a, b in told]))
        same = alarms(host, [(a, a._replace(note="Other")) for a, _ in turned])
        against = alarms(host, [(a, b._replace(note="Other")) for a, b in turned])
    print(f"swapped: {(apart < _ALIKE).mean():.1%} of {len(told)} within {_ALIKE}; most {apart.max():.3f}")
    print(f"denied: {(against > same).mean():.1%} of {len(turned)} more alarming than agreeing")
    print(f"        median alarm {np.median(same):.2f} agreeing, {np.median(against):.2f} denied")


if __name__ == "__main__":
    main()
