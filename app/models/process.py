"""The parent's end of the model process: start it, send, receive, end it, never waiting longer than told."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

from app import pipes
from app.models import memory
from app.models.frames import Decoder, Garbled, Head, encode
from app.models.setup import Setup
from app.pipes import Waker

# -P keeps the current folder (it may be the vault) out of the import path.
COMMAND = (sys.executable, "-P", "-m", "app.models.child")
NO_MEMORY = 12
"""The exit code of a child that has no memory to go on."""
_LAST_WORDS = 16_000
"""Bytes of its log, from the end, in which one that ended by itself may have said why."""
_LAST_LINES = 12
"""A library that finds no memory says so, and then a few lines more."""
_RAISED = re.compile(r"[\w.]*(?:Error|Exception): *\S")
_STAMP = re.compile(r"^\d{4}-\S+ (?:error )?")
_LONGEST = 200
_ILLEGAL = "illegal instruction: it was built for another CPU"
_CRASHED = "it crashed (bad memory access)"
_CRASHES = {0xC000001D: _ILLEGAL, 0xC0000005: _CRASHED}
"""The exit codes by which Windows says so."""
_STANDS_BACK: int = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
"""On Windows; elsewhere the child sees to it itself."""
_QUIET = {
    # No model is ever looked up elsewhere, and nothing is reported anywhere.
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    # onnxruntime would keep an id of this machine, and send it with what it does some time after its start.
    "ORT_DISABLE_TELEMETRY": "1",
    "TOKENIZERS_PARALLELISM": "false",
    # One heap for all threads, so that what one gives back another can use.
    "MALLOC_ARENA_MAX": "2",
    # What a batch needed is kept for the next one: fetched anew from the system each time, as the C library
    # does with large pieces, it costs a tenth of the time. A batch is small, so it is not much.
    "MALLOC_MMAP_THRESHOLD_": "33554432",
    "MALLOC_TRIM_THRESHOLD_": "67108864",
}


class Gone(Exception):
    """The process has ended or no longer makes sense; `how` says how in plain words."""

    def __init__(self, how: str, *, outside: bool = False, starved: bool = False) -> None:
        super().__init__(how)
        self.how = how
        self.starved = starved
        """It had too little memory, or most likely so."""
        self.outside = outside
        """It was ended from outside, which need not be the request's fault."""


class ModelProcess:
    """One child. Used by one thread; `wake` may be called by any."""

    def __init__(self, setup: Setup, log: Path | None, waker: Waker) -> None:
        with contextlib.ExitStack() as stack:
            errors: int = subprocess.DEVNULL
            self._log, self._written = log, 0
            if log is not None:
                with contextlib.suppress(OSError):
                    file = stack.enter_context(log.open("ab"))
                    errors, self._written = file.fileno(), file.tell()
            threads = {"OMP_NUM_THREADS": str(setup.threads)}
            self._process = subprocess.Popen(
                [*COMMAND, setup.dump()],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                bufsize=0,
                env=os.environ | _QUIET | threads,
                creationflags=_STANDS_BACK,
            )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._starved_before = starved()
        self._pipes = pipes.connect(self._process.stdin.fileno(), self._process.stdout.fileno(), waker)
        self._decoder = Decoder()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def send(self, head: Head, limit: float) -> None:
        """Raises Gone when the process does not take the frame within so many seconds."""
        try:
            self._pipes.send(encode(head), limit)
        except pipes.Deaf:
            raise Gone("it stopped listening") from None
        except OSError:
            raise self._ended() from None

    def receive(self, limit: float) -> list[Head]:
        """What arrived within so many seconds, each frame's body under "body"; earlier when woken."""
        data = self._pipes.receive(limit)
        if data is None:
            return []
        if not data:
            raise self._ended()
        try:
            return [{**head, "body": body} for head, body in self._decoder.feed(data)]
        except Garbled as error:
            raise Gone(f"it said something that makes no sense ({error})") from error

    def _ended(self) -> Gone:
        """Its pipe is closed: it is dead or about to be."""
        try:
            code = self._process.wait(2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            return Gone("it closed its pipe and was ended")
        if code == NO_MEMORY:
            return Gone("it has too little memory", starved=True)
        if code in _CRASHES:
            return Gone(_CRASHES[code])
        if code >= 0:
            # Libraries that find no memory while they are imported end the process themselves, and say so.
            said = self._last_words()
            if memory.lacked("\n".join(said[-_LAST_LINES:])):
                return Gone("it has too little memory", starved=True)
            return Gone(": ".join(filter(None, (f"it ended by itself with code {code}", error_in(said)))))
        name = _signal_name(-code)
        if name == "SIGKILL" and starved() > self._starved_before:
            return Gone("the system ended it for want of memory", starved=True)
        return Gone(how_died(-code), outside=name in ("SIGKILL", "SIGTERM"))

    def _last_words(self) -> list[str]:
        """The last lines that it wrote to its log."""
        try:
            with (self._log or Path(os.devnull)).open("rb") as file:
                size = file.seek(0, os.SEEK_END)
                # A log that is shorter by now was turned over meanwhile.
                start = self._written if self._written <= size else 0
                file.seek(max(start, size - _LAST_WORDS))
                return file.read().decode("utf-8", "replace").strip().splitlines()
        except OSError:
            return []

    def end(self, grace: float) -> None:
        """Close its stdin, which ends it; kill it if that does not help in time."""
        with contextlib.suppress(OSError):
            assert self._process.stdin is not None
            self._process.stdin.close()
        try:
            self._process.wait(grace)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._pipes.close()
        assert self._process.stdout is not None
        self._process.stdout.close()


def error_in(lines: list[str]) -> str:
    """The error that was raised last, else the last line."""
    line = next(filter(_RAISED.match, reversed(lines)), lines[-1] if lines else "")
    return _STAMP.sub("", line)[:_LONGEST]


def starved() -> int:
    """How many processes the system has ended for want of memory so far; 0 where it does not say."""
    try:
        found = re.search(rb"^oom_kill (\d+)$", Path("/proc/vmstat").read_bytes(), re.MULTILINE)
    except OSError:
        return 0
    return int(found[1]) if found else 0


def how_died(number: int) -> str:
    match _signal_name(number):
        case "SIGILL":
            return _ILLEGAL
        case "SIGSEGV" | "SIGBUS":
            return _CRASHED
        case "SIGABRT":
            return "it gave up (abort)"
        case "SIGKILL":
            return "it was killed, perhaps for want of memory"
        case "SIGTERM":
            return "it was told to end"
    return f"signal {number}"


def _signal_name(number: int) -> str:
    """Not every system has every signal."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return ""
