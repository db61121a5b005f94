"""What the terminal can do."""

from __future__ import annotations

import os

_LINES_ONLY = frozenset({"", "dumb", "unknown", "network", "emacs"})


def only_lines() -> bool:
    """Whether the terminal says of itself that it can print lines but not move its cursor."""
    return os.environ.get("TERM", "").lower() in _LINES_ONLY
