"""How commands print: a console for people, JSON for programs; neither fails over a character."""

from __future__ import annotations

import json
import sys
from typing import Any

from rich.console import Console

from app.plain import safe_json

_UNLIMITED = 1_000_000
"""More cells than a line has."""


class _Console(Console):
    def on_broken_pipe(self) -> None:
        raise  # rich calls this while it handles the error; its own way ends with 1, which says "conflicts"


def console() -> Console:
    """As wide as the terminal; whoever reads from a pipe or a file gets every line whole."""
    return _Console(highlight=False, width=None if sys.stdout.isatty() else _UNLIMITED)


def print_json(value: Any, indent: int | None = None) -> None:
    """As it is where stdout can take it, else escaped; so is a file name that is no UTF-8."""
    text = safe_json(json.dumps(value, ensure_ascii=False, indent=indent))
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, indent=indent)
    print(text)
