"""How likely each of a few answers is, by the probability of its first token at the end of a prompt.

The same to the last bit whatever was asked before: a prompt is evaluated in steps of fixed places, and what
is held of an earlier one is used again only as whole steps. llama.cpp holds one prompt; a long one is put
aside in memory while something of another kind is asked, so that a story outlasts the threads in between.
"""

from __future__ import annotations

import contextlib
import ctypes
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy

from app.models.prompt_prefixes import Prefixes

STEP = 64
"""Tokens evaluated at once."""
LONG_PROMPT_TOKENS = 2048
"""Tokens. What is shorter is quicker evaluated anew than it is worth the memory; threads are."""
_KINDS = 4
"""Of prompts: threads and stories, each with room for one that is being tried."""
ASIDE = 512 * 1024 * 1024
"""Bytes that may be put aside: a story of 6,000 tokens takes 140 MB with a model of 135 million parameters,
and 220 with many of three billion."""


class Shares(NamedTuple):
    odds: tuple[float, ...]
    """The probability of each choice, of all that the model could say next."""
    tokens: int
    fresh: int
    """How many of them had to be evaluated; the others were held."""


class Stopped(Exception):
    """Nobody waits for it any more."""


class _Aside(NamedTuple):
    """A prompt that was pushed out, as llama.cpp evaluated it."""

    tokens: list[int]
    fixed: int
    state: ctypes.Array[ctypes.c_uint8]


class Weigher:
    """Holds what of the model's context was evaluated in whole steps. `llama` is a llama_cpp.Llama."""

    def __init__(self, llama: Any, library: Any) -> None:
        self._llama, self._library = llama, library
        self._held: list[int] = []
        self._fixed = 0
        """How much of it is the constant that prompts of its kind begin with."""
        self._aside: _Aside | None = None
        self._constants: list[str] = []
        """What prompts were last weighed with, the latest first."""

    def forget(self) -> None:
        """What was evaluated is of no use any more."""
        self._held, self._fixed, self._aside = [], 0, None

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
        if constant:
            self._constants = [constant, *(one for one in self._constants if one != constant)][:_KINDS]
        begin = self._beginning(constant)
        tokens = [*begin, *self._tokens(rest)]
        fixed = len(begin) // STEP * STEP
        start = self._make_ready(tokens)
        self._fixed = fixed
        if start < fixed:
            start = fixed if self._take_up(tokens[:fixed], prefixes) else min(start, len(self._held))
        evaluated = len(tokens) - start
        if start < fixed:
            began = time.perf_counter()
            self._evaluate(tokens, start, fixed, stopping)
            prefixes.save(tokens[:fixed], bytes(self._state()), time.perf_counter() - began)
            start = fixed
        self._evaluate(tokens, start, len(tokens), stopping)
        return Shares(self._shares(first), len(tokens), evaluated)

    def read(self, prompt: str, stopping: Callable[[], bool]) -> list[int]:
        """Evaluate a prompt that is to be gone on with, in the same steps; its tokens, special ones too.
        Raises ValueError for one that is too long."""
        # Cut where it was weighed: blank lines at the end of a text are other tokens than before a word.
        constant = next((one for one in self._constants if prompt.startswith(one)), "")
        rest = prompt.removeprefix(constant)
        tokens = [*self._beginning(constant), *self._tokens(rest, special=True)]
        start = self._make_ready(tokens)
        if start < self._fixed:
            self._fixed = 0
        self._evaluate(tokens, start, len(tokens), stopping)
        return tokens

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

    def _make_ready(self, tokens: list[int]) -> int:
        """How many of these tokens need not be evaluated, in whole steps. What is held of another kind of
        prompt is put aside, and what was put aside of this kind put back."""
        if len(tokens) >= self._llama.n_ctx():
            raise ValueError(f"{len(tokens)} tokens are more than the model can look at")
        last = len(tokens) - 1  # evaluated in any case, for what comes after it
        self.keep_shared()
        shared, aside = _shared(self._held, tokens), self._aside
        here = _whole(min(shared, last))
        there = _whole(min(_shared(aside.tokens, tokens), last)) if aside is not None else 0
        if shared < self._fixed and len(self._held) >= LONG_PROMPT_TOKENS:
            self._put_aside()
        if aside is None or there <= here:
            return here
        if self._aside is aside:
            self._aside = None
        if not self._put(aside.tokens, aside.state):
            return 0
        self._fixed = aside.fixed
        return there

    def _put_aside(self) -> None:
        """Where there is memory for it; it only saves time."""
        self._llama._ctx.kv_cache_seq_rm(-1, len(self._held), -1)
        self._llama.n_tokens = len(self._held)
        if self._library.llama_state_seq_get_size(self._llama.ctx, 0) > ASIDE:
            return
        self._aside = None  # before there is another: two are not kept
        with contextlib.suppress(MemoryError):
            self._aside = _Aside(self._held, self._fixed, self._state())

    def _state(self) -> ctypes.Array[ctypes.c_uint8]:
        size = self._library.llama_state_seq_get_size(self._llama.ctx, 0)
        buffer = (ctypes.c_uint8 * size)()
        got: int = self._library.llama_state_seq_get_data(self._llama.ctx, buffer, size, 0)
        return (ctypes.c_uint8 * got).from_buffer(buffer)

    def _take_up(self, tokens: list[int], prefixes: Prefixes) -> bool:
        """Put what an earlier process evaluated in place."""
        data = prefixes.load(tokens)
        if data is None:
            return False
        return self._put(tokens, (ctypes.c_uint8 * len(data)).from_buffer_copy(data))

    def _put(self, tokens: list[int], state: ctypes.Array[ctypes.c_uint8]) -> bool:
        """Where llama.cpp does not take it, nothing is held any more."""
        if not self._library.llama_state_seq_set_data(self._llama.ctx, state, len(state), 0):
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

    def _tokens(self, text: str, *, special: bool = False) -> list[int]:
        """Without special ones: what stands in a note is only ever text."""
        made: list[int] = self._llama.tokenize(
            text.encode("utf-8", "replace"), add_bos=False, special=special
        )
        return made


def _shared(a: Sequence[int], b: Sequence[int]) -> int:
    for n, (x, y) in enumerate(zip(a, b, strict=False)):
        if x != y:
            return n
    return min(len(a), len(b))


def _whole(tokens: int) -> int:
    return max(0, tokens) // STEP * STEP
