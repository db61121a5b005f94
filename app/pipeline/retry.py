"""When models that failed are tried again: when everything is looked at again, and some time after memory ran
out."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from app.models.requests import Failed

MEMORY_SECONDS = 300.0
"""Seconds after which models that ran out of memory are tried again. By then a program may have been closed;
and a full machine is not filled up again at once."""


class ModelRetry:
    """A pending retry: requested on one thread of the worker, consumed on the other."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._asked = threading.Event()
        self._at: float | None = None

    def request(self) -> None:
        """Everything is looked at again, and something may have been repaired."""
        self._asked.set()

    def note_failures(self, *failures: Failed | None) -> None:
        """Note how a reading ended. Another failure does not postpone a retry that is already scheduled."""
        if not any(one is not None and one.why == "memory" for one in failures):
            self._at = None
        elif self._at is None:
            self._at = self._clock() + MEMORY_SECONDS

    @property
    def wait(self) -> float | None:
        """Seconds until a retry is due if nothing happens; None means never."""
        return None if self._at is None else max(0.0, self._at - self._clock())

    def become_due(self) -> bool:
        """Is the scheduled retry due? It then applies to the next reading, whenever that begins."""
        if self.wait != 0.0:
            return False
        self._at = None
        self._asked.set()
        return True

    def consume(self) -> bool:
        """Consume the pending retry, if any."""
        asked = self._asked.is_set()
        self._asked.clear()
        return asked
