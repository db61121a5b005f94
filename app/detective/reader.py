"""The language model over threads: would a reader of today be unsure, and about what."""

from __future__ import annotations

from collections.abc import Sequence

from app.detective.answering import MAX_TOKENS, Told, grammar, read_answer
from app.detective.asking import END, FEW_SHOT, LONGEST, NO, VERSION, YES, written
from app.guard.written import Said, said
from app.models.files import adapter_for, llama_file, llama_name
from app.models.host import ModelHost
from app.models.setup import Setup
from app.models.words import Failed
from app.words import Claim

TIME_LIMIT = 120.0
"""Seconds for one thread; a small model takes one, a model of the person's own may take many."""
_HEARD = 0.02
"""What yes and no together have to be of all it could say: a model that says something else says nothing."""


def can_read(setup: Setup) -> bool:
    """Is there a model worth asking? The one that is carried along was measured, and is not: the arcs alone
    are right more often (docs/quality.md). One of the person's own has to pass the exam first."""
    return setup.llama is not None


class ThreadReader:
    """Reads one thread at a time; at temperature 0, so the same thread gives the same answer."""

    def __init__(self, host: ModelHost, *, tuned: bool = False) -> None:
        """`tuned` for an adapter made for this; without one the model is shown examples first."""
        self._host, self._tuned = host, tuned
        path = llama_file(host.setup)
        adapter = adapter_for(path, host.setup) if path is not None and tuned else None
        self._model = llama_name(path, adapter) if path is not None else ""
        self.reader = f"{VERSION}:{self._model}"
        """Names its answers: another prompt or another model may read otherwise."""

    def odds(self, thread: Sequence[Said]) -> float | Failed | None:
        """The probability of yes against no; None where the model says neither."""
        answer = self._host.weigh(
            "" if self._tuned else FEW_SHOT,
            written(thread[-LONGEST:]) + END,
            (YES, NO),
            tuned=self._tuned,
            attempt_limit=TIME_LIMIT,
        )
        if isinstance(answer, Failed):
            return answer
        if answer.model != self._model:
            return Failed("broken", self._host.status().parts["llama"].reason)
        yes, no = answer.odds
        return yes / (yes + no) if yes + no >= _HEARD else None

    def told(self, thread: Sequence[Claim]) -> Told | Failed | None:
        """Which lines, and the question; for a thread that it said yes to. None where its answer is of no
        use."""
        thread = thread[-LONGEST:]
        shown = "" if self._tuned else FEW_SHOT
        answer = self._host.complete(
            f"{shown}{written(map(said, thread))}{END}{YES}",
            max_tokens=MAX_TOKENS,
            grammar=grammar(len(thread)),
            tuned=self._tuned,
            attempt_limit=TIME_LIMIT,
        )
        if isinstance(answer, Failed):
            return answer
        if not answer.whole:  # cut off in the middle of a question: the lines may still be of use
            return read_answer(answer.text.rpartition("|")[0], thread)
        return read_answer(answer.text, thread)
