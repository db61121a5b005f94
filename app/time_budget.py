"""A limit on the processor time that one piece of work may take, whatever it is busy with."""

from __future__ import annotations

import ctypes
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_LOOK_SECONDS = 0.05


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
    if not hasattr(signal, "setitimer"):
        with _watched(seconds):
            yield
        return
    before = signal.signal(signal.SIGVTALRM, _ring)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@contextmanager
def _watched(seconds: float) -> Iterator[None]:
    """Where no alarm can be set (Windows), a thread looks at the time. It stops the block between two steps
    of Python, not in the middle of a pattern; patterns take bounded steps."""
    thread, over = ctypes.c_ulong(threading.get_ident()), threading.Event()
    end = time.process_time() + seconds

    def watch() -> None:
        while not over.wait(_LOOK_SECONDS):
            if time.process_time() > end:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(OutOfTime))
                return

    watcher = threading.Thread(target=watch, name="time budget", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()


def _ring(_: int, __: FrameType | None) -> None:
    raise OutOfTime
