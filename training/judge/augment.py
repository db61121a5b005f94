"""More pairs from what there is: other values, the same statement twice, the other way round."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace

from app.detection.judge_input import Said
from training.judge.rows import Pair

_NUMBER = re.compile(r"(?<![\w.])(\d{1,6})(?:([.,:])(\d{1,2}))?(?![\w])")
_YEAR = re.compile(r"(?:19|20)\d\d$")
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December")  # fmt: skip
_SYMMETRIC = frozenset({"conflict", "compatible", "unrelated", "quiet"})


def other_value(text: str, rng: random.Random) -> str | None:
    """The same words with another number, weekday or month; None where there is none to change."""
    places = [m for m in _NUMBER.finditer(text) if not _YEAR.match(m.group(1))]
    named = [
        (m, names)
        for names in (_DAYS, _MONTHS)
        for m in re.finditer(r"\b(?:" + "|".join(names) + r")\b", text)
    ]
    if named and (not places or rng.random() < 0.5):
        m, names = rng.choice(named)
        other = rng.choice([n for n in names if n != m.group()])
        return text[: m.start()] + other + text[m.end() :]
    if not places:
        return None
    m = rng.choice(places)
    if (swapped := _transposed(m.group(1), rng)) and rng.random() < 0.5:
        return text[: m.start(1)] + swapped + text[m.end(1) :]
    whole = int(m.group(1))
    step = max(1, whole // rng.choice((2, 3, 4, 10)))
    changed = whole + step if rng.random() < 0.6 or whole - step < 0 else whole - step
    new = str(changed).zfill(len(m.group(1))) + (m.group(2) or "") + (m.group(3) or "")
    return text[: m.start()] + new + text[m.end() :]


def _transposed(digits: str, rng: random.Random) -> str | None:
    """A long number with two neighbours swapped, as one misreads a code."""
    places = [n for n in range(len(digits) - 1) if digits[n] != digits[n + 1]]
    if len(digits) < 3 or not places:
        return None
    n = rng.choice(places)
    return digits[:n] + digits[n + 1] + digits[n] + digits[n + 2 :]


def plain_pairs(sides: Sequence[Said], rng: random.Random, wanted: int) -> list[Pair]:
    """Same words, other value: a conflict. Same words, same value: none."""
    out: list[Pair] = []
    for side in rng.sample(sides, len(sides)):
        if len(out) >= wanted:
            break
        if len(side.text) < 12:
            continue
        changed = other_value(side.text, rng)
        if changed and rng.random() < 0.8:
            note = "" if rng.random() < 0.3 else side.note
            out.append(Pair(side, side._replace(text=changed, note=note), "conflict", "other value"))
        elif rng.random() < 0.15:
            out.append(Pair(side, side, "compatible", "same"))
    return out


def turned(pair: Pair, rng: random.Random) -> Pair:
    """The other way round, where order does not matter."""
    if pair.label not in _SYMMETRIC or rng.random() < 0.5:
        return pair
    a, b = pair.b._replace(date=pair.a.date), pair.a._replace(date=pair.b.date)
    return replace(pair, a=a, b=b)


def stories(pairs: Sequence[Pair]) -> dict[str, str]:
    """Text to story: pairs that share a side tell one story."""
    parent: dict[str, str] = {}

    def root(text: str) -> str:
        parent.setdefault(text, text)
        while parent[text] != text:
            parent[text] = parent[parent[text]]
            text = parent[text]
        return text

    for pair in pairs:
        parent[root(pair.a.text)] = root(pair.b.text)
    return {text: root(text) for text in parent}
