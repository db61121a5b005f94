"""How likely each of a few answers is, by the probability of its first token at the end of a prompt.

The same to the last bit whatever was asked before: a prompt is evaluated in steps of fixed places, and what
is held of an earlier one is used again only as whole steps.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy

from app.models.prefixes import Prefixes

STEP = 64
"""Tokens evaluated at once."""


class Shares(NamedTuple):
    odds: tuple[float, ...]
    """The probability of each choice, of all that the model could say next."""
    tokens: int
    fresh: int
    """How many of them had to be evaluated; the others were held."""


class Stopped(Exception):
    """Nobody waits for it any more."""


class Weigher:
    """Holds what of the model's context was evaluated in whole steps. `llama` is a llama_cpp.Llama."""

    def __init__(self, llama: Any, library: Any) -> None:
        self._llama, self._library = llama, library
        self._held: list[int] = []

    def forget(self) -> None:
        """What was evaluated is of no use any more."""
        self._held = []

    def keep_shared(self) -> None:
        """Something else was evaluated since: only what both began with is still as it was."""
        self._held = self._held[: _shared(self._held, self._there())]

    def weigh(
        self,
        constant: str,
        rest: str,
        choices: Sequence[str],
        *,
        prefixes: Prefixes,
        stopping: Callable[[], bool],
    ) -> Shares:
        """`constant` is what every prompt of this kind begins with: its evaluation is kept on disk. Raises
        ValueError for a prompt that is too long, or choices that begin alike."""
        first = [self._tokens(choice)[0] for choice in choices]
        if len(set(first)) < len(first):
            raise ValueError("two of the choices begin with the same token")
        begin = self._beginning(constant)
        tokens = [*begin, *self._tokens(rest)]
        if len(tokens) >= self._llama.n_ctx():
            raise ValueError(f"{len(tokens)} tokens are more than the model can look at")
        fixed = len(begin) // STEP * STEP
        start = _whole(min(_shared(self._held, tokens), _shared(tokens, self._there()), len(tokens) - 1))
        if start < fixed and self._take_up(tokens[:fixed], prefixes):
            start = fixed
        evaluated = len(tokens) - start
        if start < fixed:
            began = time.perf_counter()
            self._evaluate(tokens, start, fixed, stopping)
            prefixes.save(tokens[:fixed], self._state(), time.perf_counter() - began)
            start = fixed
        self._evaluate(tokens, start, len(tokens), stopping)
        return Shares(self._shares(first), len(tokens), evaluated)

    def _evaluate(self, tokens: list[int], start: int, end: int, stopping: Callable[[], bool]) -> None:
        self._llama.n_tokens = start
        for at in range(start, end, STEP):
            if stopping():
                raise Stopped
            self._llama.eval(tokens[at : min(at + STEP, end)])
            self._held = tokens[: min(at + STEP, end)]

    def _shares(self, first: Sequence[int]) -> tuple[float, ...]:
        llama = self._llama
        row = self._library.llama_get_logits_ith(llama.ctx, -1)
        logits = numpy.ctypeslib.as_array(row, shape=(llama.n_vocab(),)).astype(numpy.float64)
        logits -= logits.max()
        whole = float(numpy.exp(logits).sum())
        return tuple(float(numpy.exp(logits[token])) / whole for token in first)

    def length(self, text: str) -> int:
        """In tokens."""
        return len(self._tokens(text))

    # what is held
    def _there(self) -> list[int]:
        tokens: list[int] = self._llama.input_ids[: self._llama.n_tokens].tolist()
        return tokens

    def _state(self) -> bytes:
        size = self._library.llama_state_seq_get_size(self._llama.ctx, 0)
        buffer = (ctypes.c_uint8 * size)()
        got = self._library.llama_state_seq_get_data(self._llama.ctx, buffer, size, 0)
        return bytes(memoryview(buffer)[:got])

    def _take_up(self, tokens: list[int], prefixes: Prefixes) -> bool:
        """Put what an earlier process evaluated in place."""
        data = prefixes.load(tokens)
        if data is None:
            return False
        buffer = (ctypes.c_uint8 * len(data)).from_buffer_copy(data)
        if not self._library.llama_state_seq_set_data(self._llama.ctx, buffer, len(data), 0):
            self._llama.reset()
            self._held = []
            return False
        self._llama.n_tokens = len(tokens)
        self._llama.input_ids[: len(tokens)] = tokens
        self._held = list(tokens)
        return True

    # tokens
    def _beginning(self, constant: str) -> list[int]:
        opens = [self._llama.token_bos()] if self._llama._model.add_bos_token() else []
        return [*opens, *self._tokens(constant)] if constant else opens

    def _tokens(self, text: str) -> list[int]:
        """Without special ones: what stands in a note is only ever text."""
        made: list[int] = self._llama.tokenize(text.encode("utf-8", "replace"), add_bos=False, special=False)
        return made


def _shared(a: Sequence[int], b: Sequence[int]) -> int:
    for n, (x, y) in enumerate(zip(a, b, strict=False)):
        if x != y:
            return n
    return min(len(a), len(b))


def _whole(tokens: int) -> int:
    return max(0, tokens) // STEP * STEP
