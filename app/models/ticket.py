"""A request on its way: rows come in as they are ready; whoever waits never waits longer than asked."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from app.models.requests import Failed

Answer = TypeVar("Answer")
Rows = Mapping[int, Any]
_LOOK = 0.2
"""Seconds between two looks whether the answer is still wanted."""


class Ticket(Generic[Answer]):
    """The answer to one request, when it is there. Safe to use from any thread."""

    def __init__(
        self,
        size: int,
        time_limit: float | None,
        gather: Callable[[int, Rows, Mapping[int, Failed], Mapping[str, Any]], Answer],
        *,
        attempt_limit: float | None = None,
    ) -> None:
        """`time_limit` is how long anybody waits; `attempt_limit` how long the model may work on it, each
        time it begins: a process that is killed meanwhile costs the request nothing."""
        self.attempt_limit = attempt_limit
        self.deadline = None if time_limit is None else time.monotonic() + time_limit
        self._size = size
        self._gather = gather
        self._rows: dict[int, Any] = {}
        self._failures: dict[int, Failed] = {}
        self._about: dict[str, Any] = {}
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._callbacks: list[Callable[[], None]] = []
        if size == 0:
            self._over.set()

    @property
    def over(self) -> bool:
        """Answered, failed, cancelled or out of time: nobody waits any more."""
        return self._over.is_set()

    @property
    def late(self) -> bool:
        return self.deadline is not None and time.monotonic() >= self.deadline

    def result(self) -> Answer | Failed:
        """Wait at most until the request's own time limit; what has not come by then is failed."""
        left = None if self.deadline is None else max(0.0, self.deadline - time.monotonic())
        if not self._over.wait(left):
            self.fail_rest(Failed("timeout", "the models took too long"))
        return self._answer()

    def unless(self, stopping: Callable[[], bool]) -> Answer | Failed:
        """Wait as long as it takes, but no longer than nobody says stop."""
        while not self._over.wait(_LOOK):
            if stopping():
                self.cancel()
        return self._answer()

    def cancel(self) -> None:
        self.fail_rest(Failed("cancelled", "nobody waits for it any more"))

    def when_over(self, callback: Callable[[], None]) -> None:
        """Call it once the ticket is over, on whichever thread ended it; at once if it is."""
        with self._lock:
            if not self._over.is_set():
                self._callbacks.append(callback)
                return
        callback()

    def give(self, rows: Rows, about: Mapping[str, Any]) -> None:
        """Some rows are ready."""
        with self._lock:
            if self._over.is_set():
                return
            self._rows.update(rows)
            self._about.update(about)
        self._look()

    def fail(self, items: tuple[int, ...], failure: Failed) -> None:
        with self._lock:
            if self._over.is_set():
                return
            self._failures.update(dict.fromkeys(items, failure))
        self._look()

    def fail_rest(self, failure: Failed) -> None:
        """Everything that has not come yet never will."""
        with self._lock:
            if self._over.is_set():
                return
            for item in range(self._size):
                if item not in self._rows:
                    self._failures.setdefault(item, failure)
        self._look()

    def _look(self) -> None:
        with self._lock:
            if self._over.is_set() or len(self._rows) + len(self._failures) < self._size:
                return
            self._over.set()
            callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback()

    def _answer(self) -> Answer | Failed:
        """A failure only when not one row came: the caller can use the others."""
        with self._lock:
            if self._failures and not self._rows:
                return self._failures[min(self._failures)]
            return self._gather(self._size, self._rows, self._failures, self._about)
