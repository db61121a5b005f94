"""Want of memory: told from what a library or a dying process says, and whose fault it was."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

_SAID = (
    "cannot allocate memory",
    "failed to map",
    "failed to allocate",
    "unable to allocate",
    "memory allocation",
    "memoryerror",
    "bad_alloc",
    "out of memory",
    # A thread needs a stack, and is refused one where there is no memory for it.
    "can't start new thread",
    "pthread_create failed",
)


def lacked(said: str) -> bool:
    """Do these words tell of too little memory?"""
    said = said.lower()
    return any(words in said for words in _SAID)


def reason(limit_mb: int) -> str:
    """Why this process just got no more memory, for the person."""
    return told(limit_mb, _taken_mb(), _free_mb())


def told(limit_mb: int, taken_mb: int, free_mb: int | None) -> str:
    """The limit or the machine, whichever leaves less. A limit of 0 is none; None is a machine that does not
    say what it has."""
    if limit_mb > 0 and (free_mb is None or limit_mb - taken_mb <= free_mb):
        return f"the models may use {limit_mb:,} MB of memory, which was not enough"
    if free_mb is None:
        return "the machine has too little memory left"
    return f"the machine has {free_mb:,} MB of memory left, which was not enough"


def _taken_mb() -> int:
    """What RLIMIT_DATA counts of this process."""
    return _figures("/proc/self/status").get("VmData", 0)


def _free_mb() -> int | None:
    have = _figures("/proc/meminfo")
    if "MemAvailable" not in have:
        return None
    free = have["MemAvailable"] + have.get("SwapFree", 0)
    with contextlib.suppress(OSError):  # a system that promises no more than it has refuses earlier
        if Path("/proc/sys/vm/overcommit_memory").read_bytes().strip() == b"2":
            free = min(free, max(0, have["CommitLimit"] - have["Committed_AS"]))
    return free


def _figures(path: str) -> dict[str, int]:
    """In megabytes; empty where the system has no such file."""
    try:
        text = Path(path).read_text(errors="replace")
    except OSError:
        return {}
    return {name: int(kb) // 1024 for name, kb in re.findall(r"^(\w+):\s+(\d+) kB$", text, re.MULTILINE)}
