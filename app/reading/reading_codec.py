"""Readings as text for the store's cache, and back."""

from __future__ import annotations

import json
from sys import intern
from typing import Any, cast

from app.reading.frame import Amount, Frame, Reading, Word, WordSort
from app.reading.quantity import Quantity


def encode_reading(reading: Reading) -> str:
    made = [[_frame(f) for f in reading.frames], _words(reading.title), _words(reading.around)]
    return json.dumps(made, ensure_ascii=False, separators=(",", ":"))


def decode_reading(stored: str) -> Reading:
    frames, title, around = json.loads(stored)
    return Reading(tuple(map(_frame_from, frames)), _words_from(title), _words_from(around))


def _words(words: tuple[Word, ...]) -> list[list[Any]]:
    return [[w.lemma, w.sort, w.role, w.of, w.start] for w in words]


def _words_from(rows: list[list[Any]]) -> tuple[Word, ...]:
    # The same few roles and lemmas recur: keep one object each.
    return tuple(
        Word(intern(lemma), cast(WordSort, intern(sort)), intern(role), intern(of), start)
        for lemma, sort, role, of, start in rows
    )


def _frame(f: Frame) -> list[Any]:
    return [
        _words(f.words), [_amount(a) for a in f.amounts], f.predicate, f.negated, f.demand, f.tense,
        sorted(f.quantifiers), sorted(f.condition), sorted(f.exception), f.passive, f.has_subject, f.held,
    ]  # fmt: skip


def _frame_from(row: list[Any]) -> Frame:
    words, amounts, predicate, negated, demand, tense, quantifiers, condition, exception, *rest = row
    return Frame(
        _words_from(words), tuple(map(_amount_from, amounts)), predicate, negated, demand, tense,
        frozenset(quantifiers), frozenset(condition), frozenset(exception), *rest,
    )  # fmt: skip


def _amount(a: Amount) -> list[Any]:
    q = a.quantity
    fields = [q.start, q.end, q.dimension, q.low, q.high, q.bound, q.rough, q.step, q.label, q.year, q.unit]
    return [fields, a.role, a.of, a.text]


def _amount_from(row: list[Any]) -> Amount:
    fields, role, of, text = row
    return Amount(Quantity(*fields), role, of, text)
