"""Pieces of requests in the order they are worked on, and what becomes of one that killed the process."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from app.models.frames import Head
from app.models.requests import Component, Failed, Priority
from app.models.ticket import Ticket

LIMIT = 3
"""So often a request may kill the process by itself."""
KILLS = 150
"""So often it may have been killed from outside meanwhile, which is hardly the request's fault: somebody
cleans up, or a program that guards memory ends the largest. In the end that is believed too."""

COMPONENT_OF: dict[str, Component] = {
    "embed": "embedder",
    "judge": "judge",
    "complete": "llama",
    "weigh": "llama",
    "measure": "llama",
}
PIECE = {"embed": 64, "judge": 32}
"""Items in one piece: what the person waits for goes in between two of them."""
_ITEMS = {"embed": "texts", "judge": "pairs"}
_LIMITED = ("embed", "judge", "measure")
"""For what is written, whoever asks says how long it may take."""
ATTEMPT_SECONDS = 120.0
"""So long the process may work on one piece: it beats on while native code hangs, so silence does not tell.
The models that ship take about a second; a large one of the person's own that takes longer than this is then
asked item by item, and has so long for each."""
_PROBES: dict[Component, tuple[str, Head]] = {
    "embedder": ("embed", {"texts": ["The door is open."]}),
    "judge": ("judge", {"pairs": [("The door is open.", "The door is shut.")]}),
    "llama": ("complete", {"prompt": "The door is", "max_tokens": 1}),
}


@dataclass(slots=True, eq=False)
class Job:
    """One piece of a request, sent in one frame."""

    kind: str
    head: Head
    items: tuple[int, ...]
    """Which of the ticket's rows these are."""
    ticket: Ticket[Any]
    priority: Priority
    number: int
    deaths: int = 0
    kills: int = 0
    probe: bool = False
    """Nobody asked it: whether its model still answers anything."""

    @property
    def attempt_limit(self) -> float | None:
        """Seconds after which the process counts as dead over it."""
        return ATTEMPT_SECONDS if self.probe or self.kind in _LIMITED else None

    @property
    def component(self) -> Component:
        return COMPONENT_OF[self.kind]

    def singles(self) -> Iterator[Job]:
        """Each item by itself, so that blame falls on the one that deserves it."""
        name = _ITEMS[self.kind]
        for item, content in zip(self.items, self.head[name], strict=True):
            yield Job(
                self.kind, {**self.head, name: [content]}, (item,), self.ticket, self.priority, self.number
            )


def pieces(
    kind: str, contents: list[Any], weight: Callable[[Any], int], ticket: Ticket[Any], priority: Priority
) -> Iterator[Job]:
    """A long request in pieces of like length, so that little is padded."""
    order = sorted(range(len(contents)), key=lambda n: (weight(contents[n]), n))
    size = PIECE[kind]
    for start in range(0, len(order), size):
        items = tuple(order[start : start + size])
        yield Job(kind, {_ITEMS[kind]: [contents[n] for n in items]}, items, ticket, priority, 0)


def probe(component: Component) -> Job:
    """What any model of this kind can answer, before everything that waits. One death by itself is enough:
    many came before it."""
    kind, head = _PROBES[component]
    ticket: Ticket[None] = Ticket(1, None, lambda *_: None)
    return Job(kind, head, (0,), ticket, Priority.INTERACTIVE, -1, deaths=LIMIT - 1, probe=True)


def after_death(job: Job, *, outside: bool = False) -> list[Job]:
    """What to try next: the same again, then every item by itself, then nothing: it is to be set aside."""
    if outside:
        job.kills += 1
    else:
        job.deaths += 1
    if len(job.items) > 1:
        return [job] if job.deaths + job.kills < 2 else list(job.singles())
    return [job] if job.deaths < LIMIT and job.kills < KILLS else []


@dataclass(slots=True)
class Queue:
    """Interactive before background, first come first served within; not locked, the host does that."""

    _heap: list[tuple[int, int, int, Job]] = field(default_factory=list)
    _counter: Iterator[int] = field(default_factory=itertools.count)

    def __len__(self) -> int:
        return len(self._heap)

    def add(self, job: Job) -> None:
        job.number = next(self._counter)
        self.put_back([job])

    def put_back(self, jobs: list[Job]) -> None:
        """In the place they had: a retried one comes before its neighbours, so blame is soon settled."""
        for job in jobs:
            heapq.heappush(self._heap, (job.priority, job.number, job.items[0], job))

    def take(self) -> Job | None:
        """The next one somebody still waits for."""
        while self._heap:
            job = heapq.heappop(self._heap)[-1]
            if job.ticket.late:
                job.ticket.fail_rest(Failed("timeout", "the models took too long"))
            if not job.ticket.over:
                return job
        return None

    def remove(self, component: Component | None = None) -> list[Job]:
        """All jobs of one model, or all."""
        gone = [entry[-1] for entry in self._heap if component in (None, entry[-1].component)]
        self._heap = [entry for entry in self._heap if component not in (None, entry[-1].component)]
        heapq.heapify(self._heap)
        return gone
