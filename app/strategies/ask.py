"""Asking a person's resolver: in a process of its own, with a time limit, from their configuration folder."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from app import pipes
from app.strategies.api import Contradiction, Resolution, ResolveContext, to_json

_PATIENCE = 3
"""Time-outs after which a function is not asked again by the same asker: its conflicts would queue up."""
_LARGEST = 64 * 1024
"""An answer is short; whatever is longer is none."""


@dataclass(frozen=True, slots=True)
class Failed:
    """No answer, and why, in words for the person."""

    why: str
    late: bool = False
    """It did not answer in time."""


def place(named: str, config: Path, vault: Path) -> Path | Failed:
    """The file of `file.py:function`: inside the configuration folder, and never inside the vault."""
    name = named.partition(":")[0]
    try:
        folder, file = config.resolve(), (config / name).resolve()
        if not file.is_relative_to(folder) or file.is_relative_to(vault.resolve()):
            return Failed(f"{name} does not lie in {folder}; resolvers are taken from nowhere else")
        if not file.is_file():
            return Failed(f"there is no {file}")
    except (OSError, ValueError) as error:
        return Failed(f"{name} cannot be opened: {error}")
    return file


class Resolvers:
    """The person's functions, each in a process that is started when first asked and ended with the block."""

    def __init__(self, config: Path, vault: Path) -> None:
        self._config, self._vault = config, vault
        self._processes: dict[str, _Process] = {}
        self._given_up: dict[str, Failed] = {}
        self._late: dict[str, int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in self._processes.values():
            process.end()
        self._processes.clear()

    def ask(
        self, named: str, contradiction: Contradiction, context: ResolveContext, seconds: float
    ) -> Resolution | Failed:
        process = self._started(named, seconds)
        if isinstance(process, Failed):
            return process
        told = process.ask(to_json(contradiction, context), seconds)
        if isinstance(told, dict):
            if "problem" in told:
                return Failed(f"{named}: {told['problem']}")
            return Resolution(told["kind"], told["claim"], told["strategy"], str(told["why"]))
        self._drop(named, told)
        return Failed(f"{named}: {told.why}", told.late)

    def check(self, named: str, seconds: float) -> Failed | None:
        """Whether the function can be loaded."""
        process = self._started(named, seconds)
        return process if isinstance(process, Failed) else None

    def _started(self, named: str, seconds: float) -> _Process | Failed:
        if named in self._given_up:
            return self._given_up[named]
        if named in self._processes:
            return self._processes[named]
        file = place(named, self._config, self._vault)
        if isinstance(file, Failed):
            self._given_up[named] = Failed(f"{named}: {file.why}")
            return self._given_up[named]
        process = _Process(file, named.partition(":")[2], seconds)
        ready = process.hear(seconds)
        if isinstance(ready, dict) and ready.get("ready"):
            self._processes[named] = process
            return process
        process.end()
        why = ready.why if isinstance(ready, Failed) else str(ready.get("problem"))
        self._given_up[named] = Failed(f"{named}: {why}", isinstance(ready, Failed) and ready.late)
        return self._given_up[named]

    def _drop(self, named: str, why: Failed) -> None:
        """A process that did not answer is ended; the next question gets a new one, up to a point."""
        self._processes.pop(named).end()
        self._late[named] = self._late.get(named, 0) + 1
        if self._late[named] >= _PATIENCE:
            self._given_up[named] = Failed(f"{named}: {why.why}", why.late)


class _Process:
    """One child: lines of JSON over its pipes."""

    def __init__(self, file: Path, function: str, seconds: float) -> None:
        # -P keeps the current folder out of the import path; the new session lets the time limit end what
        # the resolver started itself.
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "app.strategies.child", str(file), function, str(seconds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=file.parent,
            start_new_session=True,
            bufsize=0,
        )
        assert self._process.stdin is not None and self._process.stdout is not None
        self._waker = pipes.make_waker()
        self._pipes = pipes.connect(self._process.stdin.fileno(), self._process.stdout.fileno(), self._waker)
        self._held = b""

    def ask(self, question: dict[str, Any], seconds: float) -> dict[str, Any] | Failed:
        line = json.dumps({**question, "seconds": seconds}).encode("ascii") + b"\n"
        with contextlib.suppress(OSError, pipes.Deaf):  # it has ended, or is busy: hearing tells
            self._pipes.send(line, seconds)
        return self.hear(seconds)

    def hear(self, seconds: float) -> dict[str, Any] | Failed:
        deadline = time.monotonic() + seconds
        while b"\n" not in self._held:
            data = self._pipes.receive(deadline - time.monotonic())
            if data is None:
                return Failed(f"no answer within {seconds:g} seconds", late=True)
            if not data:
                return Failed(f"its process ended ({self._process.wait()})")
            self._held += data
            if len(self._held) > _LARGEST:
                return Failed("its answer is too long")
        line, _, self._held = self._held.partition(b"\n")
        try:
            told = json.loads(line)
        except ValueError:
            told = None
        return told if isinstance(told, dict) else Failed("its answer cannot be read")

    def end(self) -> None:
        self._pipes.close()
        self._waker.close()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:  # what the resolver started itself goes on
                self._process.kill()
        self._process.wait()
