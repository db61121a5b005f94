"""A limit on the processor time that one piece of work may take, whatever it is busy with."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class OutOfTime(BaseException):
    """The budget is spent. No `Exception`: whoever forgives mistakes must not take it for one of them."""


@contextmanager
def time_budget(seconds: float) -> Iterator[None]:
    """Raises OutOfTime in the block once the process has computed for so long in it, even in the middle of a
    pattern. Processor time is what counts, so a busy or sleeping machine costs nothing. Only the main thread
    of a process can be stopped; elsewhere the block runs without a limit."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _ring)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _ring(_: int, __: FrameType | None) -> None:
    raise OutOfTime
