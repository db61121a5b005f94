"""The model process: `python -P -m app.models.child SETUP`, started by the host, spoken to in frames.

Frames come in on stdin and go out on what was stdout; its own stdout and stderr are the log, because
llama.cpp writes to both. It ends when told to or when the parent is gone.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from types import ModuleType
from typing import IO, Any

from app.models import frames, memory
from app.models.embedder import Embedder, load_embedder
from app.models.files import Absent, Unusable
from app.models.frames import Head
from app.models.judge import Judge, load_judge
from app.models.llama import LlamaModel, load_llama
from app.models.process import NO_MEMORY
from app.models.setup import Setup

_limits: ModuleType | None
try:
    import resource as _limits
except ImportError:  # Windows
    _limits = None

_BEAT_SECONDS = 1.0


def log(line: str) -> None:
    """Never a note's text: the log is not the person's vault."""
    stamp = datetime.now(UTC).isoformat(timespec="seconds")
    print(f"{stamp} {line}", file=sys.stderr, flush=True)


class Models:
    """What has been loaded so far; loading is asked for by name, before the first request that needs it."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._embedder: Embedder | None = None
        self._judge: Judge | None = None
        self._llama: LlamaModel | None = None

    def load(self, component: str) -> Head:
        match component:
            case "embedder":
                self._embedder, note = load_embedder(self._setup, log)
                name = self._embedder.model
            case "judge":
                self._judge, note = load_judge(self._setup, log)
                name = self._judge.model
            case "llama":
                self._llama, note = load_llama(self._setup), ""
                name = self._llama.model
            case _:
                raise ValueError(f"no such model: {component}")
        log(f"loaded {component} {name}")
        return {"name": name, "note": note}

    def answer(self, head: Head, stopping: Callable[[], bool]) -> tuple[Head, bytes]:
        match head["kind"]:
            case "load":
                return self.load(head["component"]), b""
            case "embed" if self._embedder is not None:
                vectors = self._embedder.embed(head["texts"])
                return {"model": self._embedder.model, "width": self._embedder.width}, vectors.tobytes()
            case "judge" if self._judge is not None:
                rows = self._judge.judge([(a, b) for a, b in head["pairs"]])
                return {"model": self._judge.model, "width": int(rows.shape[1])}, rows.tobytes()
            case "complete" if self._llama is not None:
                written = self._llama.complete(head, stopping)
                return {
                    "model": self._llama.model,
                    "text": written.text,
                    "whole": written.whole,
                    "tokens": written.tokens,
                }, b""
            case "weigh" if self._llama is not None:
                shares = self._llama.weigh(head, stopping)
                return {"model": self._llama.model, **shares._asdict()}, b""
            case "measure" if self._llama is not None:
                context, tokens = self._llama.measure(head["texts"])
                return {"model": self._llama.model, "context": context, "tokens": tokens}, b""
        raise ValueError(f"the request {head['kind']} came before its model")


class Serving:
    """One request at a time; a second thread takes in frames, so that a cancellation is heard at once."""

    def __init__(self, models: Models, source: IO[bytes], out: IO[bytes], memory_mb: int) -> None:
        self._models, self._source, self._out = models, source, out
        self._memory_mb = memory_mb
        self._requests: queue.SimpleQueue[Head] = queue.SimpleQueue()
        self._cancelled: set[int] = set()
        self._busy = threading.Event()
        self._lock = threading.Lock()

    def run(self) -> None:
        threading.Thread(target=self._take_in, name="frames", daemon=True).start()
        threading.Thread(target=self._beat, name="heartbeat", daemon=True).start()
        while True:
            head = self._requests.get()
            self._busy.set()
            self._serve(head)
            self._busy.clear()

    def _take_in(self) -> None:
        try:
            while (frame := frames.read(self._source)) is not None:
                head = frame[0]
                if "cancel" in head:
                    self._cancelled.add(int(head["cancel"]))
                else:
                    self._requests.put(head)
        except frames.Garbled as error:
            log(f"error process: {error}")
        except MemoryError:
            os._exit(NO_MEMORY)  # deaf is worse than dead: the parent starts another
        # The parent is gone or wants us gone, and a request under way may take long: no tidying up.
        os._exit(0)

    def _beat(self) -> None:
        while self._busy.wait():
            self._say({"beat": True})
            time.sleep(_BEAT_SECONDS)

    def _serve(self, head: Head) -> None:
        number = int(head["id"])
        what = head.get("component") or head["kind"]
        answer: Head
        body = b""
        try:
            answer, body = self._models.answer(head, lambda: number in self._cancelled)
        except Absent as error:
            answer = {"why": "absent", "reason": str(error)}
        except Unusable as error:
            answer = {"why": "broken", "reason": str(error)}
        except MemoryError:
            answer = {"why": "memory", "reason": memory.reason(self._memory_mb)}
        except ImportError as error:
            if memory.lacked(str(error)):  # a library that cannot be mapped
                answer = {"why": "memory", "reason": memory.reason(self._memory_mb)}
            else:
                answer = {"why": "broken", "reason": f"a package cannot be loaded: {error}"}
        except Exception as error:  # one request that cannot be answered must not end the process
            log(traceback.format_exc())
            answer = {"why": "refused", "reason": f"{type(error).__name__}: {error}"[:300]}
        if "why" in answer:
            log(f"error {what}: {answer['reason']}")
        self._cancelled.discard(number)
        self._say({"id": number, **answer}, body)

    def _say(self, head: Head, body: bytes = b"") -> None:
        with self._lock:
            try:
                self._out.write(frames.encode(head, body))
                self._out.flush()
            except OSError:
                os._exit(0)


def _limit_memory(megabytes: int) -> None:
    """RLIMIT_DATA counts what is allocated. RLIMIT_AS would also count mapped weights, libraries and what the
    allocators only reserve, several times what is used. Where a system knows no such limit, there is none."""
    if megabytes <= 0 or _limits is None:
        return
    with contextlib.suppress(OSError, ValueError):
        limit: Any = megabytes * 1_048_576
        _, hard = _limits.getrlimit(_limits.RLIMIT_DATA)
        if hard != _limits.RLIM_INFINITY:
            limit = min(limit, hard)
        _limits.setrlimit(_limits.RLIMIT_DATA, (limit, hard))


def main(arguments: list[str]) -> int:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the workspace's ctrl+c is not ours
    source = os.fdopen(os.dup(0), "rb")
    out = os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    setup = Setup.load(arguments[0])
    with contextlib.suppress(AttributeError, OSError):
        os.nice(setup.nice)
    _limit_memory(setup.memory_mb)
    try:
        Serving(Models(setup), source, out, setup.memory_mb).run()
    except (MemoryError, RuntimeError) as error:
        if isinstance(error, RuntimeError) and not memory.lacked(str(error)):  # no memory for a thread
            raise
        log(f"error process: {error or 'out of memory'}")
        os._exit(NO_MEMORY)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
