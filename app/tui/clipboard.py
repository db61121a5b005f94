"""Handing text to the desktop's clipboard, for terminals that cannot do it themselves."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from collections.abc import Mapping

_PROGRAMS = (
    ("WAYLAND_DISPLAY", ("wl-copy",)),
    ("DISPLAY", ("xclip", "-selection", "clipboard")),
    ("DISPLAY", ("xsel", "--clipboard", "--input")),
    (None, ("pbcopy",)),
)
_SECONDS = 2.0


def program(environment: Mapping[str, str] | None = None) -> tuple[str, ...] | None:
    """The program to run: the first whose desktop is there and that is installed."""
    environment = os.environ if environment is None else environment
    for needs, argv in _PROGRAMS:
        found = shutil.which(argv[0], path=environment.get("PATH"))
        if found and (needs is None or environment.get(needs)):
            return (found, *argv[1:])
    return None


def hand_over(text: str) -> None:
    """Give it the text on its input, in a thread; one that is missing or fails changes nothing."""
    argv = program()
    if argv is not None:
        threading.Thread(target=_run, args=(argv, text), name="belie-copy", daemon=True).start()


def _run(argv: tuple[str, ...], text: str) -> None:
    try:
        subprocess.run(
            argv,
            input=text.encode("utf-8", errors="replace"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return
