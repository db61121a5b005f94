"""Learns what evidence is worth, on labelled vaults, each left out in turn, and on authored pairs.

    python -m training.decision.learn TRAIN_FOLDER QUIET_FOLDER CACHE_FOLDER app/detection/decision.json

QUIET_FOLDER holds the vaults of `training.quiet`, in which nothing is to be shown. What takes long is kept in
CACHE_FOLDER: the rows of each vault, and what each judge said.

Learnt are decisions by words alone, by words and nearness, and with each judge that ships. Those learn only
from vaults and pairs the judge was not trained on.
"""

from __future__ import annotations

import argparse
import json
import pickle
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

from app.detection.decide import silenced, with_likelihood
from app.detection.evidence import judged_numbers
from app.detection.judge import Opinions, judged
from app.detection.judge_stage import ASKED
from app.detection.rivals import LEAST, Rivalry, Rivals, Suspect
from app.models.files import LARGE, WEIGHTS, judge_name
from app.models.host import ModelHost
from app.models.setup import Setup
from app.words import Opinion
from training.decision.dataset import Row, kept_rows, pair_rows
from training.judge.examples import HELD_OUT, everyday_files, prose_files
from training.judge.notes import KEPT_FOR_DECIDING
from training.labelled import Labelled, labelled, roots

RIGHT = 0.92
"""What is shown is right at least so often, on vaults left out: nine times in ten, and a little more, since
the threshold is chosen on the very probabilities it is measured on."""
_RIGHT_UNJUDGED = 0.93
"""The same where no judge has read the pair: it is shown at once, and should rarely go away again."""
_RIGHT_ALONE = 0.94
"""Of two statements by themselves, half of which are conflicts in what was authored."""
_RIGHT_ALONE_UNJUDGED = 0.94
_EVEN = frozenset(
    {
        *(f"everyday-e{n}" for n in range(1, 8)),
        *("bakery", "clinic", "ferry", "harbour", "museum"),
    }
)
"""Files written evenly over all that any reader sees; the others lean to what is hard to tell. Without a
judge, these say from where on two statements by themselves are shown."""
_FOLDS = 5
LINES = "lines.json"
"""How many comparable lines each vault has, in the folder that keeps what takes long."""
_UNSEEN_PAIRS = {WEIGHTS: ("orchard", "lantern", "tides", "station"), LARGE: HELD_OUT}
"""Files of pairs that each judge was not trained on."""
_JUDGED_ONLY = ("judge_",)
_NEAR_ONLY = ("cosine", "best_near", "worst_near")
_FIRST_SIGHT = (
    "one_note", "one_heading", "lines_apart", "shorter", "longer",
    "overlap", "best_rank", "worst_rank", "crowd", *_NEAR_ONLY,
)  # fmt: skip
_LOOKED_AT = 0.99
"""So many of the conflicts that would come before a judge are still looked at."""


@dataclass(frozen=True, slots=True)
class Learnt:
    names: list[str]
    model: HistGradientBoostingClassifier
    left_out: np.ndarray
    """For each row its probability by a model that has not seen its vault."""
    rivalry: Rivalry | None = None


def learn(data: Sequence[Row], names: list[str]) -> Learnt:
    x = matrix(data, names)
    y = np.array([row.shown for row in data])
    weights = np.array([row.weight for row in data])
    places = _folds(data)
    left_out = np.zeros(len(data))
    for n in range(_FOLDS):
        inside = (places != n) & (weights > 0)
        if (places == n).any():
            made = _model().fit(x[inside], y[inside], sample_weight=weights[inside])
            left_out[places == n] = made.predict_proba(x[places == n])[:, 1]
    whole = _model().fit(x[weights > 0], y[weights > 0], sample_weight=weights[weights > 0])
    return Learnt(names, whole, left_out)


def _folds(data: Sequence[Row]) -> np.ndarray:
    groups = sorted({row.vault for row in data})
    fold = {vault: n % _FOLDS for n, vault in enumerate(groups)}
    return np.array([fold[row.vault] for row in data])


