"""Start to first paint of `belie VAULT` in a terminal, against an empty Textual app."""

from __future__ import annotations

import argparse
import fcntl
import os
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from bench.made_vault import make  # noqa: E402

LINES, COLUMNS = 45, 160
A_FRAME = 4_000
"""Bytes: questions to the terminal before the first paint are a few hundred, a painted screen is 7,000."""
EMPTY = "from textual.app import App; App().run()"


class Start(NamedTuple):
    """From the start of the process to its first paint."""

    seconds: float
    used: float
    """Seconds of processor: what to compare on a busy machine."""


def start(command: list[str], environment: dict[str, str]) -> Start:
    """Run a program in a terminal of its own until it has painted, then end it."""
    ours, its = os.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    began = time.perf_counter()
    process = subprocess.Popen(
        command, stdin=its, stdout=its, stderr=its, cwd=ROOT, env=environment, start_new_session=True
    )
    os.close(its)
    seen = b""
    while len(seen) < A_FRAME:
        try:
            seen += os.read(ours, 65_536)
        except OSError:
            raise SystemExit(f"{command} ended before it had painted: {seen!r}") from None
    took = Start(time.perf_counter() - began, _processor(process.pid))
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    os.close(ours)
    return took


def _processor(pid: int) -> float:
    """What all threads of a process have used, in seconds; the clock of /proc/PID/stat is too coarse."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        vault = make(Path(folder), 1_000)
        # Byte code is kept, as an installed program has it.
        kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
        environment = {**kept, "BELIE_HOME": f"{folder}/home", "TERM": "xterm-256color",
                       "COLORTERM": "truecolor", "PYTHONPYCACHEPREFIX": f"{folder}/cache"}  # fmt: skip
        empty = [sys.executable, "-c", EMPTY]
        belie = [sys.executable, "-m", "app.cli.main", str(vault.root)]
        start(empty, environment), start(belie, environment)  # fills the cache, and the store
        pairs = [(start(empty, environment), start(belie, environment)) for _ in range(asked.rounds)]
    ratio = statistics.median(ours.seconds / bare.seconds for bare, ours in pairs)
    used = statistics.median(ours.used / bare.used for bare, ours in pairs)
    bare, ours = (statistics.median(pair[which].seconds for pair in pairs) for which in (0, 1))
    print(
        f"start to first paint {ratio:.2f} ×, of processor time {used:.2f} ×"
        f"   ({ours * 1000:.0f} ms, empty app {bare * 1000:.0f} ms)"
    )


if __name__ == "__main__":
    main()
