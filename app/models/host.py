"""The model host: what the rest of Belie asks the local models, and what it gets for it.

The models live in a child process, which may die at any moment. Whatever happens to it, callers get a typed
answer, at the latest when the time they gave is over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from app.models import answers, log_file
from app.models.files import Tuned
from app.models.jobs import Job, pieces
from app.models.requests import Completed, Embedded, Failed, Judged, Measured, Priority, Status, Weighed
from app.models.setup import Setup
from app.models.supervisor import REST_AFTER, ModelSupervisor
from app.models.ticket import Ticket

LONGEST_TEXT = 20_000
"""Characters; no model looks at more, and a statement of megabytes should not travel."""


class ModelHost:
    """Starts the child when it is first needed and keeps it going. Any thread may call any method."""

    def __init__(
        self,
        setup: Setup | None = None,
        *,
        log: Path | None = None,
        on_status: Callable[[Status], None] | None = None,
        rest_after: float = REST_AFTER,
    ) -> None:
        """`on_status` is called on the host's own thread whenever what works has changed. After `rest_after`
        seconds without a request the child is ended, until the next one."""
        self.setup = (setup or Setup()).resolved()
        self._keeper = ModelSupervisor(self.setup, log or log_file.log_path(), on_status, rest_after)

    # asking
    def embed(
        self,
        texts: Sequence[str],
        *,
        timeout: float | None = None,
        priority: Priority = Priority.BACKGROUND,
    ) -> Embedded | Failed:
        """One vector a text. `timeout` in seconds; without one it waits as long as it takes."""
        return self.ask_embed(texts, time_limit=timeout, priority=priority).result()

    def judge(
        self,
        pairs: Sequence[tuple[str, str]],
        *,
        timeout: float | None = None,
        priority: Priority = Priority.BACKGROUND,
    ) -> Judged | Failed:
        """Probabilities for every pair."""
        return self.ask_judge(pairs, time_limit=timeout, priority=priority).result()

    def complete(
        self,
        prompt: str,
        *,
        max_tokens: int,
        grammar: str | None = None,
        tuned: Tuned | None = None,
        timeout: float | None = None,
        attempt_limit: float | None = None,
        stopping: Callable[[], bool] | None = None,
        priority: Priority = Priority.BACKGROUND,
    ) -> Completed | Failed:
        """What llama.cpp writes after the prompt, held to a GBNF grammar; `tuned` with the adapter for that.
        Who can wait gives an `attempt_limit` instead of a timeout: so long the model may write, however often
        its process was killed before. `stopping` says that nobody wants the answer any more."""
        ticket = self.ask_complete(
            prompt,
            max_tokens=max_tokens,
            grammar=grammar,
            tuned=tuned,
            time_limit=timeout,
            attempt_limit=attempt_limit,
            priority=priority,
        )
        return ticket.result() if stopping is None else ticket.unless(stopping)

    def ask_embed(
        self,
        texts: Sequence[str],
        *,
        time_limit: float | None = None,
        priority: Priority = Priority.BACKGROUND,
    ) -> Ticket[Embedded]:
        cut = [text[:LONGEST_TEXT] for text in texts]
        ticket = Ticket(len(cut), time_limit, answers.embedded)
        return self._keeper.submit(ticket, list(pieces("embed", cut, len, ticket, priority)))

    def ask_judge(
        self,
        pairs: Sequence[tuple[str, str]],
        *,
        time_limit: float | None = None,
        priority: Priority = Priority.BACKGROUND,
    ) -> Ticket[Judged]:
        cut = [(a[:LONGEST_TEXT], b[:LONGEST_TEXT]) for a, b in pairs]
        ticket = Ticket(len(cut), time_limit, answers.judged)
        jobs = pieces("judge", cut, lambda pair: len(pair[0]) + len(pair[1]), ticket, priority)
        return self._keeper.submit(ticket, list(jobs))

    def ask_complete(
        self,
        prompt: str,
        *,
        max_tokens: int,
        grammar: str | None = None,
        tuned: Tuned | None = None,
        time_limit: float | None = None,
        attempt_limit: float | None = None,
        priority: Priority = Priority.BACKGROUND,
    ) -> Ticket[Completed]:
        ticket = Ticket(1, time_limit, answers.completed, attempt_limit=attempt_limit)
        head = {"prompt": prompt, "max_tokens": max_tokens, "grammar": grammar, "tuned": tuned}
        return self._keeper.submit(ticket, [Job("complete", head, (0,), ticket, priority, 0)])

    def weigh(
        self,
        constant: str,
        rest: str,
        choices: Sequence[str],
        *,
        tuned: Tuned | None = None,
        attempt_limit: float | None = None,
        stopping: Callable[[], bool] | None = None,
    ) -> Weighed | Failed:
        """How likely llama.cpp is to say each of the choices after `constant` and `rest`; what all prompts of
        a kind begin with goes into `constant`, and is evaluated once."""
        ticket = Ticket(1, None, answers.weighed, attempt_limit=attempt_limit)
        head = {"constant": constant, "rest": rest, "choices": list(choices), "tuned": tuned}
        self._keeper.submit(ticket, [Job("weigh", head, (0,), ticket, Priority.BACKGROUND, 0)])
        return ticket.result() if stopping is None else ticket.unless(stopping)

    def measure(self, texts: Sequence[str]) -> Measured | Failed:
        """How long texts are in llama.cpp's own tokens, and how many it can look at together."""
        ticket = Ticket(1, None, answers.measured)
        head = {"texts": [text[:LONGEST_TEXT] for text in texts]}
        job = Job("measure", head, (0,), ticket, Priority.BACKGROUND, 0)
        return self._keeper.submit(ticket, [job]).result()

    def status(self) -> Status:
        """What works, for the status line."""
        return self._keeper.status()

    @property
    def pid(self) -> int | None:
        """The child's, while there is one."""
        return self._keeper.pid

    def another_chance(self) -> bool:
        """Start anew with the next request, if a model failed, had to be stood in for, or is there by now:
        those given up are tried again, changed files are read. Says whether; where all is well, nothing is
        disturbed."""
        return self._keeper.another_chance()

    def close(self, timeout: float = 5.0) -> None:
        """End the child; whoever still waits is told so."""
        self._keeper.close(timeout)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
