"""The language model reads what the rules could not; whatever goes wrong, their norms stand."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from app.models.files import adapter_for, llama_file, llama_name
from app.models.host import ModelHost
from app.models.requests import Failed, Priority
from app.models.setup import Setup
from app.reading.norm_answer import MAX_TOKENS, grammar, read_answer
from app.reading.norm_prompt import VERSION, Asked, asked
from app.words import Norm, Statement

TIME_LIMIT = 60.0
"""Seconds for one statement; it takes about one, but a model of the person's own may be far larger."""


def can_read(setup: Setup) -> bool:
    """Is there a model whose reading is worth more than the rules'? Ours only with its adapter; one of the
    person's own because they chose it."""
    path = llama_file(setup)
    if path is None:
        return False
    return setup.llama is not None or adapter_for(path, setup, "statements") is not None


@dataclass(frozen=True, slots=True)
class Question:
    """A statement for the model, and what its answer is kept under."""

    asked: Asked

    @property
    def key(self) -> str:
        """Changes when the statement or its surroundings do, as far as the model sees them."""
        return hashlib.blake2b(f"{self.asked.context}\0{self.asked.text}".encode(), digest_size=8).hexdigest()


def question(statement: Statement, title: str) -> Question | None:
    """None for a statement that no model is asked about."""
    found = asked(statement, title)
    return Question(found) if found is not None else None


class Normalizer:
    """Reads one statement at a time."""

    def __init__(self, host: ModelHost) -> None:
        self._host = host
        path = llama_file(host.setup)
        adapter = adapter_for(path, host.setup, "statements") if path is not None else None
        self._tuned = adapter is not None
        self._model = llama_name(path, adapter) if path is not None else ""
        self.reader = f"{VERSION}:{self._model}"
        """Names its answers: another prompt or another model may read otherwise."""

    def read(
        self,
        statement: Statement,
        title: str,
        project: str | None = None,
        *,
        priority: Priority = Priority.BACKGROUND,
    ) -> tuple[Norm, ...] | Failed | None:
        """The norms, possibly none; None where its answer is of no use, Failed where there was no answer."""
        wanted = question(statement, title)
        if wanted is None:
            return None
        answer = self._host.complete(
            wanted.asked.prompt(tuned=self._tuned),
            max_tokens=MAX_TOKENS,
            grammar=grammar(wanted.asked.text),
            tuned="statements" if self._tuned else None,
            # What is read in the background waits for a process that is killed; a person does not.
            timeout=TIME_LIMIT if priority is Priority.INTERACTIVE else None,
            attempt_limit=TIME_LIMIT,
            priority=priority,
        )
        if isinstance(answer, Failed):
            return answer
        if answer.model != self._model:  # its file was replaced meanwhile: kept under the wrong name
            return Failed("broken", "the language model has changed meanwhile; try again")
        if not answer.whole and "\n" in answer.text:
            return read_answer(answer.text.rpartition("\n")[0], statement, title, project)
        return read_answer(answer.text, statement, title, project) if answer.whole else None
