"""The judge on labelled pairs, next to what shortcuts alone would reach; then published sets it never saw.

    python -m bench.pairs TRAIN_FOLDER PAIRS.jsonl... [--nli FOLDER] [--judge FOLDER]

TRAIN_FOLDER has pairs/ and public/. The shortcuts are fitted on its pairs: the dates alone, the second
statement alone, negation words alone. --nli is the judge before it saw an authored pair; --judge another one
than the one that ships.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

import numpy as np

from app.cli.statements import read_claims
from app.detection.judge import Opinions
from app.detection.judge_input import Said, written
from app.detection.pair_alone import weigh_pairs
from app.models.host import ModelHost
from app.models.requests import Failed
from app.models.setup import Setup
from app.words import Claim
from training.judge.rows import Pair, authored, public

ALARM = ("conflict", "outdated")
_NEGATION = re.compile(r"\b(?:not?|never|none|nothing|without|cannot|no longer|\w+n['’]t)\b", re.I)
_PUBLIC = ("taxinli", "negnli", "breaking_nli", "fever_symmetric")
_NEAR = 0.85
Scores = np.ndarray
Features = Callable[[Sequence[Pair]], np.ndarray]


def auc(scores: Scores, wanted: np.ndarray) -> float:
    """The chance that an alarm stands above a quiet pair; equal scores count half."""
    raised, quiet = scores[wanted], scores[~wanted]
    above = (raised[:, None] > quiet[None, :]).sum() + 0.5 * (raised[:, None] == quiet[None, :]).sum()
    return float(above / max(1, len(raised) * len(quiet)))


def line(name: str, scores: Scores, pairs: Sequence[Pair]) -> str:
    wanted = np.array([p.label in ALARM for p in pairs])
    said = scores >= 0.5
    hits = int((said & wanted).sum())
    precision, recall = hits / max(1, int(said.sum())), hits / max(1, int(wanted.sum()))
    f1 = 2 * precision * recall / max(1e-9, precision + recall)
    return f"  {name:34} AUC {auc(scores, wanted):.3f}  P {precision:.2f}  R {recall:.2f}  F1 {f1:.3f}"


def rows_of(pairs: Sequence[Pair]) -> list[tuple[str, str]]:
    return [written(p.a, p.b) for p in pairs] + [written(p.b, p.a) for p in pairs]


def by_judge(host: ModelHost, pairs: Sequence[Pair]) -> Scores:
    answer = host.judge(rows_of(pairs))
    if isinstance(answer, Failed):
        raise SystemExit(answer.reason)
    half = len(pairs)
    out = []
    for pair, forth, back in zip(pairs, answer.rows[:half], answer.rows[half:], strict=True):
        tells = bool(pair.a.date and pair.b.date and pair.a.date != pair.b.date)
        odds = (
            forth if tells or back is None else [(p + q) / 2 for p, q in zip(forth or (), back, strict=True)]
        )
        out.append(sum(odds[:2]) if odds else 0.0)
    return np.array(out)


def by_rules(pairs: Sequence[Pair]) -> Scores:
    def claim(side: Said, id: str) -> Claim:
        return read_claims(side.text, id, title=side.note, date=side.date)

    held = [(claim(p.a, f"a{n}"), claim(p.b, f"b{n}")) for n, p in enumerate(pairs)]
    weighed = weigh_pairs(held, [None] * len(held), Opinions("", [None] * len(held)))
    return np.array([one.decision.probability if one else 0.0 for one in weighed])


def fitted(
    features: Features, train: Sequence[Pair], pairs: Sequence[Pair], *, straight: bool = False
) -> Scores:
    """By trees, which find any shape in a few numbers; `straight` for vectors, where a plane does."""
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression

    trees = HistGradientBoostingClassifier(max_iter=150, random_state=1)
    model = LogisticRegression(max_iter=2000) if straight else trees
    model.fit(features(train), [p.label in ALARM for p in train])
    return np.asarray(model.predict_proba(features(pairs))[:, 1])


def dates_alone(pairs: Sequence[Pair]) -> np.ndarray:
    def gap(pair: Pair) -> list[float]:
        if pair.a.date and pair.b.date:
            return [float((date.fromisoformat(pair.b.date) - date.fromisoformat(pair.a.date)).days), 2.0]
        return [-1.0, float(bool(pair.a.date) or bool(pair.b.date))]

    return np.array([gap(p) for p in pairs])


def negation_alone(pairs: Sequence[Pair]) -> np.ndarray:
    return np.array([[len(_NEGATION.findall(s.text)) for s in (p.a, p.b)] for p in pairs], dtype=float)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("train", type=Path)
    parser.add_argument("pairs", type=Path, nargs="+")
    parser.add_argument("--nli", type=Path)
    parser.add_argument("--judge", type=Path)
    parser.add_argument("--rows", type=int, default=3000, help="of each published set, drawn at random")
    options = parser.parse_args()
    train = [p for f in sorted((options.train / "pairs").glob("*.jsonl")) for p in authored(f)]
    with ModelHost(Setup(judge=str(options.judge) if options.judge else None)) as host:

        def second_alone(pairs: Sequence[Pair]) -> np.ndarray:
            return _vectors(host, [p.b.text for p in pairs])

        for path in options.pairs:
            held = authored(path)
            print(f"{path.name}: {len(held)} pairs")
            print(line("the judge", by_judge(host, held), held), flush=True)
            print(line("rules only", by_rules(held), held))
            print(line("dates alone", fitted(dates_alone, train, held), held))
            print(line("second statement alone", fitted(second_alone, train, held, straight=True), held))
            print(line("negation words alone", fitted(negation_alone, train, held), held))
            if options.nli:
                with ModelHost(Setup(judge=str(options.nli))) as plain:
                    nli = by_judge(plain, held)
                print(line("plain NLI, no authored pairs", nli, held))
                left, right = (_vectors(host, [getattr(p, s).text for p in held]) for s in "ab")
                near = (left * right).sum(1) > _NEAR
                print(line(f"cosine > {_NEAR}, then NLI", np.where(near, nli, 0.0), held), flush=True)
            else:
                print("  plain NLI, and cosine then NLI: name the judge before the authored pairs (--nli)")
        print("published sets, never trained on (contradiction or not):")
        for name in _PUBLIC:
            rows = public(options.train / "public", name)
            random.Random(1).shuffle(rows)
            pairs = [
                Pair(Said(p), Said(h), "conflict" if label == "contradiction" else "compatible")
                for p, h, label, _ in rows[: options.rows]
            ]
            print(line(f"{name} ({len(pairs)})", by_judge(host, pairs), pairs), flush=True)


def _vectors(host: ModelHost, texts: list[str]) -> np.ndarray:
    answer = host.embed(texts)
    if isinstance(answer, Failed):
        raise SystemExit(answer.reason)
    return answer.matrix()


if __name__ == "__main__":
    main()
