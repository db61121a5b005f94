"""The model process with faults on demand: a text that holds one of these words ends or stalls it, and what
the environment names goes wrong with whatever it is asked."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from app.models import child, embedder, judge

FAULTS = {"poison": signal.SIGSEGV, "illegal": signal.SIGILL, "slain": signal.SIGKILL}
real = embedder.OnnxEmbedder.embed
real_judge = judge.Judge.judge
real_load = child.load_embedder


def embed(self: Any, texts: Sequence[str]) -> Any:
    if os.environ.get("DIES_WORKING"):
        os.kill(os.getpid(), signal.SIGILL)
    for text in texts:
        for word, number in FAULTS.items():
            if word in text:
                # The default action without a core dump or a traceback: as native code would die.
                signal.signal(number, signal.SIG_DFL) if number != signal.SIGKILL else None
                os.kill(os.getpid(), number)
        if "stall" in text:
            threading.Event().wait()
        if "greedy" in text:
            raise MemoryError
        if "odd" in text:
            raise TypeError("an odd text")
    return real(self, texts)


def judged(self: Any, pairs: Sequence[tuple[str, str]]) -> Any:
    if any("dither" in text for pair in pairs for text in pair):
        threading.Event().wait()
    return real_judge(self, pairs)


def load_embedder(*arguments: Any) -> Any:
    if os.environ.get("DIES_LOADING"):
        os.kill(os.getpid(), signal.SIGILL)
    if Path(os.environ.get("STARVED_WHILE", "/nowhere/file")).exists():
        raise MemoryError
    return real_load(*arguments)


if __name__ == "__main__":
    embedder.OnnxEmbedder.embed = embed  # type: ignore[method-assign]
    judge.Judge.judge = judged  # type: ignore[method-assign]
    child.load_embedder = load_embedder
    sys.exit(child.main(sys.argv[1:]))
