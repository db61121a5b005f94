"""obsidian:// links to notes, and handing one to the desktop."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

_OPENERS = ("xdg-open", "open", "gio")
PATIENCE = 5.0
"""Seconds after which an opener that has not ended is taken to be at work."""


class NoOpener(Exception):
    """The link was not opened; the message is for the person."""


def is_obsidian(vault: Path) -> bool:
    return (vault / ".obsidian").is_dir()


def obsidian(vault: Path, path: str) -> str:
    """The link that opens a note: by vault and file where Obsidian knows the vault, else by its full path."""
    if is_obsidian(vault):
        name = path.removesuffix(".md")
        return f"obsidian://open?vault={quote(vault.resolve().name, safe='')}&file={quote(name, safe='')}"
    return f"obsidian://open?path={quote(str((vault / path).resolve()), safe='')}"


def open_link(link: str, environment: Mapping[str, str] | None = None, patience: float = PATIENCE) -> bool:
    """Have the desktop open it, as an argument of its own and never through a shell; says whether it took
    the link. Waits for that up to `patience` seconds: where the opener is the program itself, it stays."""
    environment = os.environ if environment is None else environment
    for name in _OPENERS:
        found = shutil.which(name, path=environment.get("PATH"))
        if found:
            argv = [found, "open", link] if name == "gio" else [found, link]
            return _run(name, argv, patience)
    raise NoOpener("Nothing here opens links; Y copies it instead.")


def _run(name: str, argv: list[str], patience: float) -> bool:
    try:
        opener = subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        code = opener.wait(patience)
    except subprocess.TimeoutExpired:
        return False
    except OSError as error:
        raise NoOpener(f"The link could not be opened: {error.strerror or error}.") from error
    if code:
        raise NoOpener(
            f"{name} could not open the link (code {code}); is Obsidian installed? Y copies it instead."
        )
    return True
