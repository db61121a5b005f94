"""When models that failed are tried again: when all is looked at anew, and a while after want of memory."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from app.models.requests import Failed

MEMORY_SECONDS = 300.0
"""So long after models had too little memory they are tried again by themselves. By then a program may have
been closed; and a machine that is full is not filled up again every moment."""


class ModelRetry:
    """Asked for on one thread of the worker, taken on the other."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._asked = threading.Event()
        self._at: float | None = None

    def ask(self) -> None:
        """Everything is looked at anew, and somebody may have repaired something."""
        self._asked.set()

    def heard(self, *failures: Failed | None) -> None:
        """What came of a reading. One that fails again meanwhile does not put the next chance off."""
        if not any(one is not None and one.why == "memory" for one in failures):
            self._at = None
        elif self._at is None:
            self._at = self._clock() + MEMORY_SECONDS

    @property
    def wait(self) -> float | None:
        """Seconds until one is due with nothing happening; None is never."""
        return None if self._at is None else max(0.0, self._at - self._clock())

    def come(self) -> bool:
        """Is it time for the one that comes by itself? It is then there for the next reading, whenever the
        person lets that begin."""
        if self.wait != 0.0:
            return False
        self._at = None
        self._asked.set()
        return True

    def take(self) -> bool:
        """Is there one for the reading that begins? Thereby it is no longer."""
        asked = self._asked.is_set()
        self._asked.clear()
        return asked
