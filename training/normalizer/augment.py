"""The same statement with other figures, days and names, so that each pass shows other lines."""

from __future__ import annotations

import random
import re

from app.reading.norm_prompt import Asked

_DIGITS = re.compile(r"\d+")
_CYCLES = tuple(
    tuple(row.split())
    for row in (
        "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
        "Mon Tue Wed Thu Fri Sat Sun",
        "January February March April June July August September October November December",
        "Anna Ben Carla David Esther Farid Grace Hanna Ivo Julia Karim Lena Marek Nina Otto Paula Ravi Sofia",
        "red blue green yellow black white brown",
    )
)
_SWAP = {word: cycle for cycle in _CYCLES for word in cycle}
_SWAPPED = re.compile(r"\b(?:" + "|".join(_SWAP) + r")\b")


def varied(asked: Asked, answer: str, rng: random.Random) -> tuple[Asked, str]:
    """A variant of a pair; what changes in the statement changes in the answer the same way."""
    text, context = asked.text, asked.context
    if rng.random() < 0.6:
        text, answer = _other_figures(text, answer, rng)
    if rng.random() < 0.4:
        text, context, answer = _other_names(text, context, answer, rng)
    if rng.random() < 0.15 and text[:1].isalpha() and not text.isupper():
        first = text[0].swapcase()
        # Only where the answer does not copy the first word.
        if text.split()[0] not in answer:
            text = first + text[1:]
    return Asked(text, context), answer


def _other_figures(text: str, answer: str, rng: random.Random) -> tuple[str, str]:
    """Other digits, of the same length and never a leading zero where there was none; years stay years."""
    new: dict[str, str] = {}
    for found in _DIGITS.findall(text):
        if found in new or len(found) > 6 or re.fullmatch(r"(?:19|20)\d\d", found) or rng.random() < 0.3:
            continue
        digits = [str(rng.randint(0 if d == "0" else 1, 9)) if n else d for n, d in enumerate(found)]
        digits[0] = str(rng.randint(1, 3 if len(found) == 2 else 9)) if found[0] != "0" else "0"
        new[found] = "".join(digits)
    if not new:
        return text, answer

    def replace(match: re.Match[str]) -> str:
        return new.get(match[0], match[0])

    return _DIGITS.sub(replace, text), _DIGITS.sub(replace, answer)


def _other_names(text: str, context: str, answer: str, rng: random.Random) -> tuple[str, str, str]:
    new: dict[str, str] = {}
    for found in {*_SWAPPED.findall(text), *_SWAPPED.findall(context)}:
        choices = [w for w in _SWAP[found] if w not in text and w not in context and w not in new.values()]
        if choices:
            new[found] = rng.choice(choices)
    if not new:
        return text, context, answer
    both = {**new, **{old.lower(): word.lower() for old, word in new.items()}}
    pattern = re.compile(r"\b(?:" + "|".join(both) + r")\b")

    def replace(match: re.Match[str]) -> str:
        return both[match[0]]

    return pattern.sub(replace, text), pattern.sub(replace, context), pattern.sub(replace, answer)