def first_look(data: Sequence[Row], likely: np.ndarray) -> dict[str, Any]:
    """Which pairs are worth aligning, by what costs nothing to know, with nearness or without it: nearly all
    conflicts that would go to a judge, by `likely`, are still looked at."""
    places = [n for n, row in enumerate(data) if not row.alone]
    rows = [replace(data[n], numbers=_at_first_sight(data[n], blind=n % 3 == 0)) for n in places]
    learnt = learn(rows, names_of(rows, lambda name: False))
    best: dict[tuple[str, str], float] = {}
    for n, row, p in zip(places, rows, learnt.left_out, strict=True):
        if row.shown and likely[n] >= ASKED:
            key = row.vault, row.gold
            best[key] = max(best.get(key, 0.0), float(p))
    least = float(np.quantile(list(best.values()), 1 - _LOOKED_AT))
    weights = np.array([row.weight for row in rows])
    share = float((weights * (learnt.left_out >= least)).sum() / weights.sum())
    out = _trees(learnt) | {"shown": round(least, 7), "shown_alone": 0.0, "shown_contradicting": 0.0}
    return out | {"left_out": f"{_LOOKED_AT:.1%} of {len(best)} conflicts in {share:.1%} of all pairs"}


def _at_first_sight(row: Row, *, blind: bool) -> dict[str, float]:
    wanted = [n for n in _FIRST_SIGHT if not (blind and n in _NEAR_ONLY)]
    return {name: row.numbers[name] for name in wanted if name in row.numbers}


def with_rivals(learnt: Learnt, data: Sequence[Row], lines: Mapping[str, int]) -> Learnt:
    """What the pairs that share a line with a pair are worth, and how much its vault contradicts itself:
    again each vault is left out in turn. `lines`: how many comparable ones each vault has."""
    by_vault: dict[str, Rivals] = {}
    suspects = []
    for row, p in zip(data, learnt.left_out, strict=True):
        own = 0.0 if silenced(row.numbers) else float(p)
        one = Suspect(frozenset(row.pair), own, row.numbers["judge_steady"])
        suspects.append(one)
        if not row.alone:
            by_vault.setdefault(row.vault, Rivals()).put(one)
    chosen = [
        n
        for n, row in enumerate(data)
        if not row.alone and row.weight > 0 and suspects[n].probability >= LEAST
    ]
    x = np.array([by_vault[data[n].vault].numbers(suspects[n], lines[data[n].vault]) for n in chosen])
    y = np.array([data[n].shown for n in chosen])
    places = _folds(data)[chosen]
    left_out = learnt.left_out.copy()
    for n in range(_FOLDS):
        if (places == n).any():
            made = LogisticRegression(max_iter=1000).fit(x[places != n], y[places != n])
            left_out[np.array(chosen)[places == n]] = made.predict_proba(x[places == n])[:, 1]
    whole = LogisticRegression(max_iter=1000).fit(x, y)
    weights = tuple(round(float(w), 5) for w in whole.coef_[0])
    return replace(learnt, left_out=left_out, rivalry=Rivalry(weights, round(float(whole.intercept_[0]), 5)))


def _model() -> HistGradientBoostingClassifier:
    return HistGradientBoostingClassifier(
        max_iter=140,
        learning_rate=0.05,
        max_leaf_nodes=9,
        min_samples_leaf=20,
        l2_regularization=5.0,
        max_features=0.5,
        random_state=1,
    )


def matrix(data: Sequence[Row], names: Sequence[str]) -> np.ndarray:
    return np.array([[row.numbers.get(n, np.nan) for n in names] for row in data], dtype=np.float32)


def names_of(data: Sequence[Row], without: Callable[[str], bool]) -> list[str]:
    return sorted({name for row in data for name in row.numbers if not without(name)})


