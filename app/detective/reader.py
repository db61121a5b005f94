"""The language model over threads and whole stories: would a reader today be unsure, and about what?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from app.detection.judge_input import Said, said
from app.detective import story_prompt
from app.detective.story import BATCH_TOKENS, Line
from app.detective.thread_answer import MAX_TOKENS, NamedLines, ThreadAnswer, grammar, read_answer
from app.detective.thread_prompt import END, FEW_SHOT, LONGEST, NO, VERSION, YES, written
from app.models.files import Tuned, adapter_for, llama_file, llama_name
from app.models.host import ModelHost
from app.models.requests import Failed
from app.models.setup import Setup
from app.words import Claim

TIME_LIMIT = 120.0
"""Seconds per thread; a small model takes one, a person's own model may take many."""
STORY_TIME_LIMIT = 900.0
"""Seconds per batch of a story: thousands of tokens, at a few dozen a second with a large model."""
CONTEXT = 4096
"""The smallest context, in tokens, with which whole stories are worth reading."""
_SPARE = 32
"""Spare tokens: a text may have slightly more than the sum of its lines."""
_MIN_ANSWERED = 0.02
"""The least probability of yes and no together: below it, the model has not answered."""

Stopping = Callable[[], bool]
"""Is the answer no longer wanted? Checked continually while the model reads."""


def never() -> bool:
    return False


def can_read(setup: Setup) -> bool:
    """Is there a model worth asking about a vault? A person's own model must pass an exam first; the shipped
    one needs its adapter and reads together with the judge."""
    return setup.llama is not None or has_thread_adapter(setup)


def has_thread_adapter(setup: Setup) -> bool:
    """Is there a model with an adapter for threads? Its opinion on two statements counts."""
    return _adapter(setup) is not None


def _adapter(setup: Setup) -> Path | None:
    path = llama_file(setup)
    return adapter_for(path, setup, "threads") if path is not None else None


class ThreadReader:
    """Reads one thread at a time; at temperature 0, so the same thread gives the same answer. A model without
    an adapter for this is shown examples first."""

    def __init__(self, host: ModelHost) -> None:
        self._host = host
        path, adapter = llama_file(host.setup), _adapter(host.setup)
        self._tuned: Tuned | None = "threads" if adapter is not None else None
        self._model = llama_name(path, adapter) if path is not None else ""
        self.reader = f"{VERSION}:{self._model}"
        """The name its answers are stored under: another prompt or model may answer differently."""

    def odds(self, thread: Sequence[Said], stopping: Stopping = never) -> float | Failed | None:
        """The probability of yes against no; None if the model says neither."""
        answer = self._host.weigh(
            "" if self._tuned else FEW_SHOT,
            written(thread[-LONGEST:]) + END,
            (YES, NO),
            tuned=self._tuned,
            attempt_limit=TIME_LIMIT,
            stopping=stopping,
        )
        if isinstance(answer, Failed):
            return answer
        if answer.model != self._model:
            return Failed("broken", self._host.status().parts["llama"].reason)
        yes, no = answer.odds
        return yes / (yes + no) if yes + no >= _MIN_ANSWERED else None

    def told(self, thread: Sequence[Claim], stopping: Stopping = never) -> ThreadAnswer | Failed | None:
        """Which lines, and the question, for a thread it said yes to. None if its answer is useless."""
        thread = thread[-LONGEST:]
        shown = "" if self._tuned else FEW_SHOT
        answer = self._host.complete(
            f"{shown}{written(map(said, thread))}{END}{YES}",
            max_tokens=MAX_TOKENS,
            grammar=grammar(len(thread)),
            tuned=self._tuned,
            attempt_limit=TIME_LIMIT,
            stopping=stopping,
        )
        if isinstance(answer, Failed):
            return answer
        if not answer.whole:  # cut off inside the question: the lines may still be useful
            return read_answer(answer.text.rpartition("|")[0], thread)
        return read_answer(answer.text, thread)


def can_read_story(setup: Setup) -> bool:
    """May it read a whole story, as far as is known without starting it?"""
    return setup.llama is not None and setup.context >= CONTEXT


class Room(NamedTuple):
    """What fits into one batch."""

    tokens: int
    """For lines; 0 if the model's context is too small for a story."""
    lines: tuple[int, ...]
    """How many tokens each line takes, with its number."""


class StoryReader:
    """Reads a batch of a story at a time; at temperature 0, as threads are."""

    def __init__(self, host: ModelHost) -> None:
        self._host = host
        path = llama_file(host.setup)
        self._model = llama_name(path, None) if path is not None else ""
        self.reader = f"story-{story_prompt.VERSION}:{self._model}"
        """The name its exam is stored under."""

    def room(self, lines: Sequence[Line]) -> Room | Failed:
        """By the model's own count."""
        texts = [f"{story_prompt.MOST_LINES}. {line.text}\n" for line in lines]
        answer = self._host.measure([story_prompt.CONSTANT, *texts])
        if isinstance(answer, Failed):
            return answer
        constant, *sizes = answer.tokens
        left = answer.context - constant - story_prompt.MAX_TOKENS - _SPARE
        return Room(min(BATCH_TOKENS, left) if answer.context >= CONTEXT else 0, tuple(sizes))

    def found(self, lines: Sequence[str], stopping: Stopping) -> list[NamedLines] | Failed:
        """What it is unsure about; empty if it rather says no, or neither. Yes and no are weighed first: that
        can be stopped at any time and leaves the prompt evaluated for the answer."""
        asked = story_prompt.numbered(lines) + END
        weighed = self._host.weigh(
            story_prompt.CONSTANT, asked, (YES, NO), attempt_limit=STORY_TIME_LIMIT, stopping=stopping
        )
        if isinstance(weighed, Failed):
            return weighed
        if weighed.model != self._model:
            return Failed("broken", self._host.status().parts["llama"].reason)
        yes, no = weighed.odds
        if yes <= no or yes + no < _MIN_ANSWERED:
            return []
        answer = self._host.complete(
            f"{story_prompt.CONSTANT}{asked}{YES}\n",
            max_tokens=story_prompt.MAX_TOKENS,
            grammar=story_prompt.grammar(),
            attempt_limit=STORY_TIME_LIMIT,
            stopping=stopping,
        )
        if isinstance(answer, Failed):
            return answer
        # If it was cut off, what precedes the last bar is complete.
        text = answer.text if answer.whole else answer.text.rpartition("|")[0]
        return story_prompt.read_found(text, len(lines))
