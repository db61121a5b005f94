"""Keeps the model process going: one thread that works the queue, starts the child and judges its deaths.

One request is under way at a time, so that blame for a death is plain.
"""

from __future__ import annotations

import itertools
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from app.models import answers, files, log_file
from app.models.health import Health, first_look, own_parts
from app.models.jobs import Job, Queue, after_death, probe
from app.models.process import Gone, ModelProcess
from app.models.requests import Component, Failed, Status
from app.models.setup import Setup
from app.models.ticket import Ticket
from app.pipes import make_waker

SILENCE = 60.0
"""The child says something every second while it works; one that is silent this long hangs."""
LOAD_LIMIT = 180.0
GRACE = 10.0
"""A cancelled request may go on this long before the child is ended for it."""

REST_AFTER = 180.0
"""Seconds without a request after which the child is ended: idle models give their memory back."""

_CLOSED = Failed("closed", "the models have been shut down")


class _Overdue(Exception):
    """A request nobody waits for any more does not end."""


def _too_long(ticket: Ticket[Any], seconds: float) -> bool:
    return ticket.attempt_limit is not None and seconds > ticket.attempt_limit


class ModelSupervisor:
    """What stands behind a ModelHost."""

    def __init__(
        self, setup: Setup, log: Path, on_status: Callable[[Status], None] | None, rest_after: float
    ) -> None:
        self.setup = setup
        self._log = log
        self._rest_after = rest_after
        self._on_status = on_status
        self._changed = threading.Condition()
        self._queue = Queue()
        self._health = Health(first_look(setup), own_parts(setup), limited=setup.memory_mb > 0)
        self._process: ModelProcess | None = None
        self._thread: threading.Thread | None = None
        self._closing = False
        self._renew = False
        self._not_before = 0.0
        self._told: tuple[Any, ...] = ()
        self._numbers = itertools.count(1)
        self._waker = make_waker()

    def submit(self, ticket: Ticket[Any], jobs: list[Job]) -> Ticket[Any]:
        with self._changed:
            if self._closing:
                ticket.fail_rest(_CLOSED)
                return ticket
            for job in jobs:
                self._queue.add(job)
            if self._thread is None and jobs:
                self._thread = threading.Thread(target=self._work, name="model host", daemon=True)
                self._thread.start()
            self._changed.notify_all()
        # A request given up while it is under way: the child is told, not waited for.
        ticket.when_over(self._waker.wake)
        return ticket

    def status(self) -> Status:
        with self._changed:
            return self._status()

    def _status(self) -> Status:
        health = self._health
        process: Literal["off", "running", "restarting", "closed"]
        if self._closing:
            process = "closed"
        elif self._process is not None:
            process = "running"
        else:
            process = "restarting" if health.deaths_in_a_row else "off"
        return Status(process, dict(health.parts), health.deaths, health.set_aside, health.last_error)

    @property
    def pid(self) -> int | None:
        process = self._process
        return process.pid if process is not None else None

    def another_chance(self) -> bool:
        there = first_look(self.setup)
        with self._changed:
            if not self._health.may_mend(there):
                return False
            self._renew = True
            self._changed.notify_all()
        files.llama_name.cache_clear()  # the file may be another one
        self._waker.wake()
        return True

    def close(self, timeout: float = 5.0) -> None:
        with self._changed:
            if self._closing:
                return
            self._closing = True
            self._changed.notify_all()
            thread = self._thread
        self._waker.wake()
        if thread is not None:
            thread.join(timeout)
        for job in self._queue.remove():
            job.ticket.fail_rest(_CLOSED)
        if thread is None or not thread.is_alive():
            self._waker.close()

    # the host's own thread
    def _work(self) -> None:
        while (job := self._next()) is not None:
            try:
                self._attempt(job)
                self._tell()
            except _Overdue:
                self._end_process()
                if self._closing:
                    job.ticket.fail_rest(_CLOSED)
            except OSError as error:  # the child cannot even be started
                self._give_up_start(job, error)
            except Exception as error:  # whoever waits must hear of it, and the next request be served
                self._end_process()
                reason = f"{type(error).__name__}: {error}"
                log_file.note_error(self._log, f"host: {reason}")
                job.ticket.fail_rest(Failed("broken", reason))
        self._end_process()

    def _next(self) -> Job | None:
        """The next job, once the process may be started for it; None when closing."""
        with self._changed:
            while not self._closing:
                if self._renew:
                    self._begin_anew()
                pause = 0.0 if self._process is not None else self._not_before - time.monotonic()
                if pause > 0:
                    self._changed.wait(pause)
                elif (job := self._queue.take()) is not None:
                    return job
                elif self._process is None:
                    self._changed.wait()
                elif not self._changed.wait(self._rest_after):
                    self._rest()
            return None

    def _rest(self) -> None:
        """Nobody has asked anything for a while: end the child. The next request starts another."""
        self._end_process()
        self._tell()

    def _begin_anew(self) -> None:
        self._renew = False
        self._end_process()
        self._health.forgive(first_look(self.setup))
        self._not_before = 0.0

    def _attempt(self, job: Job) -> None:
        component = job.component
        if self._health.parts[component].state in ("absent", "failed"):
            job.ticket.fail(job.items, self._health.failure(component))
            return
        process = self._running()
        if component not in self._health.loaded:
            try:
                ready = self._load(process, component)
            except Gone as gone:
                self._died(gone, component)
                with self._changed:
                    given_up = self._health.died_loading(gone, component)
                    self._queue.put_back([job])
                if given_up:
                    self._fail_all(component)
                return
            if not ready:
                job.ticket.fail(job.items, self._health.failure(component))
                self._fail_all(component)
                return
        try:
            reply = self._exchange(process, {"kind": job.kind, **job.head}, job.ticket, job.attempt_limit)
        except Gone as gone:
            self._died(gone, component)
            self._blame(job, gone)
            return
        self._take(job, reply)

    def _running(self) -> ModelProcess:
        """The child, started if there is none; one that died idle is nobody's fault."""
        if self._process is not None and not self._process.alive:
            self._end_process()
        if self._process is None:
            self._process = ModelProcess(self.setup, log_file.ready(self._log), self._waker)
        return self._process

    def _load(self, process: ModelProcess, component: Component) -> bool:
        with self._changed:
            self._health.loading(component)
        self._tell()
        reply = self._exchange(process, {"kind": "load", "component": component}, None, LOAD_LIMIT)
        with self._changed:
            if "why" in reply:
                self._health.load_failed(component, reply["why"], reply["reason"])
                return False
            self._health.load_succeeded(component, reply["name"], reply["note"])
        self._tell()
        return True

    def _exchange(
        self, process: ModelProcess, head: dict[str, Any], ticket: Ticket[Any] | None, limit: float | None
    ) -> dict[str, Any]:
        """Send a request and wait for its answer; `ticket` None for loading, which nobody cancels. After
        `limit` seconds the process counts as dead."""
        number = next(self._numbers)
        process.send({**head, "id": number}, SILENCE)
        began = heard = time.monotonic()
        given_up: float | None = None
        while True:
            now = time.monotonic()
            if self._closing:
                raise _Overdue
            if (
                ticket is not None
                and given_up is None
                and (ticket.over or ticket.late or _too_long(ticket, now - began))
            ):
                ticket.fail_rest(Failed("timeout", "the models took too long"))
                given_up = now
                process.send({"cancel": number}, SILENCE)
            if given_up is not None and now - given_up > GRACE:
                raise _Overdue
            if now - heard > SILENCE:
                raise Gone("it hung")
            if limit is not None and given_up is None and now - began > limit:
                raise Gone(f"it took longer than {limit:g} seconds")
            wait = 1.0
            if limit is not None and given_up is None:
                wait = min(wait, began + limit - now)
            if ticket is not None and ticket.deadline is not None and given_up is None:
                wait = min(wait, ticket.deadline - now)
            for reply in process.receive(wait):
                heard = time.monotonic()
                if reply.get("id") == number:
                    return reply

    def _take(self, job: Job, reply: dict[str, Any]) -> None:
        if "why" not in reply:
            with self._changed:
                self._health.worked(job.component)
            try:
                rows, about = answers.rows_of(job, reply)
            except ValueError as error:
                job.ticket.fail(job.items, Failed("broken", f"the answer has another shape: {error}"))
                return
            job.ticket.give(rows, about)
        elif reply["why"] == "refused" and len(job.items) > 1:
            with self._changed:
                self._queue.put_back(list(job.singles()))
        else:
            with self._changed:
                self._health.last_error = f"{job.component}: {reply['reason']}"
            job.ticket.fail(job.items, Failed(reply["why"], reply["reason"]))

    # when it dies
    def _died(self, gone: Gone, component: Component) -> None:
        self._end_process()
        with self._changed:
            self._health.died(gone, component)
            self._not_before = time.monotonic() + self._health.wait()
        log_file.note_error(self._log, f"{component}: the model process died: {gone.how}")

    def _blame(self, job: Job, gone: Gone) -> None:
        again = after_death(job, outside=gone.outside)
        with self._changed:
            self._queue.put_back(again)
        if not again:
            self._set_aside(job, gone)

    def _set_aside(self, job: Job, gone: Gone) -> None:
        component = job.component
        with self._changed:
            if job.probe:
                self._health.give_up(gone, component)
            elif self._health.put_aside(component):
                self._queue.put_back([probe(component)])
        times = job.deaths + job.kills
        reason = f"set aside: the model process ended {times} times over it ({gone.how})"
        job.ticket.fail(job.items, Failed("crashed", reason))
        if job.probe:
            self._fail_all(component)

    def _fail_all(self, component: Component) -> None:
        """Nothing that waits for this model will be answered."""
        failure = self._health.failure(component)
        log_file.note_error(self._log, f"{component}: {failure.reason}")
        with self._changed:
            jobs = self._queue.remove(component)
        for job in jobs:
            job.ticket.fail(job.items, failure)

    def _give_up_start(self, job: Job, error: OSError) -> None:
        reason = f"the model process cannot be started: {error.strerror or error}"
        with self._changed:
            self._process = None
            self._health.last_error = reason
            self._health.deaths_in_a_row += 1
            self._not_before = time.monotonic() + self._health.wait()
        job.ticket.fail_rest(Failed("broken", reason))

    def _end_process(self) -> None:
        process, self._process = self._process, None
        self._health.loaded.clear()
        if process is not None:
            process.end(0.0)

    def _tell(self) -> None:
        self._waker.drain()
        if self._on_status is not None:
            status = self.status()
            seen = (status.process, status.parts, status.deaths, status.set_aside)
            if seen != self._told:
                self._told = seen
                self._on_status(status)
