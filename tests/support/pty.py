"""A command run in a terminal of a given width that nobody types in."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios

from tests.robust.building import COMMAND, PROJECT

_ESCAPE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


def lines_in_terminal(*arguments: str | os.PathLike[str], width: int) -> list[str]:
    """What the command shows on stdout, without its colours."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 30, width, 0, 0))
    kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
    process = subprocess.Popen(
        [*COMMAND, *map(os.fspath, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env={**kept, "PYTHONPATH": str(PROJECT), "TERM": "xterm-256color"},
    )
    os.close(theirs)
    read = bytearray()
    try:
        while piece := os.read(ours, 65536):
            read += piece
    except OSError:  # Linux says so when the other end is closed
        pass
    os.close(ours)
    process.wait()
    return [line.rstrip("\r") for line in _ESCAPE.sub("", read.decode()).split("\n")]
