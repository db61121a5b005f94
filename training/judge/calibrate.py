"""How much an alarm is worth in a whole vault: the weights of `chance` in app/guard/worth.py.

    python -m training.judge.calibrate SHIPPED_FOLDER

Every near pair of the small vaults kept out of training is judged; a logistic fit over the alarm, how near
the two are among all and whether they stand in one note gives the weights, and each vault in turn is left out
to show what they are worth. Then the pairs that give other values and are the nearest of each other among
what measures the same: how many are right where the thread reader doubts them, too (`DOUBTED`).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.linear_model import LogisticRegression

from app.detective.reader import ThreadReader
from app.guard.contrast import contrast, kinds
from app.guard.worth import DOUBTED, FARTHEST
from app.guard.written import Said, written
from app.index.judging import NEAR, ranks_of
from app.index.measured import Measured
from app.models.host import ModelHost
from app.models.neighbours import Neighbours
from app.models.setup import Setup
from app.models.words import Failed
from training.judge.mine import held_out

_ALARMS = ("conflict", "outdated")


class Seen(NamedTuple):
    """A pair; `unsure` is the thread reader's doubt, asked about values that measure the same."""

    vault: int
    alarm: float
    ranks: tuple[int, int]
    same_note: bool
    gold: bool
    unsure: float | None = None


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("judge", type=Path)
    options = parser.parse_args()
    with ModelHost(Setup(judge=str(options.judge), nice=0)) as host:
        reader = ThreadReader(host)
        seen = [pair for n, vault in enumerate(held_out()) for pair in _pairs(n, *vault, host, reader)]
    inputs = np.array([_row(s) for s in seen])
    wanted = np.array([s.gold for s in seen])
    vaults = np.array([s.vault for s in seen])
    said = np.zeros(len(seen))
    for vault in sorted(set(vaults)):
        rest = vaults != vault
        fit = LogisticRegression(max_iter=1000).fit(inputs[rest], wanted[rest])
        said[~rest] = fit.predict_proba(inputs[~rest])[:, 1]
    alarms = inputs[:, 0] >= 0
    print(f"{len(seen)} near pairs, {wanted.sum()} golds, alarm ≥ 0.5: {alarms.mean():.1%}")
    for least in (0.3, 0.4, 0.5, 0.6, 0.7):
        shown = said >= least
        right = int((shown & wanted).sum())
        print(f"sure ≥ {least}: {shown.sum()} shown, {right} right ({right / max(1, shown.sum()):.2f}),"
              f" recall {right / wanted.sum():.2f}")  # fmt: skip
    for doubt in (0.3, DOUBTED[1], 0.5):
        agreed = [s for s in seen if s.unsure is not None and s.unsure >= doubt]
        print(f"two readers agree from {doubt} on: {len(agreed)} shown, {sum(s.gold for s in agreed)} right")
    whole = LogisticRegression(max_iter=1000).fit(inputs, wanted)
    names = ("alarm", "nearer", "farther", "same note")
    print("base", round(float(whole.intercept_[0]), 2),
          *(f"{name} {weight:.2f}" for name, weight in zip(names, whole.coef_[0], strict=True)))  # fmt: skip


def _row(seen: Seen) -> tuple[float, float, float, float]:
    certain = min(0.999, max(0.001, seen.alarm))
    near, far = (np.log1p(min(rank, FARTHEST)) for rank in sorted(seen.ranks))
    return float(np.log(certain / (1 - certain))), float(near), float(far), float(seen.same_note)


def _pairs(
    vault: int,
    told: dict[str, Said],
    golds: dict[frozenset[str], str],
    host: ModelHost,
    reader: ThreadReader,
) -> Iterator[Seen]:
    made = host.embed([said.text for said in told.values()])
    if isinstance(made, Failed):
        raise SystemExit(made.reason)
    held = Neighbours(made.width)
    held.add_many((id, row) for id, row in zip(told, made.rows, strict=True) if row is not None)
    two = {
        frozenset((id, other.id))
        for id, around in held.nearest_of(list(told), NEAR).items()
        for other in around
    }
    of_a_kind = _measured(told, held)
    two |= of_a_kind
    pairs = [sorted(pair, key=lambda id: (told[id].date or "", id)) for pair in sorted(two, key=sorted)]
    ranks = ranks_of(held, [(a, b) for a, b in pairs])
    rows = [written(told[a], told[b]) for a, b in pairs] + [written(told[b], told[a]) for a, b in pairs]
    answer = host.judge(rows)
    if isinstance(answer, Failed):
        raise SystemExit(answer.reason)
    for n, (a, b) in enumerate(pairs):
        there, back = answer.rows[n], answer.rows[n + len(pairs)]
        if there is None or back is None:
            continue
        forth = there[0] + there[1]
        dated = told[a].date and told[b].date and told[a].date != told[b].date
        alarm = forth if dated else (forth + back[0] + back[1]) / 2
        gold = golds.get(frozenset((a, b))) in _ALARMS
        unsure = None
        differ = contrast(told[a].text, told[b].text) == "values"
        if frozenset((a, b)) in of_a_kind and differ and alarm >= DOUBTED[0]:
            doubt = reader.odds([told[a], told[b]])
            unsure = doubt if isinstance(doubt, float) else None
        yield Seen(vault, alarm, ranks[a, b], told[a].note == told[b].note, gold, unsure)


def _measured(told: dict[str, Said], held: Neighbours) -> set[frozenset[str]]:
    measured = Measured()
    for id, one in told.items():
        measured.put(id, kinds(one.text))
    return measured.nearest(list(told), held)


if __name__ == "__main__":
    main()
