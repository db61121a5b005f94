"""How far the index is, on one line of stderr, when someone is looking."""

from __future__ import annotations

import sys

from app.pipeline.messages import Progress


def show_progress(progress: Progress) -> None:
    if sys.stderr.isatty() and progress.total:
        print(
            f"\r\x1b[K{progress.stage} {progress.done:,}/{progress.total:,}",
            end="",
            file=sys.stderr,
            flush=True,
        )


def clear_progress() -> None:
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
