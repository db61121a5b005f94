"""Talking with a child over its pipes without waiting longer than told.

Where the system can wait for a pipe (POSIX), that is what is done. Where it cannot (Windows), a thread waits
in our place; `BY_SELECT` says which.
"""

from __future__ import annotations

import contextlib
import os
import queue
import selectors
import threading
import time
from typing import Protocol

BY_SELECT = os.name == "posix"
_READ = 1 << 20


class Deaf(Exception):
    """The child takes nothing in."""


class Waker(Protocol):
    """Ends another thread's waiting."""

    def wake(self) -> None: ...
    def drain(self) -> None: ...
    def close(self) -> None: ...


class Pipes(Protocol):
    def send(self, data: bytes, limit: float) -> None:
        """Raises Deaf after so many seconds, and OSError where the pipe is closed."""

    def receive(self, limit: float) -> bytes | None:
        """What came within so many seconds, b"" at the end; None where nothing did, or somebody woke us."""

    def close(self) -> None: ...


def make_waker() -> Waker:
    return _PipeWaker() if BY_SELECT else _QueueWaker()


def connect(writing: int, reading: int, waker: Waker) -> Pipes:
    """The parent's ends of the pipes; whoever opened them closes them."""
    if isinstance(waker, _PipeWaker):
        return _Selected(writing, reading, waker)
    assert isinstance(waker, _QueueWaker)
    return _Threaded(writing, reading, waker)


class _PipeWaker:
    def __init__(self) -> None:
        self.out, self._in = os.pipe()
        os.set_blocking(self.out, False)
        os.set_blocking(self._in, False)
        self._lock = threading.Lock()

    def wake(self) -> None:
        with self._lock, contextlib.suppress(OSError):
            if self._in >= 0:
                os.write(self._in, b".")

    def drain(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while os.read(self.out, 4096):
                pass

    def close(self) -> None:
        with self._lock:
            wake, self._in = self._in, -1
        if wake >= 0:
            os.close(wake)
            os.close(self.out)


class _Selected:
    def __init__(self, writing: int, reading: int, waker: _PipeWaker) -> None:
        self._writing, self._reading, self._waker = writing, reading, waker
        os.set_blocking(writing, False)
        os.set_blocking(reading, False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(reading, selectors.EVENT_READ)
        self._selector.register(waker.out, selectors.EVENT_READ)

    def send(self, data: bytes, limit: float) -> None:
        left = memoryview(data)
        until = time.monotonic() + limit
        with selectors.DefaultSelector() as writable:
            writable.register(self._writing, selectors.EVENT_WRITE)
            while left:
                try:
                    left = left[os.write(self._writing, left) :]
                except BlockingIOError:
                    if time.monotonic() > until or not writable.select(until - time.monotonic()):
                        raise Deaf from None

    def receive(self, limit: float) -> bytes | None:
        ready = {key.fd for key, _ in self._selector.select(max(0.0, limit))}
        if self._waker.out in ready:
            self._waker.drain()
        if self._reading not in ready:
            return None
        try:
            return os.read(self._reading, _READ)
        except BlockingIOError:
            return None

    def close(self) -> None:
        self._selector.close()


class _QueueWaker:
    """Wakes whoever waits for the queue of what was read."""

    def __init__(self) -> None:
        self.woken = threading.Condition()
        self.pokes = 0

    def wake(self) -> None:
        with self.woken:
            self.pokes += 1
            self.woken.notify_all()

    def drain(self) -> None:
        with self.woken:
            self.pokes = 0

    def close(self) -> None:
        """There is nothing to close."""


class _Threaded:
    def __init__(self, writing: int, reading: int, waker: _QueueWaker) -> None:
        self._waker = waker
        self._came: list[bytes] = []
        self._to_send: queue.SimpleQueue[tuple[bytes, threading.Event] | None] = queue.SimpleQueue()
        self._broken: OSError | None = None
        for work, pipe in ((self._read, reading), (self._write, writing)):
            # Of its own, so that a number that is given to another file meanwhile is never read or written.
            threading.Thread(target=work, args=(os.dup(pipe),), name="pipe", daemon=True).start()

    def send(self, data: bytes, limit: float) -> None:
        taken = threading.Event()
        self._to_send.put((data, taken))
        if not taken.wait(limit):
            raise Deaf
        if self._broken is not None:
            raise self._broken

    def receive(self, limit: float) -> bytes | None:
        with self._waker.woken:
            self._waker.woken.wait_for(lambda: self._came or self._waker.pokes, max(0.0, limit))
            self._waker.pokes = 0
            if not self._came:
                return None
            # The end stays: whoever asks again is told again.
            return self._came.pop(0) if self._came[0] else b""

    def close(self) -> None:
        self._to_send.put(None)

    def _read(self, pipe: int) -> None:
        data = b"."
        while data:
            try:
                data = os.read(pipe, _READ)
            except OSError:
                data = b""
            with self._waker.woken:
                self._came.append(data)
                self._waker.woken.notify_all()
        os.close(pipe)

    def _write(self, pipe: int) -> None:
        while (job := self._to_send.get()) is not None:
            data, taken = memoryview(job[0]), job[1]
            try:
                while data:
                    data = data[os.write(pipe, data) :]
            except OSError as error:
                self._broken = error
            taken.set()
        os.close(pipe)
