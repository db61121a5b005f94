"""Threads with their answers, as the model reads and writes them."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from app.detection.judge_input import Said
from app.detective.thread_prompt import LONGEST, NO, YES
from training.judge.augment import turned
from training.judge.mine import HELD_OUT, drawn, pair_files, weight
from training.judge.rows import LABELS, OWN, Pair, authored, dropped, lines, side

STORIES = ("s1", "s2")
"""Files that are trained on; s3 sets the thresholds, and nobody sees s4 and s5 before measuring."""
CALIBRATION = "s3"
_KINDS = {"conflict": "disagreement", "outdated": "stale"}
_BESIDE = 3
"""Lines of the same notes that stand between the two of a labelled pair."""


class Row(NamedTuple):
    said: tuple[Said, ...]
    answer: str
    whole: bool = True
    """The answer ends here; of a pair nobody wrote down the question."""

    @property
    def yes(self) -> bool:
        return self.answer.startswith(YES)


class Gold(NamedTuple):
    kind: str
    places: tuple[int, ...]
    """Lines of the thread, from 0."""
    question: str


class Story(NamedTuple):
    said: tuple[Said, ...]
    golds: tuple[Gold, ...]

    def row(self) -> Row:
        """The first finding is the answer; hardly any story has two."""
        if not self.golds:
            return Row(self.said, NO)
        gold = self.golds[0]
        numbers = " ".join(str(place + 1) for place in gold.places)
        return Row(self.said, f"{YES} | {gold.kind} | {numbers} | {gold.question}")

    def without(self, gone: set[int]) -> Story:
        """With some lines left out, and the findings that lose one of theirs."""
        kept = [n for n in range(len(self.said)) if n not in gone]
        golds = [
            gold._replace(places=tuple(kept.index(n) for n in gold.places))
            for gold in self.golds
            if not gone.intersection(gold.places)
        ]
        return Story(tuple(self.said[n] for n in kept), tuple(golds))


def stories(path: Path) -> list[Story]:
    out = []
    for row in lines(path):
        facts = row["facts"][:LONGEST]
        places = {fact["id"]: n for n, fact in enumerate(facts)}
        golds = [
            Gold(f["kind"], tuple(sorted(places[id] for id in f["ids"])), f["question"])
            for f in row["findings"]
            if all(id in places for id in f["ids"])
        ]
        title = [str(fact["note"]).rpartition("/")[2] for fact in facts]
        said = tuple(Said(f["text"], t, f["date"]) for f, t in zip(facts, title, strict=True))
        out.append(Story(said, tuple(golds)))
    return out


def varied(story: Story, rng: random.Random) -> Story:
    """Lines that decide nothing left out at random; now and then one that does, and with it the finding:
    the same words but for one line, and another answer."""
    if story.golds and rng.random() < 0.35:
        gold = rng.choice(story.golds)
        gone = set(gold.places) - {rng.choice(gold.places)}
        return story.without(gone)
    needed = {n for gold in story.golds for n in gold.places}
    loose = [n for n in range(len(story.said)) if n not in needed]
    if len(loose) > 1 and rng.random() < 0.5:
        return story.without(set(rng.sample(loose, rng.randint(1, len(loose) - 1))))
    return story


def pairs(told: Iterable[Pair], rng: random.Random) -> list[Row]:
    """Pairs as threads of two lines, with as little around them as the judge is trained with."""
    fresh = (dropped(turned(pair, rng), rng) for pair in told)
    return [Row((pair.a, pair.b), *_answer(pair.label, (1, 2))) for pair in fresh]


def _answer(label: str, numbers: Sequence[int]) -> tuple[str, bool]:
    """Why not is said too, where somebody wrote it down: more to learn from than a bare no."""
    kind = _KINDS.get(label)
    if kind is not None:
        return f"{YES} | {kind} | {' '.join(map(str, numbers))}", False
    return (f"{NO} | {label}", False) if label in LABELS else (NO, True)


def vaults(files: Sequence[Path], rng: random.Random) -> Iterator[Row]:
    """Labelled pairs of small vaults, among other lines of the same notes; and notes that agree."""
    for file in files:
        notes: dict[str, list[dict[str, Any]]] = {}
        golds: list[dict[str, str]] = []
        for row in lines(file):
            if row["vault"] in HELD_OUT:
                continue
            if "golds" in row:
                golds += row["golds"]
            else:
                notes.setdefault(row["vault"], []).append(row)
        placed = {
            one["id"]: (side({**one, "note": note["title"], "date": note["date"]}), note)
            for told in notes.values()
            for note in told
            for one in note["statements"]
        }
        disputed = {gold[end] for gold in golds for end in ("a", "b")}
        for gold in golds:
            if gold["a"] in placed and gold["b"] in placed:
                yield _thread(gold, placed, disputed, rng)
        quiet = [id for id in placed if id not in disputed]
        for id in rng.sample(quiet, min(len(golds), len(quiet))):
            note = placed[id][1]
            near = [placed[o["id"]][0] for o in note["statements"] if o["id"] not in disputed][:4]
            if len(near) > 1:
                yield Row(tuple(near), NO)


def _thread(
    gold: dict[str, str],
    placed: dict[str, tuple[Said, dict[str, Any]]],
    disputed: set[str],
    rng: random.Random,
) -> Row:
    beside = [
        one["id"]
        for end in ("a", "b")
        for one in placed[gold[end]][1]["statements"]
        if one["id"] not in disputed
    ]
    ids = [gold["a"], gold["b"], *rng.sample(beside, min(len(beside), rng.randint(0, _BESIDE)))]
    ids = sorted(dict.fromkeys(ids), key=lambda id: placed[id][0].date or "")
    numbers = sorted((ids.index(gold["a"]) + 1, ids.index(gold["b"]) + 1))
    return Row(tuple(placed[id][0] for id in ids), *_answer(gold["label"], numbers))


def training_rows(train: Path, mined: Path, rng: random.Random, *, of_stories: int, quiet: int) -> list[Row]:
    """Stories so many times, varied but for the first; every authored pair; near pairs that are quiet; and
    threads of the small vaults that are trained on."""
    files = [
        *(train / "norms" / f"{name}.jsonl" for name in STORIES),
        *sorted((OWN / "stories").glob("*.jsonl")),
    ]
    told = [story for file in files for story in stories(file)]
    rows = [story.row() for story in told]
    for _ in range(of_stories - 1):
        rows += [varied(story, rng).row() for story in told]
    of_two = [p for f in pair_files(train) for p in authored(f)]
    near = [(Pair(side(r["a"]), side(r["b"]), r["label"]), weight(r)) for r in lines(mined)]
    rows += pairs([*of_two, *drawn(near, quiet, rng)], rng)
    rows += list(vaults(sorted((OWN / "vaults").glob("*.jsonl")), rng))
    return [row for row in rows if len(row.said) > 1]


def main() -> None:
    """Prints a few rows, to look at."""
    import sys

    train, mined = map(Path, sys.argv[1:3])
    rows = training_rows(train, mined, random.Random(1), of_stories=2, quiet=700)
    print(len(rows), sum(row.yes for row in rows))
    for row in random.Random(2).sample(rows, 8):
        print(json.dumps([s.text for s in row.said], ensure_ascii=False), row.answer)


if __name__ == "__main__":
    main()
