"""A host whose embedder, judge and language model say what a test wants, and fail when it wants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy

from app.detective.thread_prompt import END
from app.models.files import adapter_for, llama_file, llama_name
from app.models.requests import Embedded, Failed, Judged, Weighed
from app.models.setup import Setup
from app.words import Claim

QUIET = (0.02, 0.02, 0.06, 0.4, 0.5)
Odds = tuple[float, ...]


class Saying:
    """The person's own language model is one with an adapter of their own, or none."""

    def __init__(self, cache: Path, *, own: bool = False) -> None:
        adapter = str(cache / "adapter.gguf")
        self.setup = Setup(cache=str(cache), thread_lora=adapter, llama="/nowhere/own.gguf" if own else None)
        self.vectors: dict[str, Sequence[float]] = {}
        """By a word of the text; a text without one has a direction of its own."""
        self.alarms: dict[frozenset[str], Odds] = {}
        """What the judge says of two texts, by a word of each."""
        self.every = QUIET
        """And of all others."""
        self.unsure: dict[frozenset[str], float | Failed | None] = {}
        """What the language model says of lines, by a word of each."""
        self.otherwise: float | Failed | None = 0.01
        self.judging: Failed | None = None
        self.embedding: Failed | None = None
        self.broken_texts: Mapping[int, Failed] = {}
        """Single texts that the embedder could not read."""
        self.broken_rows: Mapping[int, Failed] = {}
        """Single pairs that the judge could not read."""
        self.read: list[tuple[str, ...]] = []
        """The lines that the language model was asked about."""
        self.judged: list[tuple[str, str]] = []
        self._own: dict[str, int] = {}

    def embed(self, texts: Sequence[str], **_: Any) -> Embedded | Failed:
        if self.embedding is not None:
            return self.embedding
        rows = (None if n in self.broken_texts else self._vector(text) for n, text in enumerate(texts))
        return Embedded("said", 64, tuple(rows), self.broken_texts)

    def _vector(self, text: str) -> bytes:
        row = numpy.zeros(64, numpy.float32)
        named = next((vector for word, vector in self.vectors.items() if word in text), None)
        if named is None:
            row[8 + self._own.setdefault(text, len(self._own))] = 1
        else:
            row[: len(named)] = named
        return (row / numpy.linalg.norm(row)).astype(numpy.float16).tobytes()

    def judge(self, pairs: Sequence[tuple[str, str]], **_: Any) -> Judged | Failed:
        if self.judging is not None:
            return self.judging
        self.judged += pairs
        rows = [None if n in self.broken_rows else self._odds(pair) for n, pair in enumerate(pairs)]
        failures = {n: failed for n, failed in self.broken_rows.items() if n < len(pairs)}
        return Judged("said", tuple(rows), failures)

    def _odds(self, pair: tuple[str, str]) -> Odds:
        for words, odds in self.alarms.items():
            one, other = words
            if any(one in a and other in b for a, b in (pair, pair[::-1])):
                return odds
        return self.every

    def weigh(self, constant: str, rest: str, choices: Any, **_: Any) -> Weighed | Failed:
        lines = tuple(rest.removesuffix(END).strip().splitlines())
        self.read.append(lines)
        said = self.otherwise
        for words, unsure in self.unsure.items():
            if len(words) == len(lines) and all(any(word in line for line in lines) for word in words):
                said = unsure
        if isinstance(said, Failed):
            return said
        return Weighed(self._language_model(), (0.0, 0.0) if said is None else (said, 1 - said), 9, 9)

    def _language_model(self) -> str:
        path = llama_file(self.setup)
        return llama_name(path, adapter_for(path, self.setup, "threads")) if path is not None else ""


def by_id(claims: Sequence[Claim]) -> dict[str, Claim]:
    return {claim.id: claim for claim in claims}