def threshold(
    data: Sequence[Row],
    probability: np.ndarray,
    right: float,
    *,
    alone: bool,
    among: Callable[[Row], bool] = lambda row: True,
) -> tuple[float, str]:
    """The lowest from which so many are right, counting a conflict of a vault once; and what it brings."""
    chosen = [n for n in np.argsort(-probability) if data[n].alone == alone and data[n].weight > 0]
    counted = [n for n in chosen if among(data[n])]
    order = [n for n in counted if not silenced(data[n].numbers)]
    wanted = len({(data[n].vault, n if alone else data[n].gold) for n in counted if data[n].shown})
    labelled_vaults = {data[n].vault for n in chosen if data[n].shown}
    found: set[tuple[str, Any]] = set()
    false = quiet = 0
    best, told = 1.0, "nothing"
    for n in order:
        if data[n].shown:
            found.add((data[n].vault, data[n].gold if not alone else n))
        else:
            false += 1
            quiet += data[n].vault not in labelled_vaults and not alone
        if len(found) / (len(found) + false) >= right:
            best = float(probability[n])
            told = f"{len(found)} of {wanted} found, {false} false ({quiet} in quiet vaults)"
    return best, told


def exported(
    learnt: Learnt,
    data: Sequence[Row],
    right: float,
    right_alone: float,
    pairs: Collection[str] | None = None,
) -> dict[str, Any]:
    """`pairs` are the files that say from where on two statements by themselves are shown; None for all."""
    p = learnt.left_out
    shown, told = threshold(data, p, right, alone=False)
    shown_alone, told_alone = threshold(
        data, p, right_alone, alone=True, among=lambda row: pairs is None or row.source in pairs
    )
    contradicting, told_contradicting = threshold(
        data, p, right, alone=False, among=lambda row: row.numbers["norms_contradict"] > 0
    )
    out: dict[str, Any] = {
        "shown": round(shown, 4),
        "shown_alone": round(shown_alone, 4),
        "shown_contradicting": round(min(contradicting, shown), 4),
        "left_out": told,
        "left_out_alone": told_alone,
        "left_out_contradicting": told_contradicting,
    }
    if learnt.rivalry is not None:
        out |= {"rivals": list(learnt.rivalry.weights), "rivals_constant": learnt.rivalry.constant}
    return _trees(learnt) | out


def _trees(learnt: Learnt) -> dict[str, Any]:
    """The trees as numbers in columns."""
    out: dict[str, Any] = {
        "names": learnt.names,
        "base": float(np.ravel(learnt.model._baseline_prediction)[0]),
        "roots": [],
    }
    columns: dict[str, list[Any]] = {
        key: [] for key in ("feature", "threshold", "left", "right", "missing_left", "value")
    }
    for (tree,) in learnt.model._predictors:
        start = len(columns["feature"])
        out["roots"].append(start)
        for node in tree.nodes:
            leaf = bool(node["is_leaf"])
            columns["feature"].append(-1 if leaf else int(node["feature_idx"]))
            columns["threshold"].append(0.0 if leaf else round(float(node["num_threshold"]), 5))
            columns["left"].append(0 if leaf else start + int(node["left"]))
            columns["right"].append(0 if leaf else start + int(node["right"]))
            columns["missing_left"].append(int(node["missing_go_to_left"]))
            columns["value"].append(round(float(node["value"]), 5))
    return out | columns


def opinions(
    host: ModelHost, vaults: Mapping[str, Labelled], data: Sequence[Row], at_once: int = 512
) -> list[Opinion | None]:
    """What the judge says of each row."""
    pairs = [tuple(row.claims or (vaults[row.vault].claims[id] for id in row.pair)) for row in data]
    order = sorted(range(len(pairs)), key=lambda n: sum(len(c.statement.text) for c in pairs[n]))
    out: list[Opinion | None] = [None] * len(pairs)
    for start in range(0, len(order), at_once):
        some = order[start : start + at_once]
        answer = judged(host, [pairs[n] for n in some])
        assert isinstance(answer, Opinions), answer
        for n, odds in zip(some, answer.of_pairs, strict=True):
            out[n] = odds
        print(f"{start + len(some)} of {len(order)} pairs judged", flush=True)
    return out


