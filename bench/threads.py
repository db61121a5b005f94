"""The language model over small labelled stories: can it tell which leave a reader unsure, and say where?

    python -m bench.threads FOLDER [--model FILE.gguf | --adapter FILE.gguf] [--files s4,s5] [--calibrate s3]

Every story of norms/s*.jsonl is one thread. First the threads of --calibrate: the mark from which the model's
own findings are right at least 85 times in 100 there. Then, over --files, how well yes and no tell stories
apart (AUC), and what the rules find, with what the model adds above the mark, and with the arcs it dismisses
as its exam allows. Scored as `bench.stories` does.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from app.detection.judge_input import said
from app.detective.exam import Skill, examine
from app.detective.reader import ThreadReader
from app.detective.thread_answer import finding
from app.models.host import ModelHost
from app.models.requests import Failed
from app.models.setup import Setup
from app.words import Finding
from bench.stories import Score, Story, conflicts, right, score, stories

PRECISION = 0.85
FEWEST = 8
"""Findings on the calibration file, below which a mark says nothing."""


class Read(NamedTuple):
    """A story, what the model thinks of it, and what it would report if that counted."""

    story: Story
    odds: float
    found: Finding | None

    @property
    def correct(self) -> bool:
        return self.found is not None and any(
            right(shown, gold) for shown in conflicts(self.story, [self.found]) for gold in self.story.golds
        )


def read(told: Sequence[Story], model: ThreadReader, floor: float) -> list[Read]:
    """Only likely ones are asked for their lines: that takes ten times as long as yes or no."""
    out = []
    for story in told:
        odds = model.odds([said(c) for c in story.claims])
        if isinstance(odds, Failed):
            raise SystemExit(odds.reason)
        found = None
        if odds is not None and odds >= floor and len(story.claims) > 1:
            answer = model.told(story.claims)
            if isinstance(answer, Failed):
                raise SystemExit(answer.reason)
            found = finding(answer, story.claims, odds) if answer is not None else None
        out.append(Read(story, odds or 0.0, found))
    return out


def auc(readings: Sequence[Read]) -> float:
    loud = [r.odds for r in readings if r.story.golds]
    quiet = [r.odds for r in readings if not r.story.golds]
    return sum((a > b) + 0.5 * (a == b) for a in loud for b in quiet) / max(1, len(loud) * len(quiet))


def mark(readings: Sequence[Read]) -> float:
    """The lowest mark that keeps the precision; above 1 where there is none."""
    ranked = sorted((r for r in readings if r.found is not None), key=lambda r: -r.odds)
    best, hits = 1.01, 0
    for number, one in enumerate(ranked, 1):
        hits += one.correct
        if number >= FEWEST and hits / number >= PRECISION:
            best = one.odds
    return best


def table(name: str, readings: Sequence[Read], found_from: float, skill: Skill | None) -> None:
    rules = added = dismissed = Score()
    for one in readings:
        shown = conflicts(one.story)
        rules += score(one.story, shown)
        own = [one.found] if one.found is not None and one.odds >= found_from else []
        more = conflicts(one.story, own)
        added += score(one.story, more)
        drop = skill is not None and one.odds < skill.dismiss
        left = [c for c in more if not (drop and "detective" in c.found_by)]
        dismissed += score(one.story, left)
    print(f"{name}: AUC {auc(readings):.3f}")
    for what, total in (("rules", rules), ("and found", added), ("and dismissed", dismissed)):
        print("  " + total.line(what), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model", help="a GGUF file of your own, shown examples")
    parser.add_argument("--adapter", help="an adapter of the default model that does not ship")
    parser.add_argument("--files", default="s4,s5")
    parser.add_argument("--calibrate", default="s3")
    parser.add_argument("--floor", type=float, default=0.5)
    parser.add_argument("--first", type=int, help="only so many stories of each file")
    options = parser.parse_args()

    def told(names: str) -> list[Story]:
        files = [options.folder / "norms" / f"{name}.jsonl" for name in names.split(",")]
        return [story for file in files for story in stories(file)[: options.first]]

    with ModelHost(Setup(llama=options.model, thread_lora=options.adapter, nice=0)) as host:
        model = ThreadReader(host)
        began = time.monotonic()
        skill = examine(model)
        print(f"{model.reader}: exam {skill}, {time.monotonic() - began:.0f} s", flush=True)
        passed = skill if isinstance(skill, Skill) else None
        calibration = [
            r for name in options.calibrate.split(",") for r in read(told(name), model, options.floor)
        ]
        found_from = mark(calibration)
        print(f"finds from {found_from:.3f}, {time.monotonic() - began:.0f} s")
        table(options.calibrate, calibration, found_from, passed)
        readings = read(told(options.files), model, options.floor)
        table(options.files, readings, found_from, passed)
        print(f"{time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
