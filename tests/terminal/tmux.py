"""A real terminal without anyone in front of it: a private tmux server, its keys and its screen."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

DEADLINE = 120.0
"""Seconds; only a hang takes this long."""


class Terminal:
    def __init__(self, socket: Path) -> None:
        self._socket = socket
        self._ended = socket.with_name("ended")

    def _tmux(self, *arguments: str) -> str:
        command = ["tmux", "-u", "-S", str(self._socket), "-f", os.devnull, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def start(self, command: Sequence[str], size: tuple[int, int], environment: Mapping[str, str]) -> None:
        set_up = [f"{name}={value}" for name, value in environment.items()]
        width, height = map(str, size)
        # What the tests say about a terminal does not hold for this one.
        clean = ["env", "-u", "TMUX", "-u", "COLUMNS", "-u", "LINES", *set_up]
        # tmux does not always know how a program ended, so a shell writes it down; moving makes it whole.
        told = 'ended=$1; shift; "$@"; echo $? > "$ended.part"; mv "$ended.part" "$ended"; read -r stay'
        shell = ["sh", "-c", told, "sh", str(self._ended)]
        self._tmux("new-session", "-d", "-x", width, "-y", height, *clean, *shell, *command)

    def press(self, *keys: str) -> None:
        self._tmux("send-keys", *keys)

    def type_at_once(self, text: str) -> None:
        """All of it in one go, as a fast hand or a slow machine has it."""
        self._tmux("send-keys", "-l", text)

    def screen(self) -> str:
        return self._tmux("capture-pane", "-p")

    def exit_code(self) -> int | None:
        """None while the program runs."""
        return int(self._ended.read_text()) if self._ended.exists() else None

    def until(self, holds: Callable[[], object], what: str) -> None:
        """Look again and again until it holds; the screen is shown when it never does."""
        end = time.monotonic() + DEADLINE
        while not holds():
            assert time.monotonic() < end, f"never happened: {what}\n{self.screen()}"
            time.sleep(0.05)

    def close(self) -> None:
        subprocess.run(["tmux", "-S", str(self._socket), "kill-server"], capture_output=True)


@contextmanager
def terminal() -> Iterator[Terminal]:
    # Paths of sockets must be short, which those of pytest are not.
    folder = Path(tempfile.mkdtemp(prefix="belie-tmux-"))
    one = Terminal(folder / "s")
    try:
        yield one
    finally:
        one.close()
        shutil.rmtree(folder)