def with_judge(
    folder: Path,
    data: Sequence[Row],
    likely: np.ndarray,
    unseen: Collection[str],
    vaults: Mapping[str, Labelled],
) -> list[Row]:
    """The rows that the judge in `folder` would be asked about, with its word; only what it has not seen."""
    chosen = [
        (row, p)
        for row, p in zip(data, likely, strict=True)
        if row.source in unseen and (row.alone or p >= ASKED or row.numbers["norms_contradict"])
    ]
    told = with_likelihood([row.numbers for row, _ in chosen], [p for _, p in chosen])
    asked = [replace(row, numbers=numbers) for (row, _), numbers in zip(chosen, told, strict=True)]
    print(f"{len(asked)} pairs for the judge", flush=True)
    with ModelHost(Setup(judge=str(folder))) as host:
        for row, odds in zip(asked, opinions(host, vaults, asked), strict=True):
            if odds is not None:
                row.numbers |= judged_numbers(odds)
    return [row for row in asked if "judge_alarm" in row.numbers]


def collected(train: Path, quiet: Path, cache: Path) -> tuple[list[Row], dict[str, Labelled]]:
    """All rows without the judge."""
    vaults = {root.name: labelled(root) for root in roots(train, quiet)}
    pairs = {path.stem: pair_rows([path]) for path in (*everyday_files(train), *prose_files())}
    made = kept_rows(vaults | pairs, cache)
    return [row for some in made.values() for row in some], vaults


def _lines(data: Sequence[Row]) -> dict[str, int]:
    """How many lines of each vault met another."""
    ids: dict[str, set[str]] = {}
    for row in data:
        ids.setdefault(row.vault, set()).update(row.pair)
    return {vault: len(some) for vault, some in ids.items()}


def _tell(name: str, trees: Mapping[str, Any]) -> None:
    for what in ("left_out", "left_out_alone", "left_out_contradicting"):
        print(f"{name}, {what.replace('_', ' ')}: {trees[what]}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("train", type=Path)
    parser.add_argument("quiet", type=Path)
    parser.add_argument("cache", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    data, vaults = collected(options.train, options.quiet, options.cache)
    print(f"{len(data)} pairs, {sum(row.shown for row in data)} to be shown", flush=True)
    made: dict[str, Any] = {"learnt": date.today().isoformat()}
    met = [r for r in data if r.alone or r.numbers["overlap"] or r.numbers["norms_contradict"]]
    by_words = learn(met, names_of(met, lambda n: n.startswith(_JUDGED_ONLY) or n in _NEAR_ONLY))
    made["words"] = exported(by_words, met, _RIGHT_UNJUDGED, _RIGHT_ALONE_UNJUDGED, _EVEN)
    _tell("words", made["words"])
    near = learn(data, names_of(data, lambda n: n.startswith(_JUDGED_ONLY)))
    made["near"] = exported(near, data, _RIGHT_UNJUDGED, _RIGHT_ALONE_UNJUDGED, _EVEN)
    _tell("near", made["near"])
    made["first"] = first_look(data, near.left_out)
    print(f"first look: {made['first']['left_out']}", flush=True)
    lines = _lines(data)
    (options.cache / LINES).write_text(json.dumps(lines), encoding="utf-8")
    made["judges"] = {}
    for folder, unseen_pairs in _UNSEEN_PAIRS.items():
        name = judge_name(Setup(judge=str(folder)))
        kept = options.cache / f"{name}.pkl"
        if kept.exists():
            unseen = pickle.loads(kept.read_bytes())
        else:
            unseen = with_judge(folder, data, near.left_out, KEPT_FOR_DECIDING.union(unseen_pairs), vaults)
            kept.write_bytes(pickle.dumps(unseen))
        beside = with_rivals(learn(unseen, names_of(unseen, lambda n: False)), unseen, lines)
        trees = exported(beside, unseen, RIGHT, _RIGHT_ALONE)
        made["judges"][name] = trees
        _tell(name, trees)
    options.out.write_text(json.dumps(made, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
