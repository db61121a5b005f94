"""Reading the training rows."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rapidfuzz import fuzz

from app.detection.judge_input import Said

LABELS = ("conflict", "outdated", "settled", "compatible", "unrelated")
QUIET = "quiet"
"""Compatible or unrelated, nobody said which: a near pair of a vault that is no conflict."""
SILENT = "silent"
"""Nothing to show, nobody said why: settled, compatible or unrelated."""
NLI_LABELS = ("entailment", "neutral", "contradiction")
OWN = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Pair:
    """Two statements, a the older one or undated, and what they are to each other."""

    a: Said
    b: Said
    label: str
    why: str = ""
    group: str = ""
    """Twins, a conflict and what is none for all its likeness, share it."""


def lines(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield json.loads(line)


def authored(path: Path) -> list[Pair]:
    return [
        Pair(side(r["a"]), side(r["b"]), r["label"], r.get("why_code", ""), r.get("group") or r["a"]["text"])
        for r in lines(path)
    ]


def side(row: Mapping[str, Any]) -> Said:
    heading = tuple(part.strip() for part in (row.get("heading") or "").split(">") if part.strip())
    return Said(row["text"] or "", row.get("note") or "", row.get("date"), heading)


def public(folder: Path, name: str) -> list[tuple[str, str, str, str]]:
    """(premise, hypothesis, label, split) of a published set; other labels are left out."""
    with gzip.open(folder / name / "pairs.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [
        (r["premise"].strip(), r["hypothesis"].strip(), r["label"], r.get("split", "train"))
        for r in rows
        if r["label"] in NLI_LABELS
    ]


def undated(pair: Pair) -> Pair:
    return replace(pair, a=pair.a._replace(date=None), b=pair.b._replace(date=None))


_PLAIN_TITLES = (
    "Notes", "Inbox", "Misc", "Journal", "Scratch", "Untitled", "note1", "note2", "a", "b", "Todo", "Log",
    "Monday", "Sunday review", "Phone notes", "Odds and ends", "Week 14", "Meeting", "Things to remember",
)  # fmt: skip
_PLAIN_HEADINGS = ((), (), (), ("Notes",), ("This week",), ("To do",), ("Misc",), ("Other",), ("Later",))
_ALIKE = 92


def retitled(pair: Pair, rng: random.Random) -> Pair:
    """Now and then under titles and headings that name nothing. Not where the texts are all but the same and
    nothing is to be shown: there the titles decide."""
    quiet = pair.label not in ("conflict", "outdated")
    if rng.random() >= 0.2 or (quiet and fuzz.ratio(pair.a.text, pair.b.text) >= _ALIKE):
        return pair
    a, b = (
        side._replace(note=title, heading=rng.choice(_PLAIN_HEADINGS))
        for side, title in zip((pair.a, pair.b), rng.sample(_PLAIN_TITLES, 2), strict=True)
    )
    return replace(pair, a=a, b=b)


def after_chatter(pair: Pair, chatter: Sequence[str], rng: random.Random) -> Pair:
    """Now and then with a sentence before that has nothing to do with it, as in a journal."""
    a, b = (
        side._replace(before=rng.choice(chatter)) if not side.before and rng.random() < 0.2 else side
        for side in (pair.a, pair.b)
    )
    return replace(pair, a=a, b=b)


def dropped(pair: Pair, rng: random.Random) -> Pair:
    """Context left out at random, so that the model leans on the statements."""
    a, b = (
        s._replace(
            note="" if rng.random() < 0.35 else s.note,
            heading=() if rng.random() < 0.3 else s.heading,
            before="" if rng.random() < 0.3 else s.before,
        )
        for s in (pair.a, pair.b)
    )
    made = replace(pair, a=a, b=b)
    return undated(made) if rng.random() < 0.5 else made
