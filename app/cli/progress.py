"""How far the index is, on one line of stderr, when someone is looking."""

from __future__ import annotations

import sys

from app.cli.terminal import only_lines
from app.pipeline.messages import Progress


def show_progress(progress: Progress) -> None:
    if _can_overwrite() and progress.total:
        print(
            f"\r\x1b[K{progress.stage} {progress.done:,}/{progress.total:,}",
            end="",
            file=sys.stderr,
            flush=True,
        )


def clear_progress() -> None:
    if _can_overwrite():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _can_overwrite() -> bool:
    return sys.stderr.isatty() and not only_lines()
