"""What the workspace and the processes it started hold and use, as Linux tells it."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Role = Literal["workspace", "worker", "models", "other"]
_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Held:
    """One process: memory in MB, open descriptors, seconds of processor time so far."""

    pid: int
    role: Role
    memory: float
    descriptors: int
    seconds: float


def family(parent: int) -> list[Held]:
    """The process and everything that descends from it."""
    fields: dict[int, list[str]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                fields[int(entry.name)] = (entry / "stat").read_text().rpartition(")")[2].split()
    found = {parent}
    while more := {pid for pid, row in fields.items() if int(row[1]) in found} - found:
        found |= more
    return [held for pid in sorted(found) if (held := _held(pid, parent, fields.get(pid))) is not None]


def _held(pid: int, parent: int, row: list[str] | None) -> Held | None:
    if row is None:
        return None
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        descriptors = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    except OSError:  # it has ended since
        return None
    role: Role = "workspace" if pid == parent else "other"
    if b"app.pipeline.worker" in command:
        role = "worker"
    elif b"app.models" in command:
        role = "models"
    return Held(pid, role, pages * _PAGE / 1e6, descriptors, (int(row[11]) + int(row[12])) / _TICKS)
